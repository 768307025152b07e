import type { ModelLike } from "../models/model.js";
import { closeName } from "../plan/nearest.js";
import { invalidOption, shown } from "../run/check-names.js";
import { seededRandom } from "../run/random.js";
import { type Case, expectationsOf } from "./case.js";
import { type Cell, runKeyOf, scoreKeyOf } from "./cell.js";
import { CellRunner, type CellToRun } from "./cell-runner.js";
import { rulesVersion } from "./expectations.js";
import { createJudge, judgeInstructions } from "./judge.js";
import { checkOptions, type EvaluateOptions } from "./options.js";
import { casesFrom, invalidCases } from "./read-cases.js";
import { readResults } from "./results-file.js";
import { readyScorers } from "./scorers.js";
import { shuffled } from "./statistics.js";
import { type ReadySubject, readySubjects } from "./subject.js";

/** The results of an evaluation. */
export type Evaluation = {
  readonly cases: readonly Case[];
  readonly subjects: readonly string[];
  readonly repeat: number;
  /** The cells that were run, now or before, in the order of cases, subjects and repeats. */
  readonly cells: readonly Cell[];
  /** How many cells were not run: something stopped the evaluation. */
  readonly open: number;
  /** Why it stopped before the end. */
  readonly stopped?: "budget" | "cancelled";
};

/**
 * Runs every case with every subject, and scores what comes. With `out` a killed evaluation goes on where it was, a
 * changed subject or case runs again, and a changed expectation is scored anew without a run. Where a model could not be
 * reached, nothing is measured, and the next call tries again. Throws `invalid_cases` and `invalid_option` before
 * anything runs.
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  checkOptions(options);
  const { seed = 1, repeat = 1, out } = options;
  const cases = readyCases(options.cases);
  const subjects = await readySubjects(options.subjects);
  checkWhole(cases);
  checkWrites(subjects, options.allowWrites);
  checkTools(cases, subjects);
  checkJudge(cases, options.judge);
  const scorers = readyScorers(options.scorers);
  const groups = groupsOf(cases, subjects, { repeat, scoring: scoringKey(scorers, options.judge) });
  const earlier = out === undefined ? [] : await readResults(out);
  const judge = options.judge === undefined ? undefined : createJudge(options.judge, options);
  const runner = new CellRunner(options, { scorers, judge }, earlier);
  const random = seededRandom(seed);
  // Each case comes with one subject after the other: a slow minute of a server hits all of them.
  const stopped = await runner.run(
    shuffled(groups, random).flatMap((group) => shuffled(group, random)),
  );
  const places = groups.flat();
  const cells = places.flatMap(({ runKey }) => runner.cellOf(runKey) ?? []);
  return {
    cases,
    subjects: subjects.map(({ name }) => name),
    repeat,
    cells,
    open: places.length - cells.length,
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** The cells of each case and repeat, one a subject. */
function groupsOf(
  cases: readonly Case[],
  subjects: readonly ReadySubject[],
  { repeat, scoring }: { readonly repeat: number; readonly scoring: unknown },
): CellToRun[][] {
  return cases.flatMap((one) =>
    Array.from({ length: repeat }, (_, at) =>
      subjects.map((subject) => ({
        subject,
        case: one,
        repeat: at,
        runKey: runKeyOf(one, subject, at),
        scoreKey: scoreKeyOf(one, scoring),
      })),
    ),
  );
}

function scoringKey(scorers: ReturnType<typeof readyScorers>, judge: ModelLike | undefined) {
  const model = [judge]
    .flat()
    .map((one) => (typeof one === "object" ? one.lc_kwargs["model"] : one));
  const versions = scorers.map(({ name, atLeast, version }) => [name, atLeast, version]);
  return [rulesVersion, versions, ...(judge === undefined ? [] : [model, judgeInstructions])];
}

function readyCases(given: EvaluateOptions["cases"]): Case[] {
  if (!Array.isArray(given)) {
    throw invalidOption(`evaluate: cases: expected a list of cases, got ${shown(given)}.`);
  }
  return casesFrom(given);
}

/** An evaluation runs what models choose, again and again: nothing that writes, unless the caller says that it may. */
function checkWrites(subjects: readonly ReadySubject[], allowWrites = false): void {
  const writing = subjects.filter(({ writes }) => writes).map(({ name }) => name);
  if (allowWrites || writing.length === 0) return;
  throw invalidOption(
    `evaluate: ${writing.join(", ")}: the tools may write. Expected tools that read, or allowWrites (--allow-writes) if they work on a copy.`,
  );
}

function checkWhole(cases: readonly Case[]): void {
  const problems = cases.flatMap((one) =>
    expectationsOf(one).flatMap(({ todo }) =>
      todo === undefined ? [] : [`case ${one.id}: expect.todo is still there: ${todo}`],
    ),
  );
  if (problems.length > 0) throw invalidCases(problems);
}

function checkTools(cases: readonly Case[], subjects: readonly ReadySubject[]): void {
  const lists = subjects.map(({ tools }) => tools);
  const known = lists.flatMap((tools) => tools ?? []);
  // A graph with graphs inside does not name their tools.
  if (lists.includes(undefined)) return;
  const problems = cases.flatMap((one) =>
    expectationsOf(one).flatMap(({ tools, forbidden = [] }) => {
      const named = [...(tools?.calls ?? []).map(({ tool }) => tool), ...forbidden];
      return named
        .filter((tool) => !known.includes(tool))
        .map((tool) => {
          const near = closeName(tool, known);
          const hint =
            near === undefined ? `the tools are ${known.join(", ")}` : `did you mean ${near}?`;
          return `case ${one.id}: no subject has the tool "${tool}": ${hint}`;
        });
    }),
  );
  if (problems.length > 0) throw invalidCases(problems);
}

function checkJudge(cases: readonly Case[], judge: unknown): void {
  if (judge !== undefined) return;
  const problems = cases
    .filter((one) => expectationsOf(one).some((expect) => expect.judge !== undefined))
    .map(({ id }) => `case ${id}: expect.judge needs a model: give judge (--judge)`);
  if (problems.length > 0) throw invalidCases(problems);
}
