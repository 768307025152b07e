import { getEventListeners, getMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import {
  Annotation,
  Command,
  END,
  type GraphNode,
  interrupt,
  INTERRUPT,
  isGraphBubbleUp,
  isInterrupted,
  MemorySaver,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { getInputTypeSchema } from "@langchain/langgraph/zod/schema";
import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";

// Each test shows why code of ours works around LangGraph, and names that code. When one fails, LangGraph has
// changed: see whether the code is still needed.

const State = Annotation.Root({ out: Annotation<string>() });
const thread = { configurable: { thread_id: "raw" } };

/** A plain graph of one node. */
function oneNode(node: GraphNode<typeof State>, checkpointer?: MemorySaver) {
  return new StateGraph(State)
    .addNode("node", node)
    .addEdge(START, "node")
    .addEdge("node", END)
    .compile(checkpointer === undefined ? {} : { checkpointer });
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a paused graph asks. */
function asksIn(result: unknown) {
  return isInterrupted(result) ? result[INTERRUPT] : [];
}

// What a resume of ours relies on; before 1.7 a subgraph ran its finished tasks again.
it("a plain LangGraph subgraph takes its finished tasks from record on resume", async () => {
  const runs: string[] = [];
  const step = (name: string) =>
    task(name, async () => {
      runs.push(name);
      return name;
    })();
  const inner = new StateGraph(State)
    .addNode("steps", async () => {
      await Promise.all([step("A"), step("B")]);
      return { out: String(interrupt("go on?")) };
    })
    .addEdge(START, "steps")
    .addEdge("steps", END)
    .compile();
  const outer = new StateGraph(State)
    .addNode("inner", inner)
    .addEdge(START, "inner")
    .addEdge("inner", END)
    .compile({ checkpointer: new MemorySaver() });
  await outer.invoke({ out: "" }, thread);
  await outer.invoke(new Command({ resume: "yes" }), thread);
  expect(runs).toEqual(["A", "B"]);
});

// Why `interruptAfterNodes`.
it("plain LangGraph drops the tasks of a node that it is to stop after", async () => {
  const seen: unknown[] = [];
  const made = task("made", async () => "made");
  const graph = new StateGraph(State)
    .addNode("first", () => ({ out: "" }))
    .addNode("steps", async () => {
      seen.push(await made());
      return { out: "" };
    })
    .addEdge(START, "first")
    .addEdge("first", "steps")
    .addEdge("steps", END)
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ out: "" }, thread);
  await graph.invoke({ out: "" }, { ...thread, interruptAfter: ["steps"] });
  expect(seen).toEqual(["made", undefined]);
});

// Why a crashed run is resumed first and its state changed afterwards.
it.each([
  { name: "keeps", isUpdated: false, runs: ["made"] },
  { name: "with its state updated forgets", isUpdated: true, runs: ["made", "made"] },
])("plain LangGraph $name the finished tasks of a node that was cut off", async (row) => {
  const runs: string[] = [];
  const made = task("made", async () => runs.push("made"));
  const cuts = [new Error("cut off")];
  const graph = new StateGraph(State)
    .addNode("first", () => ({ out: "" }))
    .addNode("steps", async () => {
      await made();
      const cut = cuts.pop();
      if (cut !== undefined) throw cut;
      return { out: "" };
    })
    .addEdge(START, "first")
    .addEdge("first", "steps")
    .addEdge("steps", END)
    .compile({ checkpointer: new MemorySaver() });
  await expect(graph.invoke({ out: "" }, thread)).rejects.toThrow("cut off");
  if (row.isUpdated) await graph.updateState(thread, { out: "" }, "first");
  await graph.invoke(null, thread);
  expect(runs).toEqual(row.runs);
});

// Why `boundResume` answers the questions of a graph in another make's graph by their ids.
it.each([
  { name: "plainly", isById: false, asked: [] },
  { name: "by its id", isById: true, asked: ["second?"] },
])(
  "after a crash plain LangGraph gives a subgraph's next question what was answered $name",
  async (row) => {
    const cuts = [new Error("cut off")];
    const inner = new StateGraph(State)
      .addNode("first", () => ({ out: String(interrupt("first?")) }))
      .addNode("second", () => {
        const cut = cuts.pop();
        if (cut !== undefined) throw cut;
        return { out: String(interrupt("second?")) };
      })
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", END)
      .compile();
    const outer = new StateGraph(State)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .addEdge("inner", END)
      .compile({ checkpointer: new MemorySaver() });
    const [{ id = "" } = {}] = asksIn(await outer.invoke({ out: "" }, thread));
    const resume = row.isById ? { [id]: "yes" } : "yes";
    await expect(outer.invoke(new Command({ resume }), thread)).rejects.toThrow("cut off");
    const next = asksIn(await outer.invoke(null, thread));
    expect(next.map(({ value }) => value)).toEqual(row.asked);
  },
);

// Why `compileGraph` raises the recursion limit at every entry.
it("plain LangGraph holds a subgraph to the limit of its caller, whatever it was compiled with", async () => {
  const inner = new StateGraph(Annotation.Root({ left: Annotation<number>() }))
    .addNode("loop", ({ left }) => ({ left: left - 1 }))
    .addEdge(START, "loop")
    .addConditionalEdges("loop", ({ left }) => (left > 0 ? "loop" : END))
    .compile()
    .withConfig({ recursionLimit: 100 });
  const outer = oneNode(async (_state, config) => {
    await inner.invoke({ left: 30 }, config);
    return {};
  });
  expect(await inner.invoke({ left: 30 })).toEqual({ left: 0 });
  await expect(outer.invoke({ out: "" })).rejects.toThrow("Recursion limit of 25");
});

const wait = async () => {
  await sleep(20);
  return {};
};
const waiting = oneNode(wait);
const waitingTask = task("wait", wait);

/** Newer Nodes do not warn: the code goes with the last one that does. */
const warns = getMaxListeners(new AbortController().signal) > 0;

// Why `allowManyListeners`, and why `inTask` lets any number of tasks listen.
it.runIf(warns).each<{ name: string; run: GraphNode<typeof State> }>([
  { name: "graphs", run: async (state, config) => waiting.invoke(state, config) },
  { name: "tasks", run: async () => waitingTask() },
])("plain LangGraph adds a listener for each of the $name that run at once", async ({ run }) => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  const graph = oneNode(async (state, config) => {
    await Promise.all(Array.from({ length: 15 }, async () => run(state, config)));
    return {};
  });
  await graph.invoke({ out: "" }, { signal: new AbortController().signal });
  expect(String(warned.mock.calls[0]?.[0])).toContain("11 abort listeners added");
});

// Why `compileGraph` gives a run a signal of its own.
it("plain LangGraph goes on listening to the caller's signal when the run has ended", async () => {
  const { signal } = new AbortController();
  for (let run = 0; run < 3; run += 1) await waiting.invoke({ out: "" }, { signal });
  expect(getEventListeners(signal, "abort")).toHaveLength(3);
});

// Why `showSchemas`.
it("plain LangGraph shows no schema of a state of annotations", () => {
  const graph = new StateGraph(State, z.object({ model: z.string() }))
    .addNode("node", () => ({ out: "" }))
    .addEdge(START, "node")
    .addEdge("node", END)
    .compile();
  expect(getInputTypeSchema(graph)).toBeUndefined();
});

// Why `compileGraph` replaces `_validateContext`.
it("plain LangGraph checks a host's context by a subgraph's schema", async () => {
  const inner = new StateGraph(State, z.object({ model: z.string() }))
    .addNode("node", () => ({ out: "done" }))
    .addEdge(START, "node")
    .addEdge("node", END)
    .compile();
  const outer = new StateGraph(State, z.object({ user: z.string() }))
    .addNode("inner", async (state) => inner.invoke(state))
    .addEdge(START, "inner")
    .addEdge("inner", END)
    .compile();
  const ended = outer.invoke({ out: "" }, { context: { user: "Ada" } });
  await expect(ended).rejects.toThrow("expected string, received undefined");
});

// Why `compileGraph` replaces `withConfig`.
it("plain LangGraph makes a new graph of one with a config", () => {
  const graph = Object.assign(oneNode(wait), { isWrapped: true });
  expect(graph.withConfig({ tags: ["a"] })).not.toHaveProperty("isWrapped");
});

// Why `withNoDecisions`, and why intake resets what belongs to one run.
it("plain LangGraph keeps a value of the run before where the input has none", async () => {
  const Two = Annotation.Root({ out: Annotation<string>(), decisions: Annotation<string>() });
  const graph = new StateGraph(Two)
    .addNode("node", () => ({ out: "done" }))
    .addEdge(START, "node")
    .addEdge("node", END)
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ out: "", decisions: "old" }, thread);
  expect(await graph.invoke({ out: "" }, thread)).toEqual({ out: "done", decisions: "old" });
});

/** A graph whose first node is heard of at once and whose second takes a while, with what its nodes did. */
function slowGraph() {
  const did: string[] = [];
  const graph = new StateGraph(State)
    .addNode("first", () => ({ out: "first" }))
    .addNode("second", async (_state, { signal }) => {
      did.push("begun");
      await sleep(150);
      did.push(signal?.aborted ? "aborted" : "done");
      return {};
    })
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", END)
    .compile();
  return { graph, did };
}

// Why `cancellableStream`: a run that its reader left has stopped when the loop is over.
it("plain LangGraph does not wait for a run that its reader has left", async () => {
  const { graph, did } = slowGraph();
  for await (const _ of await graph.stream({ out: "" }, { streamMode: "updates" })) break;
  expect(did).not.toContain("aborted");
  await expect.poll(() => did).toEqual(["begun", "aborted"]);
});

// Why `cancellableStream` stands around events too.
it("plain LangGraph throws at a reader who leaves its events", async () => {
  const { graph } = slowGraph();
  const leave = async () => {
    for await (const { event, name } of graph.streamEvents({ out: "" }, { version: "v2" })) {
      if (event === "on_chain_start" && name === "second") break;
    }
  };
  await expect(leave()).rejects.toThrow("aborted");
});

// Why `abortableRun`.
it("the abort of a version 3 stream of plain LangGraph stops nothing", async () => {
  const { graph, did } = slowGraph();
  const run = await graph.streamEvents({ out: "" }, { version: "v3" });
  await expect.poll(() => did, { interval: 5 }).toEqual(["begun"]);
  run.abort("enough");
  await expect.poll(() => did).toEqual(["begun", "done"]);
});

// Why `isControlFlow`.
it("plain LangGraph takes data for its control flow, and fails on null", () => {
  const isFlow: (error: unknown) => boolean = isGraphBubbleUp;
  expect(isFlow({ is_bubble_up: true })).toBe(true);
  expect(() => isFlow(null)).toThrow(TypeError);
});

// Why tasks are called in plan order and named after what they do.
it("plain LangGraph knows a task by its name and order, not by its arguments", async () => {
  const seen: string[] = [];
  const look = task("look", async (at: string) => at);
  const orders = [
    ["A", "B"],
    ["B", "A"],
  ];
  const graph = oneNode(async () => {
    for (const at of orders.shift() ?? []) seen.push(`${at}: ${await look(at)}`);
    return { out: String(interrupt("go on?")) };
  }, new MemorySaver());
  await graph.invoke({ out: "" }, thread);
  await graph.invoke(new Command({ resume: "yes" }), thread);
  expect(seen).toEqual(["A: A", "B: B", "B: A", "A: B"]);
});

// Why nothing of ours interrupts inside a task.
it("plain LangGraph shows one of two tasks that interrupt, and gives both its answer", async () => {
  const ask = task("ask", async (question: string) => String(interrupt(question)));
  const graph = oneNode(
    async () => ({ out: (await Promise.all([ask("a?"), ask("b?")])).join(" ") }),
    new MemorySaver(),
  );
  expect(asksIn(await graph.invoke({ out: "" }, thread)).map(({ value }) => value)).toEqual(["a?"]);
  expect(await graph.invoke(new Command({ resume: "yes" }), thread)).toEqual({ out: "yes yes" });
});

// Why a write goes on record in a superstep of its own before it starts.
it("plain LangGraph goes on before the result of a task is on record", async () => {
  const did: string[] = [];
  class SlowSaver extends MemorySaver {
    override async putWrites(...args: Parameters<MemorySaver["putWrites"]>): Promise<void> {
      await sleep(20);
      did.push(...args[1].map(([channel]) => channel));
      await super.putWrites(...args);
    }
  }
  const made = task("made", async () => "made");
  const graph = oneNode(async () => {
    await made();
    did.push("goes on");
    return { out: "" };
  }, new SlowSaver());
  await graph.invoke({ out: "" }, { ...thread, durability: "sync" });
  expect(did.indexOf("goes on")).toBeLessThan(did.indexOf("__return__"));
});

// Why `pruneCheckpoints`.
it("LangGraph's savers delete whole threads, and no checkpoints of one", () => {
  expect(SqliteSaver.prototype).toHaveProperty("deleteThread");
  expect(SqliteSaver.prototype).not.toHaveProperty("prune");
});
