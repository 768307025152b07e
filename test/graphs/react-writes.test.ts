import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, createReactGraph, type ToolPolicy, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { StoppingSaver } from "../support/stopping-saver.js";
import { askingAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "order tea and milk" }] };
const thread = { configurable: { thread_id: "1" } };

const call = (name: string, item: string) => ({ name, args: { item }, id: `${name} ${item}` });

/** A turn of two orders and a price, where orders are writes. */
function ordering(policy: ToolPolicy, checkpointer?: MemorySaver) {
  const { runs, tools } = countingTools("price", "order");
  const toolCalls = [call("order", "tea"), call("price", "tea"), call("order", "milk")];
  const models = scriptedModel([{ toolCalls }, "Done."]);
  const options = {
    models,
    tools,
    toolPolicies: { order: { effect: "write" as const, ...policy } },
  };
  const graph = createReactGraph(
    checkpointer === undefined ? options : { ...options, checkpointer },
  );
  return { runs, graph };
}

it("approved writes run in the order called, with what a person edited", async () => {
  const { runs, graph } = ordering({ needsApproval: true }, new MemorySaver());
  await graph.invoke(question, thread);
  expect(runs).toEqual([]);
  const edit = { type: "edit", edited_action: { name: "order", args: { item: "green tea" } } };
  const resume = { decisions: [edit, { type: "approve" }] };
  const result = await graph.invoke(new Command({ resume }), thread);
  expect(runs).toEqual(["order green tea", "price tea", "order milk"]);
  expect(result.observations.map(({ callId }) => callId)).toEqual([
    "order tea",
    "price tea",
    "order milk",
  ]);
  expect(result.observations[0]?.content).toContain("A person changed the arguments");
});

it("approved writes run without a checkpointer too", async () => {
  const { runs, graph } = ordering({ needsApproval: true });
  const first = await graph.invoke(question);
  const decisions = [{ type: "approve" as const }, { type: "reject" as const }];
  const result = await graph.invoke({ messages: first.messages, decisions });
  expect(result.outcome).toEqual({ status: "answered" });
  expect(runs).toEqual(["order tea", "price tea"]);
});

it("writes that a limit forbids are not run, and every call has its result", async () => {
  const { tools, runs } = countingTools("price", "order");
  const toolCalls = ["tea", "milk", "salt"].map((item) => ({ name: "order", args: { item } }));
  const models = scriptedModel([{ toolCalls }, "One order is through."]);
  const graph = createReactGraph({
    models,
    tools,
    toolPolicies: { order: { effect: "write" } },
    limits: { toolCalls: 1 },
  });
  const result = await graph.invoke(question);
  expect(result.outcome).toEqual({ status: "limit", limit: "toolCalls" });
  expect(runs).toEqual(["order tea"]);
  expect(result.observations.map(({ ok }) => ok)).toEqual([true, false, false]);
  expect(result.messages.filter(({ type }) => type === "tool")).toHaveLength(3);
});

it("a write between makes the same read worth another run", async () => {
  const { tools, runs } = countingTools("price", "order");
  const names = ["price", "order", "price", "price"];
  const models = scriptedModel([
    ...names.map((name) => ({ toolCalls: [{ name, args: { item: "tea" } }] })),
    "Done.",
  ]);
  const toolPolicies = { price: { effect: "read" as const }, order: { effect: "write" as const } };
  const result = await createReactGraph({ models, tools, toolPolicies }).invoke(question);
  expect(runs).toEqual(["price tea", "order tea", "price tea"]);
  expect(result.observations.at(-1)).toMatchObject({ ok: true, attempts: 0 });
});

it("the same write twice in one turn happens once", async () => {
  const { tools, runs } = countingTools("order");
  const toolCalls = [call("order", "tea"), { ...call("order", "tea"), id: "again" }];
  const models = scriptedModel([{ toolCalls }, "Ordered once."]);
  const toolPolicies = { order: { effect: "write" as const } };
  const result = await createReactGraph({ models, tools, toolPolicies }).invoke(question);
  expect(runs).toEqual(["order tea"]);
  expect(result.observations.map(({ attempts }) => attempts)).toEqual([1, 0]);
});

it("a write that timed out is not made again when the model repeats it", async () => {
  const runs: string[] = [];
  const slow = tool(
    async () => {
      runs.push("pay");
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const again = { toolCalls: [{ name: "pay", args: {} }] };
  const models = scriptedModel([again, again, "I do not know whether it is paid."]);
  const toolPolicies = { pay: { effect: "write" as const, timeoutMs: 20 } };
  await createReactGraph({ models, tools: [slow], toolPolicies }).invoke(question);
  expect(runs).toEqual(["pay"]);
});

describe.each([
  { name: "a run", wrap: undefined, who: "" },
  { name: "a sub-run", wrap: "expert", who: "expert: " },
])("a write of $name that was called off while it was at work", ({ wrap, who }) => {
  function stopping(times = 1) {
    const runs: string[] = [];
    const aborts = Array.from({ length: times }, () => new AbortController());
    const pay = tool(
      async () => {
        const abort = aborts[runs.length];
        runs.push("pay");
        if (abort === undefined) return "paid";
        abort.abort();
        return await new Promise<string>(() => {});
      },
      { name: "pay", description: "Pays.", schema: z.object({}) },
    );
    const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "I see."]);
    const options = { models, tools: [withPolicy(pay, { effect: "write" })] };
    const checkpointer = new MemorySaver();
    if (wrap === undefined) {
      return { runs, aborts, graph: createReactGraph({ ...options, checkpointer }) };
    }
    const expert = asTool(createReactGraph(options), { name: wrap, description: "Pays." });
    return { runs, aborts, graph: askingAgent([expert], { checkpointer }).graph };
  }

  it.each([
    { decision: "approve", runs: ["pay", "pay"] },
    { decision: "reject", runs: ["pay"] },
  ])("is asked about: $decision", async ({ decision, runs: all }) => {
    const { graph, runs, aborts } = stopping();
    const [config] = aborts.map(({ signal }) => ({ ...thread, signal }));
    await expect(graph.invoke(question, config)).rejects.toThrow(/abort/i);
    const paused = await graph.invoke(null, thread);
    expect(asked(paused).action_requests).toMatchObject([
      {
        name: "pay",
        description: `${who}pay may already have been run before the program stopped. Run it again?`,
      },
    ]);
    const resume = { decisions: [{ type: decision }] };
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(done.outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(all);
  });

  it.each([
    {
      name: "what came of it",
      decision: { type: "respond", message: '{"receipt":9}' },
      seen: { ok: true, content: '{"receipt":9}', value: { receipt: 9 }, maybeDuplicate: true },
    },
    {
      name: "why it is not to be repeated",
      decision: { type: "reject", message: "it was paid, receipt 9" },
      seen: { ok: false, error: { kind: "denied", message: expect.stringContaining("receipt 9") } },
    },
  ])(
    "is told to the model as a person tells $name, and not made again",
    async ({ decision, seen }) => {
      const { graph, runs, aborts } = stopping();
      const [config] = aborts.map(({ signal }) => ({ ...thread, signal }));
      await expect(graph.invoke(question, config)).rejects.toThrow(/abort/i);
      const paused = await graph.invoke(null, thread);
      expect(asked(paused).review_configs[0]?.allowed_decisions).toContain(decision.type);
      const done = await graph.invoke(new Command({ resume: { decisions: [decision] } }), thread);
      const [first] = done.observations;
      expect(first?.run?.observations[0] ?? first).toMatchObject({ tool: "pay", ...seen });
      expect(runs).toEqual(["pay"]);
    },
  );

  it("is asked about again where the run that was approved was called off as well", async () => {
    const { graph, runs, aborts } = stopping(2);
    const [first, second] = aborts.map(({ signal }) => ({ ...thread, signal }));
    const resume = { decisions: [{ type: "approve" }] };
    await expect(graph.invoke(question, first)).rejects.toThrow(/abort/i);
    await graph.invoke(null, thread);
    await expect(graph.invoke(new Command({ resume }), second)).rejects.toThrow(/abort/i);
    const paused = await graph.invoke(null, thread);
    expect(asked(paused).action_requests[0]?.description).toContain("may already have been run");
    expect(runs).toEqual(["pay", "pay"]);
    const done = await graph.invoke(new Command({ resume }), thread);
    expect(JSON.stringify(done.observations)).toContain('"maybeDuplicate":true');
    expect(runs).toEqual(["pay", "pay", "pay"]);
  });
});

it("a write whose result is on record, though its node has not ended, is not asked about", async () => {
  const checkpointer = new StoppingSaver();
  const runs: string[] = [];
  const pay = tool(
    () => {
      runs.push("pay");
      checkpointer.left = 1;
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "I see."]);
  const tools = [withPolicy(pay, { effect: "write" })];
  const graph = () => createReactGraph({ models, tools, checkpointer });
  await expect(graph().invoke(question, thread)).rejects.toThrow("the program stopped");
  checkpointer.left = Infinity;
  const done = await graph().invoke(null, thread);
  expect(done.outcome).toEqual({ status: "answered" });
  expect(done.observations).toMatchObject([{ tool: "pay", ok: true, content: "paid" }]);
  expect(done.observations[0]).not.toHaveProperty("maybeDuplicate");
  expect(done.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 });
  expect(runs).toEqual(["pay"]);
});

it.each([
  { name: "approval alone", toolPolicies: { pay: { needsApproval: true } } },
  { name: "a rule for approval alone", toolPolicies: { pay: { needsApproval: () => true } } },
])("a call with $name is not made again after its result was lost", async ({ toolPolicies }) => {
  const checkpointer = new StoppingSaver();
  const runs: string[] = [];
  const pay = tool(
    () => {
      runs.push("pay");
      checkpointer.left = 0;
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "I see."]);
  const graph = () => createReactGraph({ models, tools: [pay], toolPolicies, checkpointer });
  await graph().invoke(question, thread);
  const resume = { decisions: [{ type: "approve" }] };
  await expect(graph().invoke(new Command({ resume }), thread)).rejects.toThrow("stopped");
  checkpointer.left = Infinity;
  const paused = await graph().invoke(null, thread);
  expect(asked(paused).action_requests[0]?.description).toContain("may already have been run");
  expect(runs).toEqual(["pay"]);
});
