import { readFileSync } from "node:fs";

import { z } from "zod";

import { resolveDate } from "../../src/dates/resolve-date.js";
import { findJson } from "../../src/json/find-json.js";
import { readJson } from "../../src/json/read-json.js";
import { readAction } from "../../src/models/protocol/read-action.js";
import { readTextCalls } from "../../src/models/protocol/read-text-calls.js";
import { splitThoughts } from "../../src/models/protocol/text.js";
import { fitting } from "../../src/models/structured-output.js";
import { figuresIn, isCalculation } from "../../src/plan/figures.js";
import { createPlanReader, parsePlan } from "../../src/plan/parse/parse-plan.js";
import { joinOutput } from "../../src/roles/joiner.js";
import { planReading } from "../../src/roles/plan-reading.js";
import { planOutput } from "../../src/roles/planner.js";
import { replanOutput } from "../../src/roles/replanner.js";
import { routeOutput } from "../../src/roles/router.js";
import { taskPlanOutput } from "../../src/roles/task-planner.js";

const Replies = z.array(z.looseObject({ content: z.string() }));
const Tools = z.record(z.string(), z.looseObject({ description: z.string() }));

function fixture(name: string): unknown {
  const url = new URL(`../fixtures/real-replies/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8"));
}

/** What a small real model wrote, in every form that it was asked for. */
export const realReplies: readonly string[] = ["actions", "plans", "shaped", "shaped-plans"]
  .flatMap((name) => Replies.parse(fixture(name)))
  .map(({ content }) => content);

const tools = Object.entries(Tools.parse(fixture("tools"))).map(([name, tool]) => ({
  name,
  description: tool.description,
  parameters: tool["parameters"],
}));

const parameters = Object.fromEntries(
  tools.map(({ name, parameters: given }) => {
    const { properties = {} } = z
      .looseObject({ properties: z.record(z.string(), z.unknown()).optional() })
      .parse(given ?? {});
    return [name, Object.keys(properties)];
  }),
);
const plan = planOutput(
  planReading({ forms: tools, check: async () => [], acts: () => false }, { planSteps: 20 }),
);
const tasks = taskPlanOutput(20, false);
const replan = replanOutput({
  soFar: { steps: [{ kind: "task", id: "S1", task: "Look." }], ended: new Set(["S1"]) },
  failed: new Set(),
  rejected: [],
  planSteps: 20,
  acts: false,
});

/** Reads a plan as it streams in, in pieces of a token's length. */
function readInPieces(text: string): void {
  const reader = createPlanReader({ parameters });
  for (let at = 0; at < text.length; at += 5) reader.push(text.slice(at, at + 5));
  reader.end();
}

const route = routeOutput(["mathematics", "physics"], true);
const frame = { now: Date.UTC(2026, 10, 22), timeZone: "UTC" };

/** Everything that reads what a model wrote. */
export const readers: readonly {
  readonly name: string;
  readonly read: (text: string) => unknown;
}[] = [
  { name: "parsePlan", read: (text) => parsePlan(text, { parameters }) },
  { name: "createPlanReader", read: readInPieces },
  { name: "planOutput", read: (text) => fitting(text, false, plan) },
  { name: "taskPlanOutput", read: (text) => fitting(text, false, tasks) },
  { name: "replanOutput", read: (text) => fitting(text, false, replan) },
  { name: "readAction", read: (text) => readAction(text, tools, false) },
  { name: "readAction, cut", read: (text) => readAction(text, tools, true) },
  { name: "readTextCalls", read: (text) => readTextCalls(text, tools, false) },
  { name: "splitThoughts", read: splitThoughts },
  { name: "findJson", read: findJson },
  { name: "readJson", read: readJson },
  { name: "joinOutput", read: (text) => fitting(text, false, joinOutput) },
  { name: "routeOutput", read: (text) => fitting(text, false, route) },
  { name: "figuresIn", read: figuresIn },
  { name: "isCalculation", read: isCalculation },
  { name: "resolveDate", read: (text) => resolveDate(text, frame) },
];

const pieces = [
  ...Array.from("{}[]()\"'`<>#$:,.=-_*|\\\n \t0a中"),
  "```json\n",
  "<tool_call>",
  "</think>",
  "<think>",
  "Action: ",
  "Action Input: ",
  "Plan: ",
  "#E1 = ",
  "$1",
  "{{E1}}",
  "1. ",
  '{"a":',
  "to=functions.",
];

/** Pieces that are repeated go on for so many characters at most. */
const maxRun = 3_000;

/** The same replies for the same seed, each a real one that was changed in one to four places. */
export function* mutatedReplies(count: number, seed: number): Generator<string> {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = (from: readonly string[]) => from[below(from.length)] ?? "";
  const mutated = (text: string): string => {
    const at = below(text.length + 1);
    const to = Math.min(text.length, at + below(40));
    const [head, part, tail] = [text.slice(0, at), text.slice(at, to), text.slice(to)];
    const piece = one(pieces);
    const run = below(20) === 0 ? maxRun : 40;
    const ways = [
      () => head + tail,
      () => head + part + part + tail,
      () => head + piece + part + tail,
      () => head + piece.repeat(1 + below(run / piece.length)) + tail,
      () => head + (part || "0").repeat(1 + below(run / (part.length || 1))) + tail,
      () => head + one(realReplies).slice(0, 2_000) + tail,
      () => head,
    ];
    return ways[below(ways.length)]?.() ?? text;
  };
  for (let made = 0; made < count; made += 1) {
    let text = one(realReplies);
    for (let change = 1 + below(4); change > 0; change -= 1) text = mutated(text);
    yield text;
  }
}
