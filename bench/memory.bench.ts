// Memory of one process over many short runs: `npm run bench:memory`. Every graph, with a thread of its own for each
// run that is deleted behind it and without a checkpointer; what is used after a collection should not grow. The
// offline model is the model, so that nothing but the library, LangGraph and LangChain can keep anything.
import { MemorySaver } from "@langchain/langgraph";

import {
  calculator,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
} from "../src/index.js";
import { tableRow } from "./table.js";

const runs = Number(process.env["BENCH_RUNS"] ?? 10_000);
const samples = 10;

type Input = { messages: { role: "user"; content: string }[] };
type Config = { configurable: { thread_id: string }; signal?: AbortSignal };
type Graph = {
  invoke(
    input: Input,
    config: Config,
  ): Promise<{ readonly outcome?: { readonly status: string } | undefined }>;
  stream(
    input: Input,
    config: Config & { streamMode: ["custom", "messages"] },
  ): Promise<AsyncIterable<unknown>>;
};
type Kept = { readonly checkpointer?: MemorySaver };

const options = { models: "offline", tools: [calculator] } as const;
const creators: readonly (readonly [name: string, create: (kept: Kept) => Graph])[] = [
  ["react", (kept) => createReactGraph({ ...options, ...kept })],
  ["rewoo", (kept) => createRewooGraph({ ...options, ...kept })],
  ["llm-compiler", (kept) => createLlmCompilerGraph({ ...options, ...kept })],
  ["plan-execute", (kept) => createPlanExecuteGraph({ ...options, ...kept })],
  [
    "router, to react",
    (kept) =>
      createRouterGraph({
        models: "offline",
        ...kept,
        routes: {
          sums: { description: "Sums.", graph: createReactGraph(options), when: /\*/ },
          others: { description: "All else.", graph: createReactGraph(options) },
        },
      }),
  ],
];

/** One short run on a thread of its own. */
type RunOnce = (input: Input, config: Config) => Promise<void>;
type Contender = readonly [name: string, run: RunOnce];

function invoking(graph: Graph, saver?: MemorySaver): RunOnce {
  return async (input, config) => {
    const { outcome } = await graph.invoke(input, config);
    if (outcome?.status !== "answered") throw new Error(`The run ended ${outcome?.status}.`);
    await saver?.deleteThread(config.configurable.thread_id);
  };
}

/** As a server runs it: streamed, and called off by the signal that calls everything off. */
function streaming(graph: Graph): RunOnce {
  const { signal } = new AbortController();
  return async (input, config) => {
    const streamMode: ["custom", "messages"] = ["custom", "messages"];
    let count = 0;
    for await (const _ of await graph.stream(input, { ...config, signal, streamMode })) count += 1;
    if (count === 0) throw new Error("Nothing was streamed.");
  };
}

const contenders: readonly Contender[] = [
  ...creators.flatMap(([name, create]): Contender[] => {
    const checkpointer = new MemorySaver();
    return [
      [name, invoking(create({}))],
      [`${name}, thread deleted`, invoking(create({ checkpointer }), checkpointer)],
    ];
  }),
  ["react, streamed, one signal", streaming(createReactGraph(options))],
];

/** What is used when everything that can be collected is. */
function usedMegabytes(): string {
  if (globalThis.gc === undefined) throw new Error("Run it with node --expose-gc.");
  globalThis.gc();
  globalThis.gc();
  return (process.memoryUsage().heapUsed / 1e6).toFixed(1);
}

const ends = Array.from({ length: samples }, (_, at) => Math.round(((at + 1) * runs) / samples));
console.log(tableRow(["MB after so many runs", ...ends.map((end) => end.toLocaleString("en-US"))]));
console.log(tableRow(["---", ...ends.map(() => "---")]));
for (const [name, run] of contenders) {
  const used: string[] = [];
  for (let done = 1; done <= runs; done += 1) {
    const content = `What is ${done} * 7?`;
    const config = { configurable: { thread_id: `${name} ${done}` } };
    await run({ messages: [{ role: "user", content }] }, config);
    if (ends.includes(done)) used.push(usedMegabytes());
  }
  console.log(tableRow([name, ...used]));
}
