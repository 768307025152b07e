// Where the time of a model step goes: `npm run bench:profile` runs createAgent and the ReAct graph over 50 steps under
// V8's sampling profiler, and prints microseconds a step by package; of plangraph's own code the functions that take most.
import { type Profiler, Session } from "node:inspector/promises";

import { contenders, question, server } from "./contenders.js";
import { tableOf } from "./table.js";

const runs = Number(process.env["BENCH_ROUNDS"] ?? 30);
const steps = 50;
const warmUps = 8;

/** Microseconds by name. */
type Times = Map<string, number>;

const add = (times: Times, name: string, us: number) =>
  times.set(name, (times.get(name) ?? 0) + us);

/** The package that a function is of; V8's own have none. */
function packageOf(url: string): string {
  const [, own] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (own !== undefined) return own;
  if (/\/(?:dist|src)\/testing\//.test(url)) return "the scripted server";
  if (url.includes("/dist/")) return "plangraph";
  return url.startsWith("node:") ? "Node" : "V8, network, garbage collector";
}

/** Microseconds a step by package, and by function of plangraph's. */
async function profileOf(run: () => Promise<unknown>) {
  for (let at = 0; at < warmUps; at += 1) await run();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 100 });
  await session.post("Profiler.start");
  for (let at = 0; at < runs; at += 1) await run();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return timesIn(profile);
}

function timesIn({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const packages: Times = new Map();
  const functions: Times = new Map();
  for (const [at, id] of samples.entries()) {
    const { url = "", functionName = "" } = frames.get(id) ?? {};
    const us = (timeDeltas[at] ?? 0) / runs / (steps + 1);
    if (functionName === "(idle)") continue;
    add(packages, packageOf(url), us);
    if (packageOf(url) === "plangraph")
      add(functions, `${url.split("/dist/")[1]} ${functionName}`, us);
  }
  return { packages, functions };
}

const most = (times: Times) => [...times].toSorted(([, left], [, right]) => right - left);
const us = (amount = 0) => amount.toFixed(0);

const [, createAgent, plangraph] = contenders;
if (createAgent === undefined || plangraph === undefined)
  throw new Error("A contender is missing.");
const theirs = await profileOf(() => createAgent[1](question(steps)));
const ours = await profileOf(() => plangraph[1](question(steps)));
const names = new Map([...theirs.packages, ...ours.packages]);
const sum = (times: Times) => [...times.values()].reduce((total, each) => total + each, 0);
console.log(
  tableOf(
    ["microseconds a step in", "createAgent", "plangraph"],
    [
      ...most(names).map(([name]) => [
        name,
        us(theirs.packages.get(name)),
        us(ours.packages.get(name)),
      ]),
      ["all", us(sum(theirs.packages)), us(sum(ours.packages))],
    ],
  ),
);
const rows = most(ours.functions)
  .slice(0, 20)
  .map(([name, amount]) => [name, us(amount)]);
console.log(`\n${tableOf(["function of plangraph", "microseconds a step"], rows)}`);
await server.close();
