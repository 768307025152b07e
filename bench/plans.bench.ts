// What a graph that plans adds to the time that its plan takes, and what it saves beside ReAct: `npm run bench:plans`
// prints the table, `npm run bench:plans -- --write` puts it into README.md. Models and tools take fixed
// times, so the ratios are what counts: medians over the rounds, in each of which every graph runs once.
import { setTimeout as delay } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createReactGraph,
  createRewooGraph,
  withPolicy,
} from "../src/index.js";
import { estimateTokens, startScriptedServer } from "../src/testing/index.js";
import { found, layeredPlan, longestPathMs, lookUpMs } from "./layered-plan.js";
import { median } from "./median.js";
import { type Asked, modelMs, questionFor, replyTo } from "./plan-replies.js";
import { tableRow, writeTable } from "./table.js";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const stepCounts = [4, 10, 20, 40];
const widths = [1, 2, 4, 8];
const concurrency = 8;
const writtenMs = 1_000;

const server = await startScriptedServer({ replies: replyTo });
const lookUp = tool(
  async ({ item }) => {
    await delay(lookUpMs(item));
    return found(item);
  },
  {
    name: "look_up",
    description: "Looks an item up and gives its name with a text about it.",
    schema: z.object({ item: z.string().describe("What to look up") }),
  },
);
const models = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  maxRetries: 0,
  configuration: { baseURL: server.url },
});
const options = {
  models,
  tools: [withPolicy(lookUp, { effect: "read" })],
  concurrency,
  limits: { planSteps: null },
};

type Result = {
  readonly observations: readonly { readonly ok: boolean }[];
  readonly outcome?: { readonly status: string } | undefined;
};
type Graph = { invoke(input: { messages: { role: "user"; content: string }[] }): Promise<Result> };

const react: Graph = createReactGraph(options);
/** Graphs that plan, by name. */
const planners: Record<string, Graph> = {
  rewoo: createRewooGraph(options),
  "llm-compiler": createLlmCompilerGraph(options),
};
/** The one that waits for the whole plan, with which the others are compared. */
const waiting = "rewoo";

type Measured = { readonly ms: number; readonly modelCalls: number; readonly tokens: number };

async function measured(graph: Graph, asked: Asked): Promise<Measured> {
  const before = server.requests.length;
  const started = performance.now();
  const { observations, outcome } = await graph.invoke({
    messages: [{ role: "user", content: questionFor(asked) }],
  });
  const ms = performance.now() - started;
  const isDone = observations.length === asked.steps && observations.every(({ ok }) => ok);
  if (!isDone || outcome?.status !== "answered") throw new Error(`Not done: ${questionFor(asked)}`);
  const requests = server.requests.slice(before);
  const tokens = requests.map(({ body }) => (body === undefined ? 0 : estimateTokens(body)));
  return { ms, modelCalls: requests.length, tokens: tokens.reduce((sum, each) => sum + each, 0) };
}

type Times = { readonly atOnce: Measured[]; readonly written: number[] };

/** All rounds of a plan, for each graph that plans. */
async function timesOf(steps: number, width: number): Promise<Map<string, Times>> {
  const times = new Map<string, Times>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, graph] of Object.entries(planners)) {
      const own = times.get(name) ?? { atOnce: [], written: [] };
      own.atOnce.push(await measured(graph, { steps, width, writtenMs: 0 }));
      own.written.push((await measured(graph, { steps, width, writtenMs })).ms);
      times.set(name, own);
    }
  }
  return times;
}

const columns = [
  "steps",
  "width",
  "graph",
  "ms",
  "to critical path",
  "model calls, react's",
  "input tokens, react's",
  "times fewer",
  "times faster",
  "plan written in 1 s: ms",
  "to waiting",
];

async function rowsOf(steps: number, width: number): Promise<string[][]> {
  const times = await timesOf(steps, width);
  const alone = await measured(react, { steps, width, writtenMs: 0 });
  const criticalMs = 2 * modelMs + longestPathMs(layeredPlan(steps, width), concurrency);
  const waited = times.get(waiting)?.written ?? [];
  return [...times].map(([name, { atOnce, written }]) => {
    const ms = median(atOnce.map((each) => each.ms));
    const { modelCalls = Number.NaN, tokens = Number.NaN } = atOnce[0] ?? {};
    const toWaiting = median(written.map((each, at) => each / (waited[at] ?? Number.NaN)));
    return [
      `${steps}`,
      `${width}`,
      name,
      ms.toFixed(0),
      (ms / criticalMs).toFixed(2),
      `${modelCalls} / ${alone.modelCalls}`,
      `${tokens} / ${alone.tokens}`,
      (alone.tokens / tokens).toFixed(1),
      (alone.ms / ms).toFixed(1),
      median(written).toFixed(0),
      toWaiting.toFixed(2),
    ];
  });
}

const lines: string[] = [];
function add(cells: readonly string[]): void {
  lines.push(tableRow(cells));
  console.log(lines.at(-1));
}

/** A program that has just begun is slow. */
async function warmUp(): Promise<void> {
  for (const graph of [react, ...Object.values(planners)]) {
    for (let time = 0; time < 5; time += 1) {
      await measured(graph, { steps: 10, width: 4, writtenMs: 0 });
    }
  }
}

await warmUp();
add(columns);
add(columns.map(() => "---"));
for (const steps of stepCounts) {
  for (const width of widths.filter((each) => each <= steps)) {
    for (const row of await rowsOf(steps, width)) add(row);
  }
}
await server.close();
if (process.argv.includes("--write")) await writeTable("README.md", "plans", lines.join("\n"));
