import type { Change } from "./baseline.js";
import type { Cell } from "./cell.js";
import { durationText, shareText, type SubjectSummary, type Summary } from "./summary.js";
import { type KeptTraces, traceCommands } from "./trace-commands.js";

/** A table: its head, and its rows. */
export type Table = { readonly head: readonly string[]; readonly rows: readonly string[][] };

const number = (value: number) => Math.round(value).toLocaleString("en-US");
const calls = (value: number) => value.toFixed(1);
const dollars = (value: number) => (value === 0 ? "–" : `$${value.toPrecision(2)}`);

/** The table of subjects, the best first. Columns that have nothing to say are left out. */
export function subjectTable({ subjects, repeat }: Summary): Table {
  const hasCost = subjects.some(({ spent }) => spent.costUsd > 0);
  const hasFirst = subjects.some(({ times }) => times.firstToken !== undefined);
  const isCached = subjects.some(({ spent }) => spent.tokensReadAnew < spent.tokensIn);
  const columns: (readonly [string, (one: SubjectSummary) => string])[] = [
    ["subject", ({ subject }) => subject],
    ["right", ({ share }) => `${share.right} of ${share.of}`],
    ["95 %", ({ share }) => shareText(share)],
    ...(repeat > 1
      ? [[`all ${repeat} right`, ({ passAll }: SubjectSummary) => percent(passAll)] as const]
      : []),
    ["to the best", ({ toBest }) => (toBest === undefined ? "the best" : toBest.verdict)],
    ["ends", ({ outcomes }) => outcomes.map(([name, count]) => `${name} ${count}`).join(", ")],
    ["model calls", ({ spent }) => calls(spent.modelCalls)],
    ["tool calls", ({ spent }) => calls(spent.toolCalls)],
    ["tokens in", ({ spent }) => number(spent.tokensIn)],
    ...(isCached
      ? [["read anew", ({ spent }: SubjectSummary) => number(spent.tokensReadAnew)] as const]
      : []),
    ["out", ({ spent }) => number(spent.tokensOut)],
    ...(hasCost ? [["cost", ({ spent }: SubjectSummary) => dollars(spent.costUsd)] as const] : []),
    ...(hasFirst
      ? [["first token", ({ times }: SubjectSummary) => timeText(times.firstToken)] as const]
      : []),
    ["time", ({ times }) => durationText(times.median)],
    ["95 % under", ({ times }) => durationText(times.p95)],
  ];
  return tableOf(columns, subjects);
}

/** Tokens by role; a row for each role of each subject. */
export function roleTable({ subjects }: Summary): Table {
  const rows = subjects.flatMap(({ subject, byRole }) =>
    Object.entries(byRole).map(([role, spent]) => ({ subject, role, spent })),
  );
  return tableOf(
    [
      ["subject", ({ subject }) => subject],
      ["role", ({ role }) => role],
      ["model calls", ({ spent }) => calls(spent.modelCalls)],
      ["tokens in", ({ spent }) => number(spent.tokensIn)],
      ["out", ({ spent }) => number(spent.tokensOut)],
      ["cost", ({ spent }) => dollars(spent.costUsd)],
    ],
    rows,
  );
}

/** The share of right results by tag; undefined without tags. */
export function tagTable({ subjects }: Summary): Table | undefined {
  const tags = subjects[0]?.byTag.map(([tag]) => tag) ?? [];
  if (tags.length === 0) return undefined;
  return {
    head: ["tag", ...subjects.map(({ subject }) => subject)],
    rows: tags.map((tag, at) => [
      tag,
      ...subjects.map(({ byTag }) => {
        const share = byTag[at]?.[1];
        return share === undefined || share.of === 0 ? "–" : `${share.right} of ${share.of}`;
      }),
    ]),
  };
}

/** What has changed since a baseline. */
export function changeTable(changes: readonly Change[]): Table {
  return tableOf(
    [
      ["subject", ({ subject }) => subject],
      ["before", ({ before }) => `${before.right} of ${before.of}`],
      ["now", ({ now }) => `${now.right} of ${now.of}`],
      ["verdict", ({ comparison }) => comparison.verdict],
      ["turned wrong", ({ worse }) => listed(worse)],
      ["turned right", ({ better }) => listed(better)],
    ],
    changes,
  );
}

/** What came of each run, and how its trace is shown. */
export function runTable(cells: readonly Cell[], kept: KeptTraces): Table {
  return tableOf(
    [
      ["case", ({ case: id, repeat }) => (repeat === 0 ? id : `${id}, repeat ${repeat + 1}`)],
      ["subject", ({ subject }) => subject],
      ["result", ({ right }) => resultWord(right)],
      ["trace", (cell) => traceCommands(cell, kept).join("; ")],
    ],
    cells,
  );
}

/** Whether a run was right, in a word. */
export function resultWord(right: boolean | undefined): "right" | "wrong" | "not measured" {
  if (right === undefined) return "not measured";
  return right ? "right" : "wrong";
}

/** What must be said besides the tables: what was not measured, and what stopped. */
export function notes({ notMeasured, open, stopped, judged, cases, repeat }: Summary): string[] {
  const times = repeat === 1 ? "" : `, ${repeat} times each`;
  return [
    `${cases} ${cases === 1 ? "case" : "cases"}${times}. Intervals are of 95 %, by case; tokens, calls and cost are means of a run.`,
    ...(notMeasured === 0
      ? []
      : [
          `${notMeasured} not measured: a model could not be reached. The next call tries them again.`,
        ]),
    ...(open === 0
      ? []
      : [`${open} not run: ${stopped === "budget" ? "the budget is spent" : "cancelled"}.`]),
    ...(judged.modelCalls === 0
      ? []
      : [
          `The judge was asked ${judged.modelCalls} times: ${number(judged.tokensIn)} tokens in, ${number(judged.tokensOut)} out.`,
        ]),
  ];
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${Math.round(share * 100)} %`;
}

function timeText(ms: number | undefined): string {
  return ms === undefined ? "–" : durationText(ms);
}

function listed(ids: readonly string[]): string {
  const shownIds = ids.slice(0, 10).join(", ");
  return ids.length > 10 ? `${shownIds} and ${ids.length - 10} more` : shownIds || "–";
}

function tableOf<Row>(
  columns: readonly (readonly [string, (row: Row) => string])[],
  rows: readonly Row[],
): Table {
  return {
    head: columns.map(([name]) => name),
    rows: rows.map((row) => columns.map(([, text]) => text(row))),
  };
}
