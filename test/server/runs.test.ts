import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { fault } from "../../src/testing/index.js";
import { until } from "../support/dev-server.js";
import { calling, eventsOf, question, serveGraphs, type Served, told } from "../support/served.js";

let served: Served;
beforeAll(async () => {
  served = await serveGraphs();
}, 70_000);
afterEach(() => served.assertExhausted());
afterAll(() => served.close(), 20_000);

const priceOfTea = calling("price", { item: "tea" });
const costs = { text: ["It costs ", "3 euros."] };

/** What each of the script's requests ended with. */
function lastWords(): unknown[] {
  return served.requests().map(({ body }) => body?.messages.at(-1)?.content);
}

const Chunk = z.tuple([
  z.object({ type: z.string(), content: z.string(), name: z.string().optional() }),
  z.object({ langgraph_node: z.string() }),
]);

/** Streams a run as `messages-tuple`: every chunk that has text, with the node it comes from. */
async function chunksOf(graph: string): Promise<string[]> {
  const stream = served.client.runs.stream(null, graph, {
    input: question("Tea?"),
    streamMode: "messages-tuple",
  });
  const chunks = await eventsOf(stream, "messages");
  return chunks.flatMap((chunk) => {
    const [{ type, content }, { langgraph_node: node }] = Chunk.parse(chunk);
    return content === "" ? [] : [`${node} ${type}: ${content}`];
  });
}

describe("a run", () => {
  it("waited for gives the whole result", async () => {
    await served.script(priceOfTea, costs);
    const result = await served.client.runs.wait(await served.newThread(), "shop", {
      input: question("Tea?"),
    });
    expect(result).toMatchObject({
      answer: "It costs 3 euros.",
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 1, byRole: { executor: { modelCalls: 2 } } },
      observations: [{ tool: "price", args: { item: "tea" }, ok: true, attempts: 1 }],
    });
    expect(told(result)).toEqual([
      "human: Tea?",
      "ai: ",
      "tool: tea: 3 euros",
      "ai: It costs 3 euros.",
    ]);
    expect(await served.calls()).toEqual(["price tea"]);
  });

  it("without a thread leaves none behind", async () => {
    await served.script(costs);
    const before = await served.client.threads.count();
    const result = await served.client.runs.wait(null, "shop", { input: question("Tea?") });
    expect(result).toMatchObject({ answer: "It costs 3 euros." });
    const isGone = async () => (await served.client.threads.count()) === before;
    expect(await until(isGone, 5)).toBe(true);
  });

  it("without a thread cannot pause: it ends with what it needs", async () => {
    await served.script(calling("order", { item: "tea", count: 2 }));
    const result = await served.client.runs.wait(null, "shop", { input: question("2 tea") });
    expect(result).toMatchObject({
      outcome: {
        status: "needs_input",
        requests: { action_requests: [{ name: "order", args: { item: "tea", count: 2 } }] },
      },
    });
    expect(await served.calls()).toEqual([]);
  });

  it("is a fresh one for the second question, which the model reads after the first", async () => {
    const thread = await served.newThread();
    await served.script(priceOfTea, costs);
    await served.client.runs.wait(thread, "shop", { input: question("Tea?") });
    await served.script("Milk is free.");
    const second = await served.client.runs.wait(thread, "shop", { input: question("Milk?") });
    expect(second).toMatchObject({
      answer: "Milk is free.",
      outcome: { status: "answered" },
      usage: { modelCalls: 1, toolCalls: 0 },
      observations: [],
    });
    const [request] = served.requests();
    expect(request?.body?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });

  it("is refused with 422 while another one works on the thread, which goes on", async () => {
    const thread = await served.newThread();
    await served.script(fault.delay("Done.", 1_000));
    const first = await served.client.runs.create(thread, "shop", { input: question("One?") });
    const second = served.client.runs.wait(thread, "shop", {
      input: question("Two?"),
      multitaskStrategy: "reject",
    });
    await expect(second).rejects.toMatchObject({ status: 422 });
    const result = await served.client.runs.join(thread, first.run_id);
    expect(told(result)).toEqual(["human: One?", "ai: Done."]);
  });
});

describe("a stream", () => {
  it("of values shows the state grow, message by message", async () => {
    await served.script(priceOfTea, costs);
    const stream = served.client.runs.stream(null, "shop", {
      input: question("Tea?"),
      streamMode: "values",
    });
    const values = await eventsOf(stream, "values");
    // The input, then what intake, agent, tools, agent and finalizer made of it.
    expect(values.map((value) => told(value).length)).toEqual([1, 1, 2, 3, 4, 4]);
    expect(values.at(-2)).not.toHaveProperty("outcome");
    expect(values.at(-1)).toMatchObject({
      answer: "It costs 3 euros.",
      outcome: { status: "answered" },
    });
  });

  it("of updates tells what each node wrote", async () => {
    await served.script(priceOfTea, costs);
    const stream = served.client.runs.stream(null, "shop", {
      input: question("Tea?"),
      streamMode: "updates",
    });
    const updates = await eventsOf(stream, "updates");
    expect(updates).toMatchObject([
      { intake: { run: { activeMs: 0 } } },
      { agent: { messages: [{ tool_calls: [{ name: "price" }] }], usage: { modelCalls: 1 } } },
      { tools: { messages: [{ content: "tea: 3 euros" }], observations: [{ tool: "price" }] } },
      { agent: { messages: [{ content: "It costs 3 euros." }] } },
      { finalizer: { answer: "It costs 3 euros.", outcome: { status: "answered" } } },
    ]);
  });

  it("of custom events tells the run's story in order", async () => {
    await served.script(priceOfTea, costs);
    const stream = served.client.runs.stream(null, "shop", {
      input: question("Tea?"),
      streamMode: "custom",
    });
    const events = z
      .array(z.looseObject({ type: z.string(), node: z.string(), runId: z.string() }))
      .parse(await eventsOf(stream, "custom"));
    expect(events.map(({ type, node }) => `${node} ${type}`)).toEqual([
      "intake run_started",
      "agent model_started",
      "agent model_finished",
      "tools tool_started",
      "tools tool_finished",
      "agent model_started",
      "agent model_finished",
      "finalizer run_finished",
    ]);
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
    expect(events[0]).toMatchObject({ content: { question: "Tea?" } });
    expect(events.at(-1)).toMatchObject({
      outcome: { status: "answered" },
      usage: { modelCalls: 2 },
    });
  });

  it("of messages brings the answer token by token, and tool results whole", async () => {
    await served.script(priceOfTea, costs);
    expect(await chunksOf("shop")).toEqual([
      "tools tool: tea: 3 euros",
      "agent ai: It costs ",
      "agent ai: 3 euros.",
    ]);
  });

  it("of messages leaves out what is not for the user: corrections and structured output", async () => {
    await served.script(priceOfTea, "", costs, "three", '{"euros": 3}');
    expect(await chunksOf("structured")).toEqual([
      "tools tool: tea: 3 euros",
      "agent ai: It costs ",
      "agent ai: 3 euros.",
    ]);
    expect(lastWords()).toEqual([
      "Tea?",
      "tea: 3 euros",
      expect.stringContaining("your reply was empty"),
      expect.stringContaining("in the form above"),
      expect.stringContaining("That does not fit"),
    ]);
  });
});

describe("a cancelled run", () => {
  it.each([
    {
      name: "tool",
      reply: calling("slow", { item: "tea" }),
      isBusy: async () => (await served.calls()).includes("slow tea started"),
      calls: ["slow tea started", "slow tea aborted"],
      left: ["human: Tea?", "ai: ", expect.stringMatching(/^tool: .*interrupted/)],
    },
    {
      name: "model",
      reply: fault.stalledStream("It costs 3 euros.", 2),
      isBusy: async () => served.requests().length === 1,
      calls: [],
      left: ["human: Tea?"],
    },
  ])("stops a slow $name at once, and its thread goes on whole", async (row) => {
    const thread = await served.newThread();
    await served.script(row.reply);
    const run = await served.client.runs.create(thread, "shop", { input: question("Tea?") });
    expect(await until(row.isBusy, 10)).toBe(true);

    const from = Date.now();
    await served.client.runs.cancel(thread, run.run_id, true);
    expect(Date.now() - from).toBeLessThan(5_000);
    expect(await served.client.runs.get(thread, run.run_id)).toMatchObject({
      status: "interrupted",
    });
    expect(await served.calls()).toEqual(row.calls);

    await served.script("Milk is free.");
    const next = await served.client.runs.wait(thread, "shop", { input: question("Milk?") });
    expect(told(next)).toEqual([...row.left, "human: Milk?", "ai: Milk is free."]);
    expect(next).toMatchObject({ outcome: { status: "answered" }, usage: { modelCalls: 1 } });
  });
});
