// Kills runs of every graph at random, on SQLite and on Postgres, alone and in other graphs, and prints a table of what
// came of it. Ends with 1 where anything does not hold. `npm run crashes -- 400` kills more often than 200 times.
import { tableOf } from "../bench/table.js";
import { type CrashCase, crashGraphs, crashPlaces } from "../test/support/crash-case.js";
import { startPostgres, whyNoPostgres } from "../test/support/postgres.js";
import { type CaseFigures, crashAtRandom, killsOf } from "../test/support/random-crashes.js";

const wanted = Number(process.argv[2] ?? 200);
if (!(wanted > 0)) {
  console.error(`Expected how often to kill, a number from 1, got "${process.argv[2]}".`);
  process.exit(2);
}
const columns = [
  "database",
  "graph",
  "place",
  "runs",
  "kills",
  "inside a write",
  "inside another call",
  "in a model call",
  "finished calls run again",
  "ended, not on record, run again",
  "ended so long before the kill (ms)",
  "questions asked",
  "answers and usage equal",
];

const withoutPostgres = whyNoPostgres();
if (withoutPostgres !== undefined) console.error(`Without Postgres: ${withoutPostgres}.`);
const postgres = withoutPostgres === undefined ? await startPostgres() : undefined;

const databases = ["sqlite", ...(postgres === undefined ? [] : [postgres.url])];
const cases = databases.flatMap((database) =>
  crashGraphs.flatMap((graph) =>
    crashPlaces.map((place, at): CrashCase => {
      const turn = at + crashGraphs.indexOf(graph) + databases.indexOf(database);
      return { database, graph, place, decision: turn % 2 === 0 ? "approve" : "reject" };
    }),
  ),
);
const kills = Math.ceil(wanted / cases.length);

function rowOf({ database, graph, place }: CrashCase, figures: CaseFigures): string[] {
  const { runs, kills: where, repeated, lost, lostMs, asked, equal } = figures;
  const counts = [
    runs,
    killsOf(figures),
    where.write,
    where.call,
    where.model,
    repeated,
    lost,
    lostMs,
    asked,
  ];
  const name = database === "sqlite" ? "SQLite" : "Postgres";
  return [name, graph, place, ...counts.map(String), `${equal} of ${runs}`];
}

const rows = new Map<CrashCase, string[]>();
const problems: string[] = [];

/** Works off the cases that are left; two of these run beside one another. */
async function work(left: Iterator<CrashCase>): Promise<void> {
  for (let next = left.next(); next.done !== true; next = left.next()) {
    const given = next.value;
    const seed = `${given.graph} ${given.place} ${databases.indexOf(given.database)}`;
    const figures = await crashAtRandom(given, { kills, seed });
    const row = rowOf(given, figures);
    rows.set(given, row);
    problems.push(
      ...figures.problems.map((problem) => `${row.slice(0, 3).join(", ")}: ${problem}`),
    );
    console.error(row.join(" | "));
  }
}

try {
  const left = cases.values();
  await Promise.all([work(left), work(left)]);
} finally {
  await postgres?.stop();
}
console.log(
  tableOf(
    columns,
    cases.map((given) => rows.get(given) ?? []),
  ),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
