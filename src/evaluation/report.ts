import type { Change } from "./baseline.js";
import type { Cell } from "./cell.js";
import {
  changeTable,
  notes,
  roleTable,
  runTable,
  subjectTable,
  type Table,
  tagTable,
} from "./report-rows.js";
import type { Summary } from "./summary.js";
import { type KeptTraces, traceCommand } from "./trace-commands.js";

/** What a report tells. */
export type Reported = KeptTraces & {
  readonly summary: Summary;
  readonly cells: readonly Cell[];
  /** What has changed since a baseline; empty if it has none of these subjects and cases. */
  readonly changes?: readonly Change[] | undefined;
  /** The heading; default "Evaluation". */
  readonly title?: string | undefined;
};

/** The report for a terminal. */
export function textReport({ summary, cells, changes, trace }: Reported): string {
  const tags = tagTable(summary);
  const isSplit = summary.subjects.some(({ byRole }) => Object.keys(byRole).length > 1);
  return [
    aligned(subjectTable(summary)),
    ...(tags === undefined ? [] : [aligned(tags)]),
    ...(isSplit ? [aligned(roleTable(summary))] : []),
    ...inChanges(changes, (table) => `Since the baseline:\n${aligned(table)}`),
    ...wrongText(cells, trace),
    [...notes(summary), summary.advice].join("\n"),
  ].join("\n\n");
}

/** The report in Markdown. */
export function markdownReport(parts: Reported): string {
  const { summary, cells, changes, title = "Evaluation", trace } = parts;
  const tags = tagTable(summary);
  return `${[
    `# ${title}`,
    summary.advice,
    inMarkdown(subjectTable(summary)),
    ...(tags === undefined ? [] : ["## By tag", inMarkdown(tags)]),
    "## By role",
    inMarkdown(roleTable(summary)),
    ...inChanges(changes, (table) => `## Since the baseline\n\n${inMarkdown(table)}`),
    ...(trace === undefined ? [] : ["## Runs", inMarkdown(runTable(cells, parts))]),
    notes(summary)
      .map((note) => `- ${note}`)
      .join("\n"),
  ].join("\n\n")}\n`;
}

/** What has changed, as a table or as the sentence that nothing can be compared; nothing without a baseline. */
export function inChanges(
  changes: readonly Change[] | undefined,
  write: (table: Table) => string,
): string[] {
  if (changes === undefined) return [];
  return [changes.length === 0 ? noChanges : write(changeTable(changes))];
}

const noChanges =
  "The baseline has none of these subjects with one of these cases: nothing can be compared. Subjects are compared by their names.";

/** The cells that are wrong, with the first thing that does not hold; the first ten. */
function wrongText(cells: readonly Cell[], trace: string | undefined): string[] {
  const wrong = cells.filter(({ right, problem }) => right === false || problem !== undefined);
  if (wrong.length === 0) return [];
  const lines = wrong.slice(0, 10).map((cell) => {
    const score = cell.scores.find(({ holds }) => !holds);
    const why = cell.problem ?? `${score?.name}: ${score?.why ?? "does not hold"}`;
    const id = cell.run?.runIds.at(-1) ?? "";
    const sign = cell.problem === undefined ? "✗" : "–";
    return `${sign} ${cell.case}, ${cell.subject}: ${oneLine(why)}${id === "" ? "" : ` (run ${id.slice(0, 8)})`}`;
  });
  const more = wrong.length > 10 ? [`… and ${wrong.length - 10} more`] : [];
  const how = trace === undefined ? [] : [`${traceCommand("RUN", trace)} shows a run.`];
  return [[...lines, ...more, ...how].join("\n")];
}

function oneLine(text: string): string {
  const words = text.replaceAll(/\s+/g, " ");
  return words.length > 160 ? `${words.slice(0, 159)}…` : words;
}

function aligned({ head, rows }: Table): string {
  const all = [[...head], ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")).join(" | ")} |`;
}

function inMarkdown({ head, rows }: Table): string {
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
