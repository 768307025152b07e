import type { Case } from "./case.js";
import type { Cell } from "./cell.js";
import { costChart, costTitle, shareChart, timeChart } from "./report-charts.js";
import { inChanges, type Reported } from "./report.js";
import { notes, resultWord, roleTable, subjectTable, type Table, tagTable } from "./report-rows.js";
import { escaped } from "./escape.js";
import { type KeptTraces, traceCommands } from "./trace-commands.js";

/** What a page shows besides what every report tells. */
export type PageParts = Reported & { readonly cases: readonly Case[] };

/** The report as one page of HTML, with pictures and with every run: nothing is loaded, and no script runs. */
export function htmlReport(parts: PageParts): string {
  const { summary, changes, title = "Evaluation" } = parts;
  const tags = tagTable(summary);
  const sections = [
    `<p class="advice">${escaped(summary.advice)}</p>`,
    table(subjectTable(summary)),
    `<div class="charts">${charts(parts)}</div>`,
    ...(tags === undefined ? [] : [`<h2>By tag</h2>${table(tags)}`]),
    `<h2>By role</h2>${table(roleTable(summary))}`,
    ...inChanges(changes, table).map((text) => `<h2>Since the baseline</h2>${text}`),
    `<h2>Cases</h2>${matrix(parts)}`,
    `<h2>Runs</h2>${parts.cells.map((cell) => runDetails(cell, parts)).join("")}`,
    `<ul>${notes(summary)
      .map((note) => `<li>${escaped(note)}</li>`)
      .join("")}</ul>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

function charts({ summary, cells }: PageParts): string {
  const figures = [
    ["Right, with the interval of 95 %", shareChart(summary)],
    [costTitle(summary), costChart(summary)],
    ["Time of runs", timeChart(summary, cells)],
  ];
  return figures
    .map(
      ([caption = "", picture = ""]) =>
        `<figure>${picture}<figcaption>${escaped(caption)}</figcaption></figure>`,
    )
    .join("");
}

function table({ head, rows }: Table): string {
  return `<div class="wide"><table><thead><tr>${cellsOf("th", head)}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cellsOf("td", row)}</tr>`)
    .join("")}</tbody></table></div>`;
}

function cellsOf(tag: "td" | "th", row: readonly string[]): string {
  return row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("");
}

/** A row a case, a column a subject; each mark leads to its run. */
function matrix({ summary, cases, cells }: PageParts): string {
  const subjects = summary.subjects.map(({ subject }) => subject);
  const head = ["case", ...subjects].map((name) => `<th>${escaped(name)}</th>`).join("");
  const rows = cases.map(({ id, turns }) => {
    const question = turns[0]?.messages.at(-1)?.content ?? "";
    const marks = subjects.map((subject) => {
      const own = cells.filter((cell) => cell.case === id && cell.subject === subject);
      return `<td>${own.map(mark).join(" ")}</td>`;
    });
    return `<tr><td title="${escaped(question)}">${escaped(id)}</td>${marks.join("")}</tr>`;
  });
  return `<div class="wide"><table class="matrix"><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function mark(cell: Cell): string {
  const [name, sign] = signOf(cell);
  const ids = traceCommands(cell, {}).map((id) => `run ${id}`);
  const title = [resultWord(cell.right), ...ids].join(", ");
  return `<a class="${name}" href="#${cell.runKey}" title="${escaped(title)}">${sign}</a>`;
}

function signOf({ right }: Cell): readonly [name: string, sign: string] {
  if (right === undefined) return ["unmeasured", "–"];
  return right ? ["right", "✓"] : ["wrong", "✗"];
}

function runDetails(cell: Cell, kept: KeptTraces): string {
  const [name, sign] = signOf(cell);
  const { run, problem } = cell;
  const turns = (run?.turns ?? []).map(({ question, answer, outcome, reason, calls }) => {
    const made = calls.map(
      ({ tool, args, ok, result }) =>
        `<li class="${ok ? "right" : "wrong"}"><code>${escaped(`${tool} ${JSON.stringify(args)}`)}</code><pre>${escaped(result)}</pre></li>`,
    );
    const end = reason === undefined ? outcome : `${outcome}: ${reason}`;
    return `<dl><dt>Question</dt><dd>${escaped(question)}</dd>${
      made.length === 0 ? "" : `<dt>Calls</dt><dd><ol>${made.join("")}</ol></dd>`
    }<dt>Answer</dt><dd>${escaped(answer)}</dd><dt>End</dt><dd>${escaped(end)}</dd></dl>`;
  });
  const scores = cell.scores.map(
    ({ name: of, holds, why = "" }) =>
      `<li class="${holds ? "right" : "wrong"}">${holds ? "✓" : "✗"} ${escaped(of)}${why === "" ? "" : `: ${escaped(why)}`}</li>`,
  );
  const title = `${sign} ${cell.case}, ${cell.subject}${cell.repeat === 0 ? "" : `, repeat ${cell.repeat + 1}`}`;
  return `<details id="${cell.runKey}" class="${name}"><summary>${escaped(title)}</summary>${
    problem === undefined ? "" : `<p class="unmeasured">Not measured: ${escaped(problem)}</p>`
  }<ul class="scores">${scores.join("")}</ul>${turns.join("")}${traceText(cell, kept)}</details>`;
}

function traceText(cell: Cell, kept: KeptTraces): string {
  return traceCommands(cell, kept)
    .map((text) => `<p class="trace"><code>${escaped(text)}</code></p>`)
    .join("");
}

const styles = `
:root { color-scheme: light dark; --ink: #1d2733; --dim: #5c6b7a; --paper: #fff; --line: #d8dee5; --good: #14733d; --bad: #b3261e; --mark: #2457c5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --dim: #9aa7b4; --paper: #12171d; --line: #333d48; --good: #5fc98b; --bad: #ff8f85; --mark: #8fb4ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 24px; margin: 0 0 8px; } h2 { font-size: 17px; margin: 32px 0 8px; }
.advice { font-size: 17px; margin: 0 0 20px; max-width: 75ch; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th, td { white-space: nowrap; } th { color: var(--dim); font-weight: 500; }
.charts { display: flex; flex-wrap: wrap; gap: 24px; margin: 24px 0; }
figure { margin: 0; flex: 1 1 320px; min-width: 0; } figcaption { color: var(--dim); font-size: 13px; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
svg .axis { stroke: var(--line); } svg .dim { fill: var(--dim); } svg .bar { stroke: var(--mark); stroke-width: 2; } svg .dot { fill: var(--mark); }
a { text-decoration: none; color: inherit; } a:focus-visible, summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
.right { color: var(--good); } .wrong { color: var(--bad); } .unmeasured { color: var(--dim); }
details { border-bottom: 1px solid var(--line); padding: 6px 0; } details > *:not(summary) { color: var(--ink); } summary { cursor: pointer; }
details:target { background: color-mix(in srgb, var(--mark) 10%, transparent); }
dl { margin: 8px 0 12px; display: grid; grid-template-columns: 90px minmax(0, 1fr); gap: 4px 12px; } dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
ol, .scores { margin: 0; padding-left: 20px; } pre { margin: 2px 0 6px; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--dim); }
code { font-size: 13px; overflow-wrap: anywhere; } .trace { color: var(--dim); margin: 4px 0; }
`;
