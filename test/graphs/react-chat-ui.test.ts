// What the front ends agent-chat-ui and Agent Inbox make of our interrupts, restated from what they
// do: the one renders a request that has this form and sends decisions with edited texts, the other
// looks at the first action alone and has names of its own for the same decisions.
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  askUser,
  createPlanExecuteGraph,
  createReactGraph,
  PersonRequests,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { taskModels } from "../support/task-models.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const thread = { configurable: { thread_id: "1" } };
const question = { messages: [{ role: "user" as const, content: "order tea" }] };
const order = { name: "order", args: { item: "tea", count: 2, gift: { wrap: true } } };
const ask = { name: "ask_user", args: { question: "Which tea?" } };

/** A shop on a thread of its own; its orders can be cut off as by a crash. */
function shop(toolCalls: readonly (typeof order | typeof ask)[], needsApproval = true) {
  const runs: string[] = [];
  const crash = new AbortController();
  let isCrashing = !needsApproval;
  const schema = z.object({
    item: z.string(),
    count: z.int(),
    gift: z.object({ wrap: z.boolean() }),
  });
  const ordering = tool(
    ({ item, count, gift }) => {
      runs.push(`${count} ${item} ${gift.wrap}`);
      if (isCrashing) crash.abort();
      isCrashing = false;
      return "ordered";
    },
    { name: "order", description: "Orders.", schema },
  );
  const graph = createReactGraph({
    models: scriptedModel([{ toolCalls }, "Done."]),
    tools: [withPolicy(ordering, { effect: "write", needsApproval }), askUser],
    checkpointer: new MemorySaver(),
  });
  const start = async () => {
    const first = graph.invoke(question, { ...thread, signal: crash.signal });
    if (needsApproval) return first;
    await expect(first).rejects.toThrow(/abort/i);
    return graph.invoke(null, thread);
  };
  return { graph, runs, start };
}

const twice = { ...order, args: { ...order.args, item: "milk" } };
const pauses = [
  { name: "an approval", toolCalls: [order], needsApproval: true },
  { name: "a question", toolCalls: [ask], needsApproval: true },
  { name: "several at once", toolCalls: [order, ask, twice], needsApproval: true },
  { name: "a write that may be repeated", toolCalls: [order], needsApproval: false },
];

/** The one interrupt of a paused run. */
function interruptIn(result: unknown) {
  if (!isInterrupted<PersonRequests>(result)) throw new Error("the run is not paused");
  const [interrupt, ...others] = result[INTERRUPT];
  expect(others).toEqual([]);
  return { interrupt, requests: PersonRequests.parse(interrupt?.value) };
}

/** What agent-chat-ui renders as a request to a person; all else it shows as plain data. */
const Rendered = z.object({
  value: z.object({
    action_requests: z
      .array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) }))
      .nonempty(),
    review_configs: z
      .array(z.object({ action_name: z.string(), allowed_decisions: z.array(z.unknown()) }))
      .nonempty(),
  }),
});

/** What each action allows as agent-chat-ui finds out: by name, and only what it has a card for. */
function cards({ action_requests: actions, review_configs: configs }: PersonRequests) {
  return actions.map((action) => {
    const config = configs.find(({ action_name: name }) => name === action.name);
    const kinds = (config?.allowed_decisions ?? []).filter((kind) => kind !== "respond");
    return { action, kinds };
  });
}

type Card = ReturnType<typeof cards>[number];

/** What a person decides on one card; every field that was typed into is a text. */
function decided({ action, kinds }: Card, wish: Card["kinds"][number]) {
  const kind = kinds.includes(wish) ? wish : kinds.find((other) => other !== "approve");
  if (kind === "approve") return { type: "approve" };
  if (kind === "reject") return { type: "reject", message: "No." };
  const typed = Object.entries(action.args).map(([field, value]) => [
    field,
    field === "answer" ? "green" : typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return {
    type: "edit",
    edited_action: { name: action.name, args: Object.fromEntries(typed) },
  };
}

describe.each(pauses)("in agent-chat-ui, $name", ({ toolCalls, needsApproval }) => {
  it("is rendered, with a card of its own for every action", async () => {
    const { interrupt, requests } = interruptIn(await shop(toolCalls, needsApproval).start());
    expect(interrupt?.value).toMatchObject(requests);
    expect(Rendered.safeParse(interrupt).success).toBe(true);
    expect(requests.action_requests.map(({ name }) => name)).toEqual(
      toolCalls.map(({ name }) => name),
    );
    for (const [at, { action, kinds }] of cards(requests).entries()) {
      const { action_name: name, allowed_decisions: allowed } = requests.review_configs[at] ?? {};
      expect(name).toBe(action.name);
      expect(allowed?.filter((kind) => kind !== "respond")).toEqual(kinds);
      expect(kinds.length).toBeGreaterThan(1);
    }
  });

  it.each(["approve", "edit", "reject"] as const)("is answered by %s", async (wish) => {
    const { graph, runs, start } = shop(toolCalls, needsApproval);
    const { requests } = interruptIn(await start());
    const decisions = cards(requests).map((card) => decided(card, wish));
    const before = runs.length;
    const result = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(isInterrupted(result)).toBe(false);
    expect(result.outcome).toEqual({ status: "answered" });
    const taken = decisions.filter(({ type }, at) => type !== "reject" && toolCalls[at] !== ask);
    expect(runs.slice(before)).toHaveLength(taken.length);
    expect(runs.slice(before)).toEqual(["2 tea true", "2 milk true"].slice(0, taken.length));
    const answers = result.observations.filter((seen) => seen.tool === "ask_user" && seen.ok);
    const said = decisions.filter(({ type }, at) => type === "edit" && toolCalls[at] === ask);
    expect(answers.map(({ content }) => content)).toEqual(said.map(() => "green"));
  });
});

describe("in agent-chat-ui, a plan that a person sees", () => {
  const turns = { "Price tea.": ["Tea costs 3."] };
  it.each(["approve", "edit", "reject"] as const)(
    "is rendered, and answered by %s",
    async (wish) => {
      const models = taskModels([taskPlanText({ task: "Price tea." })], turns, [
        respondWith(wish === "reject" ? "As you like." : "It costs 3."),
      ]);
      const checkpointer = new MemorySaver();
      const graph = createPlanExecuteGraph({ models, reviewPlan: true, checkpointer });
      const { interrupt, requests } = interruptIn(await graph.invoke(question, thread));
      expect(interrupt?.value).toMatchObject(requests);
      expect(Rendered.safeParse(interrupt).success).toBe(true);
      const decisions = cards(requests).map((card) => decided(card, wish));
      expect(decisions).toMatchObject([{ type: wish }]);
      const result = await graph.invoke(new Command({ resume: { decisions } }), thread);
      expect(result.outcome).toEqual({ status: "answered" });
      expect(result.observations).toHaveLength(wish === "reject" ? 0 : 1);
      models.replanner.assertExhausted();
    },
  );
});

it("in agent-chat-ui, writing on in place of a decision does not pass the call off as made", async () => {
  const { graph, runs, start } = shop([ask, order]);
  await start();
  // What it sends along for every call that has no result yet.
  const madeUp = ["call_1", "call_2"].map(
    (id) =>
      new ToolMessage({
        id: `do-not-render-${id}`,
        tool_call_id: id,
        content: "Successfully handled tool call.",
      }),
  );
  const written = new HumanMessage({ content: [{ type: "text", text: "Forget it." }] });
  const result = await graph.invoke({ messages: [...madeUp, written] }, thread);
  expect(runs).toEqual([]);
  expect(result.messages.map(({ type, text }) => `${type}: ${text}`)).toEqual([
    "human: order tea",
    "ai: ",
    "tool: The user wrote something else instead of an answer.",
    "tool: Not approved and not run: the user wrote on before a person agreed to this call.",
    "human: Forget it.",
    "ai: Done.",
  ]);
});

describe("in Agent Inbox", () => {
  const edited = { item: "milk", count: "3", gift: '{"wrap":false}' };
  it.each([
    {
      name: "an accepted call",
      call: order,
      decision: { type: "approve", args: { action: "order", args: order.args } },
      runs: ["2 tea true"],
      content: "ordered",
    },
    {
      name: "an edited call",
      call: order,
      decision: { type: "edit", args: { action: "order", args: edited } },
      runs: ["3 milk false"],
      content: expect.stringMatching(/changed the arguments.*\nordered$/),
    },
    {
      name: "a response to a call, which is why it is refused",
      call: order,
      decision: { type: "reject", args: "Too dear." },
      runs: [],
      content: expect.stringContaining("They said: Too dear."),
    },
    {
      name: "an ignored call",
      call: order,
      decision: { type: "ignore", args: null },
      runs: [],
      content: expect.stringContaining("a person refused this call"),
    },
    {
      name: "a response to a question, which is its answer",
      call: ask,
      decision: { type: "reject", args: "green" },
      runs: [],
      content: "green",
    },
  ])("$name goes on", async ({ call, decision, runs: expected, content }) => {
    const { graph, runs, start } = shop([call]);
    interruptIn(await start());
    const resume = { decisions: [decision] };
    const result = await graph.invoke(new Command({ resume }), thread);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(expected);
    expect(result.observations).toMatchObject([{ content }]);
  });
});

describe("a front end that was written for LangChain.js", () => {
  it("finds its own spelling, and answers in it", async () => {
    const { graph, runs, start } = shop([order]);
    const { interrupt } = interruptIn(await start());
    expect(interrupt?.value).toMatchObject({
      actionRequests: [{ name: "order", args: order.args, description: expect.any(String) }],
      reviewConfigs: [
        { actionName: "order", allowedDecisions: ["approve", "edit", "reject", "respond"] },
      ],
    });
    const editedAction = { name: "order", args: { ...order.args, count: 1 } };
    const resume = { decisions: [{ type: "edit", editedAction }] };
    expect((await graph.invoke(new Command({ resume }), thread)).answer).toBe("Done.");
    expect(runs).toEqual(["1 tea true"]);
  });
});
