import assert from "node:assert/strict";

import { isToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { askUser, createReactGraph, unfinishedRuns } from "../../../src/index.js";
import { scriptedModel } from "../../../src/testing/index.js";
import { countingTools } from "../../support/counting-tools.js";
import { DyingSaver } from "../../support/dying-saver.js";
import {
  buyer,
  call,
  question,
  type Shared,
  shops,
  thread,
  toolPolicies,
} from "../../support/shops.js";

/** Tools of which one never ends: the run is aborted when it has begun. */
function stuckShop(
  create: (typeof shops)[number]["create"],
  name: string,
  saver: BaseCheckpointSaver,
) {
  const abort = new AbortController();
  const { tools } = countingTools("price", "order", "stock");
  const stuck = tool(
    async () => {
      abort.abort();
      return new Promise<string>(() => {});
    },
    { name, description: "Never ends.", schema: z.object({ item: z.string() }) },
  );
  const others = tools.filter((each) => each.name !== name);
  const graph = create({ tools: [...others, stuck], toolPolicies, checkpointer: saver });
  return { graph, stopped: { ...thread(), signal: abort.signal } };
}

const inFlight = [
  ["react", "price", [{ callId: "price-1", tool: "price", isWrite: false }]],
  ["react", "order", [{ callId: "order-1", tool: "order", isWrite: true }]],
  // What waits for its turn is not told from what has begun; a write that has begun is on record.
  [
    "rewoo",
    "price",
    [
      { callId: "E1", tool: "price", isWrite: false },
      { callId: "E2", tool: "order", isWrite: false },
      { callId: "E3", tool: "stock", isWrite: false },
    ],
  ],
  ["rewoo", "order", [{ callId: "E2", tool: "order", isWrite: true }]],
  ["llm-compiler", "order", [{ callId: "E2", tool: "order", isWrite: true }]],
  [
    "plan-execute",
    "price",
    [
      { callId: "S1", tool: "executor", isWrite: false },
      { callId: "price-1", tool: "price", isWrite: false },
    ],
  ],
  [
    "plan-execute",
    "order",
    [
      { callId: "S1", tool: "executor", isWrite: false },
      { callId: "order-1", tool: "order", isWrite: true },
    ],
  ],
] as const;

const savers = [
  { saver: "MemorySaver", open: () => new MemorySaver() },
  { saver: "SqliteSaver", open: openSqlite },
] as const;

function openSqlite(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(":memory:");
  onTestFinished(() => void saver.db.close());
  return saver;
}

describe.each(savers)("with a $saver", ({ open }) => {
  it.each(inFlight)("%s says that %s was at work", async (name, stuck, calls) => {
    const saver = open();
    const create = shops.find((shop) => shop.name === name)?.create;
    assert(create !== undefined);
    const { graph, stopped } = stuckShop(create, stuck, saver);
    const before = Date.now();
    await expect(graph.invoke(question, stopped)).rejects.toThrow("abort");
    const [found, ...more] = await unfinishedRuns(saver);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ threadId: "1", graph: name, status: "stopped", requests: [] });
    expect(found?.inFlight).toEqual(calls);
    expect(found?.startedAt).toBeGreaterThanOrEqual(before);
    expect(found?.lastCheckpointAt).toBeGreaterThanOrEqual(before);
    expect(found?.lastCheckpointAt).toBeLessThanOrEqual(Date.now());
  });

  it("of many threads those are told that have not ended, and of these only those asked for", async () => {
    const saver = open();
    const ended = createReactGraph({ models: scriptedModel(() => "Yes."), checkpointer: saver });
    for (const id of ["a", "b", "a"]) await ended.invoke(question, thread(id));
    const asks = { toolCalls: [{ name: "ask_user", args: { question: "Which?" } }] };
    const asking = createReactGraph({
      models: scriptedModel(() => asks),
      tools: [askUser],
      checkpointer: saver,
    });
    await asking.invoke(question, thread("b"));
    await asking.invoke(question, thread("c"));
    const all = await unfinishedRuns(saver);
    expect(new Map(all.map(({ threadId, status }) => [threadId, status]))).toEqual(
      new Map([
        ["b", "paused"],
        ["c", "paused"],
      ]),
    );
    expect(all[0]?.requests[0]?.action_requests[0]?.description).toBe("Which?");
    const some = await unfinishedRuns(saver, { threadIds: ["a", "c", "none"] });
    expect(some.map(({ threadId }) => threadId)).toEqual(["c"]);
  });
});

it("a misspelt option is refused: without it, all threads would be looked at", async () => {
  const finding: Promise<unknown> = Reflect.apply(unfinishedRuns, undefined, [
    new MemorySaver(),
    { threadId: ["a"] },
  ]);
  await expect(finding).rejects.toThrow(/there is no "threadId"\. Did you mean threadIds\?/);
});

it("a run whose answer came is no longer paused, also where the one before could not be used", async () => {
  const checkpointer = new DyingSaver();
  const { tools } = countingTools("price");
  const models = scriptedModel((messages) =>
    messages.some(isToolMessage) ? "Done." : call("price"),
  );
  const graph = createReactGraph({
    models,
    tools,
    toolPolicies: { price: { needsApproval: true, effect: "read" } },
    checkpointer,
  });
  const status = async () => (await unfinishedRuns(checkpointer)).map((run) => run.status);
  const answer = async (type: string) =>
    graph.invoke(new Command({ resume: { decisions: [{ type }] } }), thread());
  await graph.invoke(question, thread());
  expect(await status()).toEqual(["paused"]);
  await answer("no such answer");
  expect(await status()).toEqual(["paused"]);
  checkpointer.left = 1;
  await expect(answer("approve")).rejects.toThrow("the program stopped");
  checkpointer.left = Infinity;
  expect(await unfinishedRuns(checkpointer)).toMatchObject([
    { status: "stopped", inFlight: [{ callId: "price-1", isWrite: false }], requests: [] },
  ]);
  expect((await graph.invoke(null, thread())).answer).toBe("Done.");
  expect(await status()).toEqual([]);
});

it("a question that no node has seen is a run without a record, whatever the thread holds", async () => {
  const checkpointer = new DyingSaver();
  const models = scriptedModel(() => "Yes.");
  const graph = createReactGraph({ models, checkpointer });
  await graph.invoke(question, thread());
  checkpointer.left = 1;
  await expect(graph.invoke(question, thread())).rejects.toThrow("the program stopped");
  const [found] = await unfinishedRuns(checkpointer);
  expect(found).toMatchObject({ status: "stopped", nodes: ["__start__"], inFlight: [] });
  expect(found).not.toHaveProperty("graph");
  expect(found).not.toHaveProperty("startedAt");
});

it("a run inside a graph of another make is told with what was at work in it", async () => {
  const saver = new MemorySaver();
  const create = ({ tools, toolPolicies: policies }: Shared) =>
    new StateGraph(MessagesAnnotation)
      .addNode(
        "shop",
        createReactGraph({ tools, toolPolicies: policies, models: scriptedModel(buyer) }),
      )
      .addEdge(START, "shop")
      .addEdge("shop", END)
      .compile({ checkpointer: saver });
  const abort = new AbortController();
  const { tools } = countingTools("price");
  const order = tool(
    async () => {
      abort.abort();
      return new Promise<string>(() => {});
    },
    { name: "order", description: "Orders.", schema: z.object({ item: z.string() }) },
  );
  const host = create({ tools: [...tools, order], toolPolicies, checkpointer: saver });
  await expect(host.invoke(question, { ...thread(), signal: abort.signal })).rejects.toThrow(
    "abort",
  );
  const [found] = await unfinishedRuns(saver);
  expect(found).toMatchObject({ status: "stopped", nodes: ["shop"] });
  expect(found?.inFlight).toEqual([{ callId: "order-1", tool: "order", isWrite: true }]);
  expect(found).not.toHaveProperty("graph");
});
