import { type BaseMessageLike, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  type AgentEvent,
  asTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type HandOffCause,
  handOff,
} from "../../src/index.js";
import { fault, scriptedModel, startScriptedServer } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planText, stepOf } from "../support/plans.js";
import { requestText } from "../support/request-text.js";
import { taskPlanText } from "../support/task-plans.js";
import { calling } from "../support/task-models.js";

const asking = (...messages: BaseMessageLike[]) => ({ messages });
const question = asking({ role: "user", content: "Order tea." });
const down = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const reason = expect.stringMatching(/could not be reached.*ECONNREFUSED/);

/** A turn that calls tools without arguments. */
const asks = (...names: readonly string[]) => ({
  toolCalls: names.map((name) => ({ name, args: {} })),
});

/** A model that says of itself that it cannot read images. */
const blind = (replies: readonly string[] = []) => {
  const model = scriptedModel(replies, { model: "blind" });
  return Object.defineProperty(model, "profile", { value: { imageInputs: false } });
};

/** Graphs that fail when their last model call does, after `price` gave a result. */
const failing = [
  { name: "react", create: createReactGraph, before: [calling("price", "tea")] },
  { name: "rewoo", create: createRewooGraph, before: [planText(stepOf("price", "tea"))] },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    before: [planText(stepOf("price", "tea"))],
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    before: [taskPlanText({ task: "Price tea." }), calling("price", "tea"), "price of tea"],
  },
];

describe.each(failing)("a run of $name whose model fails", ({ create, before }) => {
  const run = async (handOffOn: readonly HandOffCause[] | undefined, tools = [handOff]) => {
    const { tools: counting, runs } = countingTools("price");
    using models = scriptedModel([...before, down()]);
    const graph = create({ models, tools: [...counting, ...tools], handOffOn });
    const events: AgentEvent[] = [];
    const stream = await graph.stream(question, { streamMode: ["custom", "values"] });
    let last: { outcome?: unknown; answer?: unknown } = {};
    for await (const [mode, chunk] of stream) {
      if (mode === "custom") events.push(chunk);
      else last = chunk;
    }
    return { last, events: events.filter(({ parent }) => parent === undefined), runs };
  };

  it("is handed off, with what was done in the summary", async () => {
    const { last, events, runs } = await run(undefined);
    const summary = expect.stringMatching(/^Asked:\nOrder tea\.\nDone:\n- .*: price of tea/);
    expect(last.outcome).toEqual({ status: "handed_off", cause: "failure", reason, summary });
    expect(last.answer).toMatch(/^A person takes over from here: .*could not be reached/);
    expect(events.slice(-2)).toMatchObject([
      { type: "handed_off", cause: "failure", content: { reason, summary } },
      { type: "run_finished", outcome: { status: "handed_off" } },
    ]);
    expect(runs).toEqual(["price tea"]);
  });

  it.each([
    { name: "another cause is listed", handOffOn: ["no_tool"] as const, tools: [handOff] },
    { name: "none is", handOffOn: [], tools: [handOff] },
    { name: "there is nobody", handOffOn: undefined, tools: [] },
  ])("fails where $name", async ({ handOffOn, tools }) => {
    const { last, events } = await run(handOffOn, tools);
    expect(last.outcome).toEqual({ status: "failed", reason });
    expect(events.filter(({ type }) => type === "handed_off")).toEqual([]);
  });
});

it("an object that never fits is handed off", async () => {
  const models = scriptedModel(["Tea.", "no", "no", "no"]);
  const responseFormat = z.object({ item: z.string() });
  const graph = createReactGraph({ models, tools: [handOff], responseFormat });
  const { outcome } = await graph.invoke(question);
  expect(outcome).toMatchObject({ status: "handed_off", cause: "failure" });
});

describe("a failure inside", () => {
  const expert = () => createReactGraph({ models: scriptedModel([down()]), tools: [handOff] });

  it.each([
    { endsOnHandOff: false, outcome: { status: "answered" }, calls: 2 },
    { endsOnHandOff: true, outcome: { status: "handed_off", reason }, calls: 1 },
  ])("a tool ends the run only by its wish: $endsOnHandOff", async (given) => {
    const { endsOnHandOff, outcome, calls } = given;
    const tools = [asTool(expert(), { name: "expert", description: "Knows.", endsOnHandOff })];
    const toolCalls = [{ name: "expert", args: { question: "?" } }];
    const models = scriptedModel([{ toolCalls }, "I do not know."]);
    const result = await createReactGraph({ models, tools }).invoke(question);
    expect(result.outcome).toMatchObject(outcome);
    expect(models.calls).toHaveLength(calls);
  });

  it("a route hands the run off", async () => {
    const routes = { law: { description: "Law.", graph: expert() } };
    const { outcome } = await createRouterGraph({ routes }).invoke(question);
    expect(outcome).toMatchObject({ status: "handed_off", cause: "failure", reason });
  });

  it("a step goes to the replanner first", async () => {
    const models = {
      planner: scriptedModel([taskPlanText({ task: "Order tea." }, { task: "Wait." })]),
      executor: scriptedModel([down(), "Waited."]),
      replanner: scriptedModel([JSON.stringify({ action: "respond", response: "No tea today." })]),
    };
    const graph = createPlanExecuteGraph({ models, tools: [handOff], concurrency: 1 });
    expect(await graph.invoke(question)).toMatchObject({
      outcome: { status: "answered" },
      answer: "No tea today.",
    });
  });
});

describe("a case that no tool covers", () => {
  it("is handed off when the model asks again for what there is not", async () => {
    using models = scriptedModel([asks("refund"), asks("pay_back", "refund_all")]);
    const { outcome } = await createReactGraph({ models, tools: [handOff] }).invoke(question);
    expect(outcome).toMatchObject({
      status: "handed_off",
      cause: "no_tool",
      reason: expect.stringMatching(/"refund", "pay_back", "refund_all"/),
    });
  });

  it.each([
    { name: "something came of the run", replies: [calling("price", "tea"), asks("a"), asks("b")] },
    { name: "it is not listed", replies: [asks("a"), asks("b")], handOffOn: ["failure"] as const },
  ])("goes on where $name", async ({ replies, handOffOn }) => {
    using models = scriptedModel([...replies, "So be it."]);
    const tools = [...countingTools("price").tools, handOff];
    const { answer } = await createReactGraph({ models, tools, handOffOn }).invoke(question);
    expect(answer).toBe("So be it.");
  });

  it.each([
    { name: "rewoo", create: createRewooGraph },
    { name: "llm-compiler", create: createLlmCompilerGraph },
  ])("is handed off in $name where no plan came and the agent knows no better", async (given) => {
    const plan = planText({ tool: "refund", args: {} });
    using models = scriptedModel([plan, plan, plan, asks("refund")]);
    const { outcome } = await given.create({ models, tools: [handOff] }).invoke(question);
    expect(outcome).toMatchObject({ status: "handed_off", cause: "no_tool" });
  });

  it("is handed off in plan-execute where no plan came and the question itself comes to nothing", async () => {
    const executor = scriptedModel([asks("refund"), asks("refund_all")]);
    const models = { planner: scriptedModel(["", "", ""]), executor };
    const tools = [handOff];
    const stepLimits = { modelCalls: 2 };
    const options = { models, tools, stepLimits, earlyStopping: "force" as const };
    const { outcome } = await createPlanExecuteGraph(options).invoke(question);
    expect(outcome).toMatchObject({ status: "handed_off", cause: "no_tool" });
  });
});

describe("what a model cannot read", () => {
  const url = "data:image/png;base64,aGk=";
  const photo = { type: "image_url", image_url: { url } };
  const shown = new HumanMessage({ content: [{ type: "text", text: "What is this?" }, photo] });
  const sentence = 'The executor model "blind" cannot read images.';

  it.each([
    { handOffOn: undefined, outcome: { status: "handed_off", summary: expect.any(String) } },
    { handOffOn: ["failure"] as const, outcome: { status: "failed" } },
  ])("is handed off, or fails with the same reason: $handOffOn", async ({ handOffOn, outcome }) => {
    const models = blind();
    const graph = createReactGraph({ models, tools: [handOff], handOffOn });
    const result = await graph.invoke(asking(shown));
    expect(result.outcome).toEqual({ cause: "unsupported_input", reason: sentence, ...outcome });
    expect(models.calls).toEqual([]);
  });

  it("is read by a fallback that can", async () => {
    using sighted = scriptedModel(["A cat."]);
    const graph = createReactGraph({ models: [blind(), sighted], tools: [handOff] });
    expect((await graph.invoke(asking(shown))).answer).toBe("A cat.");
    expect(sighted.calls[0]?.messages.at(-1)?.content).toEqual(shown.content);
  });

  it("is learned from the server's refusal, and not sent to it again", async () => {
    const refusal = { message: "image_url is only supported by certain models" };
    await using server = await startScriptedServer({
      replies: [fault.status(400, refusal), "Yes."],
    });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const options = { models: "openai:blind", tools: [handOff], environment };
    const graph = createReactGraph({ ...options, checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: "1" } };
    for (const _ of [1, 2]) {
      const { outcome } = await graph.invoke(asking(shown), thread);
      expect(outcome).toMatchObject({ status: "handed_off", cause: "unsupported_input" });
    }
    expect(server.requests).toHaveLength(1);
    expect((await graph.invoke(asking(new HumanMessage("Thanks?")), thread)).answer).toBe("Yes.");
    const sent = JSON.stringify(server.requests[1]?.body?.messages);
    expect(sent).toContain("[an image, which you cannot read]");
    expect(sent).not.toContain("base64");
  });

  it.each([
    { name: "rewoo", create: createRewooGraph },
    { name: "llm-compiler", create: createLlmCompilerGraph },
    { name: "plan-execute", create: createPlanExecuteGraph },
  ])("is handed off in $name too, and no model is asked", async ({ create }) => {
    const models = blind();
    const { outcome } = await create({ models, tools: [handOff] }).invoke(asking(shown));
    expect(outcome).toMatchObject({ status: "handed_off", cause: "unsupported_input" });
    expect(models.calls).toEqual([]);
  });

  const photoOf = tool(() => [{ type: "image", data: "aGk=", mimeType: "image/png" }], {
    name: "photo_of",
    description: "Shows an item.",
    schema: z.object({ item: z.string() }),
  });

  it.each([
    { name: "react", create: createReactGraph, first: calling("photo_of", "tea") },
    { name: "rewoo", create: createRewooGraph, first: planText(stepOf("photo_of", "tea")) },
  ])("may be a tool's result, in $name", async ({ create, first }) => {
    const result = async (handOffOn: readonly HandOffCause[] | undefined) => {
      const models = scriptedModel([first, "I cannot see it."]);
      return create({ models, tools: [photoOf, handOff], handOffOn }).invoke(question);
    };
    expect((await result(undefined)).outcome).toMatchObject({
      status: "handed_off",
      cause: "unsupported_input",
      reason: "The result of photo_of is an image, which the model cannot read.",
    });
    const told = await result([]);
    expect(told.answer).toBe("I cannot see it.");
    expect(told.observations[0]?.content).toBe("[image] (This cannot be read here.)");
  });

  it("does not keep a router from finding who reads it", async () => {
    using sighted = scriptedModel(["A cat."]);
    const graph = createReactGraph({ models: sighted });
    const models = blind(['{"route":"photos","reason":"It asks what is shown."}']);
    const routes = {
      photos: { description: "What is shown.", graph },
      law: { description: "Law.", graph: createReactGraph({ models: blind() }) },
    };
    expect((await createRouterGraph({ models, routes }).invoke(asking(shown))).answer).toBe(
      "A cat.",
    );
    expect(requestText(models.calls[0])).toContain("[an image, which you cannot read]");
  });
});

it.each([["failures"], "failure", true])("handOffOn %j is refused at once", (handOffOn) => {
  const options: object = { handOffOn };
  expect(() => createReactGraph(options)).toThrow(/handOffOn: expected a list of "failure"/);
  expect(() => createPlanExecuteGraph(options)).toThrow(/handOffOn/);
});
