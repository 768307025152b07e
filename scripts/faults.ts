// Every fault in every graph, at every step, for every time: the whole product of which `npm test` runs a part.
// `npm run faults` prints a table, `npm run faults -- rewoo` that of one graph; it fails where something does not hold.
import { tableOf } from "../bench/table.js";
import { callsOf } from "../test/faults/calls.js";
import { type FaultRun, runWithFaults } from "../test/faults/fault-run.js";
import { groupBy } from "../test/faults/group-by.js";
import { violationsOf } from "../test/faults/invariants.js";
import { reachViolations } from "../test/faults/reach.js";
import { allRows, nameOf, type Row, setupOf } from "../test/faults/rows.js";

/** What is kept of a run. */
type Told = {
  readonly row: Row;
  readonly status: string;
  readonly extra: { readonly model: number; readonly tool: number };
  readonly violations: readonly string[];
};

/** The calls of one side that were made beyond the first at each place. */
function extraCalls(run: FaultRun, wanted: "model" | "tool"): number {
  return callsOf(run)
    .filter(({ side }) => side === wanted)
    .reduce((sum, { made }) => sum + made.calls + made.fallbacks - 1, 0);
}

async function told(row: Row): Promise<Told> {
  const run = await runWithFaults(setupOf(row));
  return {
    row,
    status: run.result?.outcome?.status ?? "none",
    extra: { model: extraCalls(run, "model"), tool: extraCalls(run, "tool") },
    violations: [...violationsOf(run), ...reachViolations(row, run)],
  };
}

function cellsOf(runs: readonly Told[]): string[] {
  const ended = (wanted: string) => runs.filter(({ status }) => status === wanted).length;
  const sum = (side: "model" | "tool") => runs.reduce((all, { extra }) => all + extra[side], 0);
  const violations = runs.filter((run) => run.violations.length > 0).length;
  const counts = [runs.length, ended("answered"), ended("limit"), ended("failed")];
  return [...counts, sum("model"), sum("tool"), violations].map(String);
}

const columns = [
  "graph",
  "fault",
  "runs",
  "answered",
  "at a limit",
  "failed",
  "extra model calls",
  "extra tool calls",
  "violations",
];

const wanted = process.argv.slice(2);
const known = new Set<string>(allRows.map(({ graph }) => graph));
const unknown = wanted.find((name) => !known.has(name));
if (unknown !== undefined) {
  console.error(`There is no graph "${unknown}": expected some of ${[...known].join(", ")}.`);
  process.exit(2);
}
// LangChain and the OpenAI client print what they cannot read.
console.error = () => undefined;
console.warn = () => undefined;
const rows = allRows.filter(({ graph }) => wanted.length === 0 || wanted.includes(graph));
const all: Told[] = [];
for (const row of rows) all.push(await told(row));
const groups = groupBy(all, ({ row }) => `${row.graph}\n${row.fault}`);
const lines = [...groups].map(([key, runs]) => [...key.split("\n"), ...cellsOf(runs)]);
console.log(tableOf(columns, [...lines, ["all", "", ...cellsOf(all)]]));
for (const { row, violations } of all.filter((run) => run.violations.length > 0)) {
  console.log(`\n${row.graph}: ${nameOf(row)}\n- ${violations.join("\n- ")}`);
  process.exitCode = 1;
}
