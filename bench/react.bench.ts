// Overhead of the ReAct graph per model step, beside a bare LangGraph loop and LangChain's createAgent,
// on the same scripted server in the same run: `npm run bench`. The ratios are medians over
// the rounds, in each of which every contender runs once: quote these, the times depend on the machine.
import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { z } from "zod";

import { createReactGraph } from "../src/index.js";
import { type ChatRequest, startScriptedServer } from "../src/testing/index.js";
import { median } from "./median.js";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15);
const warmUps = 3;
const stepCounts = [1, 10, 50];

/** Asks for one more tool call until the question's number of steps is reached. */
function nextStep({ messages }: ChatRequest) {
  const steps = Number(
    /\d+/.exec(JSON.stringify(messages.find(({ role }) => role === "user")))?.[0],
  );
  const done = messages.filter(({ role }) => role === "tool").length;
  const toolCalls = [{ name: "lookup", args: { item: `item ${done}` }, id: `call_${done}` }];
  return done < steps ? { toolCalls } : "Done.";
}

const server = await startScriptedServer({ replies: nextStep });
const lookup = tool(({ item }) => `Nothing is known about ${item}.`, {
  name: "lookup",
  description: "Looks an item up.",
  schema: z.object({ item: z.string() }),
});
const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "none",
  maxRetries: 0,
  configuration: { baseURL: server.url },
});

const withTools = model.bindTools([lookup]);
const bare = new StateGraph(MessagesAnnotation)
  .addNode("agent", async ({ messages }) => ({ messages: [await withTools.invoke(messages)] }))
  .addNode("tools", new ToolNode([lookup]))
  .addEdge(START, "agent")
  .addConditionalEdges("agent", toolsCondition, ["tools", END])
  .addEdge("tools", "agent")
  .compile();
const agent = createAgent({ model, tools: [lookup] });
const react = createReactGraph({ models: model, tools: [lookup] });

type Question = { messages: { role: "user"; content: string }[] };
type Contender = readonly [name: string, run: (input: Question) => Promise<unknown>];
const contenders: readonly Contender[] = [
  ["bare loop", (input) => bare.invoke(input, { recursionLimit: 1_000 })],
  ["createAgent", (input) => agent.invoke(input, { recursionLimit: 1_000 })],
  ["plangraph", (input) => react.invoke(input)],
];

/** Who begins changes: what one leaves behind is collected in the time of the next. */
function inTurn(round: number): readonly Contender[] {
  const first = round % contenders.length;
  return [...contenders.slice(first), ...contenders.slice(0, first)];
}

async function timed(run: (input: Question) => Promise<unknown>, steps: number): Promise<number> {
  const started = performance.now();
  await run({ messages: [{ role: "user", content: `Look up ${steps} items.` }] });
  return performance.now() - started;
}

console.log(`| steps | contender | ms a run | ms a model step | to bare loop | to createAgent |`);
console.log(`| --- | --- | --- | --- | --- | --- |`);
for (const steps of stepCounts) {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [name, run] of inTurn(round)) {
      const ms = await timed(run, steps);
      if (round >= warmUps) (times[name] ??= []).push(ms);
    }
  }
  for (const [name] of contenders) {
    const own = times[name] ?? [];
    const ratio = (to: string) => median(own.map((ms, at) => ms / (times[to]?.[at] ?? Number.NaN)));
    const ms = median(own);
    const figures = [ms.toFixed(1), (ms / (steps + 1)).toFixed(2)];
    const ratios = [ratio("bare loop").toFixed(2), ratio("createAgent").toFixed(2)];
    console.log(`| ${[steps, name, ...figures, ...ratios].join(" | ")} |`);
  }
}
await server.close();
