// How much of src/ a clean run passes through: the files and functions that a run of each graph enters after its modules
// are loaded, as V8 counts them. `npm run bench:footprint` prints a table; `-- --list` adds the files with their functions.
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { tool } from "@langchain/core/tools";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  withPolicy,
} from "../src/index.js";
import { scriptedModel, type ScriptedReply } from "../src/testing/index.js";
import { tableOf } from "./table.js";

const lookUp = withPolicy(
  tool(({ town }) => `12000 people live in ${town}.`, {
    name: "look_up",
    description: "Looks a town up.",
    schema: z.object({ town: z.string() }),
  }),
  { effect: "read" },
);

const args = { town: "Alma" };
const call: ScriptedReply = { toolCalls: [{ name: "look_up", args }] };
const answer = "12000 people live in Alma.";
const plan = JSON.stringify({
  steps: [{ id: "E1", thought: "Look Alma up.", tool: "look_up", args }],
});
const tasks = JSON.stringify({
  steps: [{ id: "S1", task: "Look Alma up.", after: [], final: true }],
});
const joined = JSON.stringify({ thought: "It is known.", action: "finish", answer });
const routed = JSON.stringify({ reason: "It is about a town.", route: "towns" });

type Graph = {
  invoke(input: { messages: { role: "user"; content: string }[] }): Promise<{
    readonly answer?: string | undefined;
    readonly usage: { readonly toolCalls: number };
  }>;
};

/** What a graph is made with: a model that gives these replies, and one tool. */
function parts(...replies: (ScriptedReply | string)[]) {
  return { models: scriptedModel(replies), tools: [lookUp] };
}

const graphs: readonly (readonly [name: string, make: () => Graph, goal: number])[] = [
  ["react", () => createReactGraph(parts(call, answer)), 70],
  ["rewoo", () => createRewooGraph(parts(plan, answer)), 100],
  ["plan-execute", () => createPlanExecuteGraph(parts(tasks, call, answer, answer)), 100],
  ["llm-compiler", () => createLlmCompilerGraph(parts(plan, joined)), 100],
  [
    "router, to react",
    () => {
      const { models, tools } = parts(routed, call, answer);
      const town = createReactGraph({ models, tools });
      const other = createReactGraph({ models, tools });
      const routes = {
        towns: { description: "Towns.", graph: town },
        others: { description: "All else.", graph: other },
      };
      return createRouterGraph({ models, routes });
    },
    100,
  ],
];

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

const source = fileURLToPath(new URL("../src/", import.meta.url));
/** The functions entered since the last call, by their file in src/; the scripted model is no part of a run. */
async function entered(): Promise<Map<string, string[]>> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = new Map<string, string[]>();
  for (const { url, functions } of result) {
    if (!url.startsWith("file:")) continue;
    const path = fileURLToPath(url);
    const file = path.slice(source.length);
    if (!path.startsWith(source) || file.startsWith("testing/")) continue;
    const names = functions
      .filter(({ ranges: [range] }) => (range?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || "(anonymous)")
      // What tsx adds to every module.
      .filter((functionName) => functionName !== "__name");
    if (names.length > 0) files.set(file, names);
  }
  return files;
}

const rows: string[][] = [];
const lists: string[] = [];
for (const [name, make, goal] of graphs) {
  const graph = make();
  await entered();
  const result = await graph.invoke({
    messages: [{ role: "user", content: "Who lives in Alma?" }],
  });
  const files = await entered();
  if (result.answer !== answer || result.usage.toolCalls !== 1) {
    throw new Error(`${name} did not do the task: ${JSON.stringify(result)}`);
  }
  const functions = [...files.values()].flat().length;
  rows.push([name, `${files.size}`, `${goal}`, `${functions}`]);
  const lines = [...files].map(([file, names]) => `  ${file}: ${names.join(", ")}`);
  lists.push([name, ...lines.toSorted((left, right) => left.localeCompare(right))].join("\n"));
}
const { list } = parseArgs({ options: { list: { type: "boolean", default: false } } }).values;
if (list) console.log(`${lists.join("\n\n")}\n`);
console.log(tableOf(["graph", "files", "at most", "functions"], rows));
