import { once } from "node:events";

import type { RunnableConfig } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import {
  Command,
  emptyCheckpoint,
  END,
  MessagesAnnotation,
  MessagesDeltaValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { asTool, createPlanExecuteGraph, createReactGraph, withPolicy } from "../../src/index.js";
import { pruneCheckpoints } from "../../src/sqlite/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";
import { calling, taskModels } from "../support/task-models.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const thread = (id: string) => ({ configurable: { thread_id: id } });

function openSaver(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(":memory:");
  onTestFinished(() => void saver.db.close());
  return saver;
}

/** Checkpoints and writes by thread, namespaces told by their depth. */
function countsIn({ db }: SqliteSaver): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const table of ["checkpoints", "writes"]) {
    const rows: unknown = db.prepare(`SELECT thread_id, checkpoint_ns AS ns FROM ${table}`).all();
    const Row = z.object({ thread_id: z.string(), ns: z.string() });
    for (const { thread_id, ns } of z.array(Row).parse(rows)) {
      const key = `${table} of ${thread_id}${ns === "" ? "" : ` at depth ${ns.split("|").length}`}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}

it("of every thread the newest stay, and the thread goes on as it was", async () => {
  const checkpointer = openSaver();
  const models = scriptedModel(({ length }) => `Answer to ${length - 1} messages.`);
  const graph = createReactGraph({ models, checkpointer });
  for (const id of ["a", "a", "a", "b"]) await graph.invoke(ask("q"), thread(id));
  const before = await graph.getState(thread("a"));
  expect(countsIn(checkpointer)).toMatchObject({ "checkpoints of a": 15, "checkpoints of b": 5 });
  expect(await pruneCheckpoints(checkpointer, { keep: 2 })).toEqual({
    threads: 2,
    removed: 16,
    kept: 4,
  });
  const { "writes of a": writes, ...counts } = countsIn(checkpointer);
  expect(counts).toMatchObject({ "checkpoints of a": 2, "checkpoints of b": 2 });
  expect(writes).toBeLessThan(10);
  expect(await graph.getState(thread("a"))).toEqual(before);
  const { answer } = await graph.invoke(ask("q"), thread("a"));
  expect(answer).toBe("Answer to 7 messages.");
  expect(await pruneCheckpoints(checkpointer, { keep: 100 })).toMatchObject({ removed: 0 });
});

it("one thread alone is pruned", async () => {
  const checkpointer = openSaver();
  const graph = createReactGraph({ models: scriptedModel(() => "Yes."), checkpointer });
  for (const id of ["a", "b"]) await graph.invoke(ask("q"), thread(id));
  const pruned = await pruneCheckpoints(checkpointer, { keep: 1, threadId: "b" });
  expect(pruned).toEqual({ threads: 1, removed: 4, kept: 1 });
  expect(countsIn(checkpointer)).toMatchObject({ "checkpoints of a": 5, "checkpoints of b": 1 });
  const none = await pruneCheckpoints(checkpointer, { keep: 1, threadId: "c" });
  expect(none).toEqual({ threads: 0, removed: 0, kept: 0 });
});

it.each([0, -1, 1.5, Number.NaN])("to keep %d checkpoints is refused", async (keep) => {
  const pruning = pruneCheckpoints(openSaver(), { keep });
  await expect(pruning).rejects.toThrow(`keep must be a whole number from 1, got ${keep}.`);
});

it("a misspelt option is refused: without it, all threads would be pruned", async () => {
  const options = { keep: 1, threadID: "a" };
  const said = /there is no "threadID"\. Did you mean threadId\?/;
  await expect(pruneCheckpoints(openSaver(), options)).rejects.toThrow(said);
});

it("a thread that is paused inside a sub-run goes on, and what finished sub-runs left goes", async () => {
  const checkpointer = openSaver();
  const anna = shopAgent("anna", [["tea"], ["milk"]]);
  const { graph } = askingAgent([anna.tool], { checkpointer });
  const resume = { decisions: [{ type: "approve" }] };
  await graph.invoke(ask("go"), thread("a"));
  await pruneCheckpoints(checkpointer, { keep: 1 });
  expect(countsIn(checkpointer)).toMatchObject({ "checkpoints of a": 1 });
  await graph.invoke(new Command({ resume }), thread("a"));
  await pruneCheckpoints(checkpointer, { keep: 1 });
  const done = await graph.invoke(new Command({ resume }), thread("a"));
  expect(done).toMatchObject({ answer: "Done.", usage: { modelCalls: 6, toolCalls: 4 } });
  expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
  expect(Object.keys(countsIn(checkpointer)).join()).toContain("at depth");
  await pruneCheckpoints(checkpointer, { keep: 1 });
  expect(Object.keys(countsIn(checkpointer)).join()).not.toContain("at depth");
});

it("a run that was called off inside a step goes on without making a finished call again", async () => {
  const checkpointer = openSaver();
  const { runs, tools } = countingTools("price");
  const abort = new AbortController();
  const stop = tool(
    async ({ item }, { signal }) => {
      runs.push(`stop ${item}`);
      if (runs.filter((run) => run.startsWith("stop")).length > 1) return "stopped";
      abort.abort();
      if (signal?.aborted === false) await once(signal, "abort");
      throw new Error("called off");
    },
    { name: "stop", description: "Calls the run off.", schema: z.object({ item: z.string() }) },
  );
  const models = taskModels(
    [taskPlanText({ task: "One", after: [] }, { task: "Two", after: ["S1"] })],
    {
      One: [calling("price", "tea"), "Three euros."],
      Two: [calling("price", "milk"), calling("stop", "it"), "Stopped."],
    },
    [respondWith("All done.")],
  );
  const graph = createPlanExecuteGraph({ models, tools: [...tools, stop], checkpointer });
  const config = { ...thread("a"), signal: abort.signal };
  await expect(graph.invoke(ask("go"), config)).rejects.toThrow(/abort/i);
  await pruneCheckpoints(checkpointer, { keep: 1 });
  const done = await graph.invoke(null, thread("a"));
  expect(done.answer).toBe("All done.");
  expect(runs).toEqual(["price tea", "price milk", "stop it", "stop it"]);
});

it("a write that was called off while it ran is still in doubt", async () => {
  const checkpointer = openSaver();
  const abort = new AbortController();
  const pay = tool(
    async (_, { signal }) => {
      abort.abort();
      if (signal?.aborted === false) await once(signal, "abort");
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const models = scriptedModel([{ toolCalls: [{ name: "pay", args: {} }] }, "I shall ask."]);
  const tools = [withPolicy(pay, { effect: "write" })];
  const inner = asTool(createReactGraph({ models, tools }), { name: "payer", description: "d" });
  const { graph } = askingAgent([inner], { checkpointer });
  const config = { ...thread("a"), signal: abort.signal };
  await expect(graph.invoke(ask("go"), config)).rejects.toThrow(/abort/i);
  await pruneCheckpoints(checkpointer, { keep: 1 });
  const paused = await graph.invoke(null, thread("a"));
  expect(asked(paused).action_requests).toMatchObject([
    {
      description: "payer: pay may already have been run before the program stopped. Run it again?",
    },
  ]);
});

it("the memory that a graph keeps inside another one stays", async () => {
  const checkpointer = openSaver();
  const models = scriptedModel(({ length }) => `Answer to ${length - 1} messages.`);
  const host = new StateGraph(MessagesAnnotation)
    .addNode("expert", createReactGraph({ models, checkpointer: true }))
    .addEdge(START, "expert")
    .addEdge("expert", END)
    .compile({ checkpointer });
  for (let turn = 0; turn < 3; turn += 1) await host.invoke(ask("q"), thread("a"));
  const before = countsIn(checkpointer)["checkpoints of a at depth 1"];
  await pruneCheckpoints(checkpointer, { keep: 1 });
  expect([before, countsIn(checkpointer)["checkpoints of a at depth 1"]]).toEqual([15, 1]);
  const { messages } = await host.invoke(ask("q"), thread("a"));
  expect(messages.at(-1)?.text).toBe("Answer to 7 messages.");
});

it("a thread that LangGraph keeps as changes stays whole", async () => {
  const checkpointer = openSaver();
  const graph = new StateGraph(new StateSchema({ messages: MessagesDeltaValue }))
    .addNode("say", () => ({ messages: [] }))
    .addEdge(START, "say")
    .addEdge("say", END)
    .compile({ checkpointer });
  for (let turn = 0; turn < 3; turn += 1) await graph.invoke(ask("q"), thread("a"));
  expect(await pruneCheckpoints(checkpointer, { keep: 1 })).toMatchObject({ removed: 0 });
  const { messages } = await graph.invoke(ask("q"), thread("a"));
  expect(messages).toHaveLength(4);
});

it("what an older version of LangGraph kept with the checkpoint before is still found", async () => {
  const saver = openSaver();
  const metadata = { source: "loop", step: 0, parents: {} } as const;
  let config: RunnableConfig = thread("a");
  for (const id of ["1", "2", "3"]) {
    config = await saver.put({ ...config }, { ...emptyCheckpoint(), v: 3, id }, metadata);
    await saver.putWrites(config, [["__pregel_tasks", `sent after ${id}`]], "task");
  }
  expect(await pruneCheckpoints(saver, { keep: 1 })).toMatchObject({ removed: 2, kept: 1 });
  const tuple = await saver.getTuple(thread("a"));
  expect(tuple?.checkpoint.channel_values).toEqual({ __pregel_tasks: ["sent after 2"] });
  expect(countsIn(saver)).toEqual({ "checkpoints of a": 1, "writes of a": 2 });
});
