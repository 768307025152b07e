import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { isWithAgent } from "../../src/graphs/routes.js";
import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  handOff,
} from "../../src/index.js";
import { sanitizeHistory } from "../../src/models/sanitize-history.js";
import {
  hasOpenCalls,
  hasWaitingCalls,
  isFollowUp,
  knownTexts,
  openTurn,
} from "../../src/runtime/messages.js";
import { withoutSteps } from "../../src/prompts/shown-steps.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { DyingSaver } from "../support/dying-saver.js";
import { broken, graphs, stories, type Story } from "../support/plan-stories.js";
import { finishWith, planText, replanFor, stepOf } from "../support/plans.js";

/** Plays a story; `read` is what the runtime reads from the messages after every superstep. */
async function played({ graph: name, replies, turns }: Story, showSteps: boolean) {
  const { tools } = countingTools("price", "stock", "order");
  const models = scriptedModel([...replies]);
  const graph = graphs[name]({
    models,
    tools: [...tools, broken, handOff],
    toolPolicies: { order: { needsApproval: true } },
    checkpointer: new MemorySaver(),
    showSteps,
  });
  const thread = { configurable: { thread_id: "1" } };
  const read: unknown[] = [];
  let messages: BaseMessage[] = [];
  let answer: unknown;
  let outcome: unknown;
  for (const turn of turns) {
    const input = typeof turn === "string" ? { messages: [new HumanMessage(turn)] } : turn;
    for await (const state of await graph.stream(input, { ...thread, streamMode: "values" })) {
      if ("__interrupt__" in state) continue;
      ({ messages, answer, outcome } = state);
      read.push(readFrom(state));
    }
  }
  const asked = models.calls.map((each) => each.messages.map(said));
  return { messages, answer, outcome, read, asked };
}

/** Whether the messages have open calls, and what follows from them. */
function readFrom(state: Parameters<typeof isWithAgent>[0]) {
  const { messages, observations } = state;
  return {
    pending: openTurn(messages, observations).pending,
    isSane: sanitizeHistory(messages) === messages,
    isOpen: hasOpenCalls(messages),
    isWaiting: hasWaitingCalls(messages),
    isWithAgent: isWithAgent(state),
    isFollowUp: isFollowUp(messages),
  };
}

function kept({ additional_kwargs: more }: BaseMessage): unknown {
  return more;
}

function said(message: BaseMessage): unknown {
  const calls = isAIMessage(message)
    ? message.tool_calls?.map(({ name, args }) => [name, args])
    : [];
  return [message.type, message.text, calls];
}

/** What the messages show: each call with its argument, and the text of each result. */
function shownIn(messages: readonly BaseMessage[]): string[] {
  return messages.map((message) => {
    if (isToolMessage(message)) {
      return message.status === "error" ? `error: ${message.text}` : message.text;
    }
    const calls = isAIMessage(message) ? (message.tool_calls ?? []) : [];
    const texts = calls.map(({ name, args }) => [name, ...Object.values(args)].join(" "));
    return texts.join(", ") || message.type;
  });
}

const matching = (parts: readonly string[]) =>
  parts.map((part) => (part.startsWith("error: ") ? expect.stringContaining(part.slice(7)) : part));

describe.each(stories)("$title in $graph", (story) => {
  it("is shown in the messages, with ids of its own", async () => {
    const { messages, outcome } = await played(story, true);
    expect(outcome).toMatchObject({ status: "answered" });
    expect(shownIn(messages)).toEqual(matching(story.shown.flat()));
    const ids = messages.flatMap((each) => (isAIMessage(each) ? (each.tool_calls ?? []) : []));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  });

  it("asks the models the same as where it is not shown, and nothing passes for an open call", async () => {
    const { asked, answer, ...shown } = await played(story, true);
    const hidden = await played(story, false);
    expect(asked).toEqual(hidden.asked);
    expect(shown.read).toEqual(hidden.read);
    expect(answer).toBe(hidden.answer);
    const others = shown.messages.filter(({ id = "" }) => !id.startsWith("steps:"));
    expect(others.map(said)).toEqual(hidden.messages.map(said));
    expect(others.map(kept)).toEqual(hidden.messages.map(kept));
  });
});

it.each([
  { create: createRewooGraph },
  { create: createLlmCompilerGraph },
  { create: createPlanExecuteGraph },
])("an option that is no boolean is refused by $create.name", ({ create }) => {
  const build = (showSteps: unknown) => () =>
    Reflect.apply(create, undefined, [{ models: "offline", showSteps }]);
  expect(build("yes")).toThrow('showSteps: expected true or false, got "yes".');
  expect(build(1)).toThrow("showSteps: expected true or false, got 1.");
  expect(build(undefined)).not.toThrow();
  expect(build(true)).not.toThrow();
});

it("what steps returned grounds no arguments, also where a client drops the ids of messages", async () => {
  const { tools } = countingTools("price");
  using models = scriptedModel([planText(stepOf("price", "tea")), "Cheap."]);
  const graph = createRewooGraph({ models, tools, showSteps: true });
  const { messages } = await graph.invoke({ messages: [new HumanMessage("Tea?")] });
  const [question, , result, answer] = messages;
  expect(result?.text).toBe("price of tea");
  const copies = [question, result, answer].flatMap((message) =>
    isToolMessage(message)
      ? new ToolMessage({ ...message.lc_kwargs, id: "1", content: message.text, tool_call_id: "1" })
      : (message ?? []),
  );
  // The answer keeps the results that may ground.
  expect(knownTexts(messages, { known: undefined })).toEqual(["Tea?", "price of tea"]);
  expect(knownTexts(copies, { known: undefined })).toEqual(["Tea?", "price of tea"]);
  expect(knownTexts(copies.slice(0, 2), { known: undefined })).toEqual(["Tea?"]);
});

it("a question is never taken for a step", () => {
  const question = new HumanMessage({ id: "steps:1", content: "Tea?" });
  expect(withoutSteps([question])).toEqual([question]);
});

it("an agent has no steps to show", () => {
  const options = { models: "offline", showSteps: true };
  expect(() => Reflect.apply(createReactGraph, undefined, [options])).toThrow(
    'there is no "showSteps"',
  );
});

it("steps that have ended are shown where a run waits for people without a checkpointer", async () => {
  const { tools } = countingTools("price", "order");
  const steps = planText(stepOf("price", "tea"), stepOf("order", "tea", "E1"));
  using models = scriptedModel([steps, "Ordered."]);
  const toolPolicies = { order: { needsApproval: true } };
  const graph = createRewooGraph({ models, tools, toolPolicies, showSteps: true });
  const waiting = await graph.invoke({ messages: [new HumanMessage("Order tea.")] });
  expect(waiting.outcome?.status).toBe("needs_input");
  expect(shownIn(waiting.messages)).toEqual(["human", "price tea", "price of tea", "ai"]);
  const done = await graph.invoke({ ...waiting, decisions: [{ type: "approve" }] });
  const before = ["human", "price tea", "price of tea"];
  expect(shownIn(done.messages)).toEqual([...before, "order tea", "order of tea", "ai"]);
});

/** Plans a step, and another one when it is done. */
function replanning(messages: readonly BaseMessage[]): string {
  const asked = messages.map(({ text }) => text).join("\n");
  const isPlanner = asked.includes("Write the plan");
  if (isPlanner && !asked.includes("That is not enough")) return planText(stepOf("price", "tea"));
  if (isPlanner) return planText({ ...stepOf("stock", "tea"), id: "E2" });
  return asked.includes("stock of tea") ? finishWith("Some.") : replanFor("The stock is missing.");
}

it("each step is shown once after a crash, wherever the program stops", async () => {
  const { tools } = countingTools("price", "stock");
  const thread = { configurable: { thread_id: "1" } };
  const ends: string[][] = [];
  for (let isCut = true; isCut;) {
    const checkpointer = new DyingSaver();
    const create = () =>
      createLlmCompilerGraph({
        tools,
        models: scriptedModel(replanning),
        checkpointer,
        showSteps: true,
      });
    checkpointer.left = ends.length + 1;
    const question = { messages: [new HumanMessage("Is there tea?")] };
    const result = await create()
      .invoke(question, thread)
      .catch(() => undefined);
    checkpointer.left = Infinity;
    isCut = result === undefined;
    const { messages } = result ?? (await create().invoke(null, thread));
    expect(sanitizeHistory(messages)).toBe(messages);
    ends.push(shownIn(messages));
  }
  expect(ends.length).toBeGreaterThan(8);
  const whole = ["human", "price tea", "price of tea", "stock tea", "stock of tea", "ai"];
  expect(ends).toEqual(ends.map(() => whole));
});
