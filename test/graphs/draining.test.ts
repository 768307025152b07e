import {
  type BaseCheckpointSaver,
  END,
  GraphDrained,
  MemorySaver,
  MessagesAnnotation,
  RunControl,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import type { Runnable } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";

import {
  type AgentGraph,
  asTool,
  createLlmCompilerGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  unfinishedRuns,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable } from "../support/hosts.js";
import { finishWith, planText, readingTools, stepOf } from "../support/plans.js";
import { someOf } from "../support/rows.js";
import { type Scene, scenes } from "../support/scenes.js";
import { calling } from "../support/task-models.js";
import { choice } from "../support/two-routes.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const thread = { configurable: { thread_id: "1" } };

/** A config that drains its run while the call with this number begins; models and tools count alike. */
function drainingAt(number: number) {
  const control = new RunControl();
  let calls = 0;
  const begun = () => {
    calls += 1;
    if (calls === number) control.requestDrain("shutdown");
  };
  const handler = { handleChatModelStart: begun, handleToolStart: begun, awaitHandlers: true };
  return { ...thread, control, callbacks: [handler] };
}

/** The places in which a graph drains, each with the record in `checkpointer`. */
const places: {
  readonly [name: string]: (graph: AgentGraph, checkpointer: BaseCheckpointSaver) => unknown;
} = {
  "as a subgraph node": (graph, checkpointer) =>
    new StateGraph(MessagesAnnotation)
      .addNode("host", asRunnable(graph))
      .addEdge(START, "host")
      .addEdge("host", END)
      .compile({ checkpointer }),
  "as a route": (graph, checkpointer) =>
    createRouterGraph({
      models: scriptedModel([choice("inner")]),
      routes: {
        inner: { description: "All.", graph },
        none: { description: "Nothing.", graph: createReactGraph({ models: scriptedModel([]) }) },
      },
      checkpointer,
    }),
  "as a tool": (graph, checkpointer) =>
    createReactGraph({
      models: scriptedModel((messages) => {
        const last = messages.at(-1);
        if (last?.type === "tool") return last.text;
        return { toolCalls: [{ name: "expert", args: { question: "Tea?" }, id: "ask" }] };
      }),
      tools: [asTool(graph, { name: "expert", description: "Knows." })],
      checkpointer,
    }),
};

/** A scene in a place, ready to run. */
type Staged = {
  readonly graph: Runnable;
  readonly runs: readonly string[];
  readonly assertExhausted: () => void;
};

function staged({ create, replies }: Scene, place?: (typeof places)[string]): Staged {
  const { runs, tools } = countingTools("price", "stock");
  const models = scriptedModel(replies);
  const checkpointer = new MemorySaver();
  const graph =
    place === undefined
      ? create({ models, tools, checkpointer })
      : place(create({ models, tools }), checkpointer);
  return { graph: asRunnable(graph), runs, assertExhausted: () => models.assertExhausted() };
}

/** The end of a run that drained; any other error is thrown. */
function drained(error: unknown): "drained" {
  if (error instanceof GraphDrained) return "drained";
  throw error;
}

/** What a run that drained must have in common with one that did not. */
function endOf({ messages, usage, outcome }: Record<string, unknown>) {
  const last: unknown = Array.isArray(messages) ? messages.at(-1)?.text : undefined;
  return { last, usage, outcome };
}

const everyPlace = [...Object.entries(places), ["by itself", undefined] as const];

describe.each(everyPlace.map(([name, place], turn) => ({ name, place, turn })))(
  "a graph that drains, $name,",
  ({ place, turn }) => {
    it.each(someOf(scenes, 3, turn))(
      "$name, makes every call once, whichever call it drains in",
      async (scene) => {
        const whole = endOf(await staged(scene, place).graph.invoke(ask, thread));
        let drains = 0;
        let resumes = 0;
        while (drains < 20) {
          const { graph, runs, assertExhausted } = staged(scene, place);
          const config = drainingAt(drains + 1);
          const ended = await graph.invoke(ask, config).catch(drained);
          if (!config.control.drainRequested) break;
          drains += 1;
          if (ended === "drained") resumes += 1;
          // A drain in the last superstep stops nothing.
          const done = ended === "drained" ? await graph.invoke(null, thread) : ended;
          expect(endOf(done)).toEqual(whole);
          expect(runs).toEqual(scene.runs);
          assertExhausted();
        }
        const calls = scene.replies.length + scene.runs.length;
        expect(drains).toBeGreaterThanOrEqual(calls);
        expect(resumes).toBeGreaterThanOrEqual(calls - 1);
      },
    );
  },
);

it.each(scenes)("$name comes to its end when every second call drains it", async (scene) => {
  const { graph, runs, assertExhausted } = staged(scene);
  let ended: unknown = await graph.invoke(ask, drainingAt(2)).catch(drained);
  for (let rest = 20; rest > 0 && ended === "drained"; rest -= 1) {
    ended = await graph.invoke(null, drainingAt(2)).catch(drained);
  }
  expect(ended).toMatchObject({ answer: scene.answer });
  expect(runs).toEqual(scene.runs);
  assertExhausted();
});

const three = ["tea", "milk", "salt"];

it.each([
  {
    name: "react",
    create: createReactGraph,
    replies: [
      { toolCalls: three.map((item) => ({ name: "price", args: { item }, id: item })) },
      "Done.",
    ],
  },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: [planText(...three.map((item) => stepOf("price", item))), "Done."],
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    replies: [planText(...three.map((item) => stepOf("price", item))), finishWith("Done.")],
  },
])("$name begins no call that waits for a slot while it drains", async ({ create, replies }) => {
  const { runs, tools } = readingTools("price");
  const models = scriptedModel(replies);
  const graph = create({ models, tools, concurrency: 1, checkpointer: new MemorySaver() });
  await expect(graph.invoke(ask, drainingAt(2))).rejects.toThrow("Graph drained: shutdown");
  expect(runs).toEqual(["price tea"]);
  const done = await graph.invoke(null, thread);
  expect(done).toMatchObject({ answer: "Done.", usage: { modelCalls: 2, toolCalls: 3 } });
  expect(runs).toEqual(["price tea", "price milk", "price salt"]);
  models.assertExhausted();
});

it("a write whose turn comes while the run drains is made on resume, without a question", async () => {
  const { runs, tools } = countingTools("price", "order");
  const models = scriptedModel([
    { toolCalls: [...calling("price", "tea").toolCalls, ...calling("order", "tea").toolCalls] },
    "Ordered.",
  ]);
  const checkpointer = new MemorySaver();
  const toolPolicies = { price: { effect: "read" }, order: { effect: "write" } } as const;
  const graph = createReactGraph({ models, tools, toolPolicies, checkpointer });
  await expect(graph.invoke(ask, drainingAt(2))).rejects.toThrow(GraphDrained);
  expect(runs).toEqual(["price tea"]);
  expect(await unfinishedRuns(checkpointer)).toMatchObject([{ threadId: "1" }]);
  const done = await graph.invoke(null, thread);
  expect(done).toMatchObject({ answer: "Ordered.", outcome: { status: "answered" } });
  expect(runs).toEqual(["price tea", "order tea"]);
});

it("a graph without a record of its own ends before the run drains that it works for", async () => {
  const { runs, tools } = countingTools("price", "stock");
  const inner = scriptedModel([calling("price", "tea"), calling("stock", "tea"), "In stock."]);
  const expert = createReactGraph({ models: inner, tools, checkpointer: false });
  const models = scriptedModel([
    { toolCalls: [{ name: "expert", args: { question: "Tea?" }, id: "ask" }] },
    "Passed on.",
  ]);
  const graph = createReactGraph({
    models,
    tools: [asTool(expert, { name: "expert", description: "Knows." })],
    checkpointer: new MemorySaver(),
  });
  await expect(graph.invoke(ask, drainingAt(3))).rejects.toThrow(GraphDrained);
  expect(runs).toEqual(["price tea", "stock tea"]);
  const done = await graph.invoke(null, thread);
  expect(done).toMatchObject({ answer: "Passed on.", usage: { modelCalls: 5, toolCalls: 3 } });
  expect(runs).toEqual(["price tea", "stock tea"]);
});

it("a graph without a checkpointer drains as LangGraph's graphs do", async () => {
  const { runs, tools } = countingTools("price");
  const models = scriptedModel([calling("price", "tea"), "Done."]);
  const graph = createReactGraph({ models, tools });
  await expect(graph.invoke(ask, drainingAt(1))).rejects.toThrow(GraphDrained);
  expect(runs).toEqual([]);
});

// Why `stopIfDraining`. When this fails, LangGraph has changed: see whether it is still needed.
it("plain LangGraph begins every task of a superstep while it drains", async () => {
  const control = new RunControl();
  const runs: string[] = [];
  const made = task("made", async (name: string) => {
    runs.push(name);
    control.requestDrain();
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("node", async () => {
      await made("A");
      await made("B");
      return {};
    })
    .addEdge(START, "node")
    .addEdge("node", END)
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke(ask, { ...thread, control });
  expect(runs).toEqual(["A", "B"]);
});
