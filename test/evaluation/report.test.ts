import { expect, it } from "vitest";

import {
  changesSince,
  evaluate,
  htmlReport,
  markdownReport,
  summarize,
  textReport,
} from "../../src/evaluation/index.js";
import { townAgent, townCases } from "../support/towns-evaluated.js";

const evil = '</details><script>alert("1")</script>';

async function reported() {
  const evaluation = await evaluate({
    cases: [...townCases(), { id: evil, question: `${evil} in Alma?`, tags: [evil] }],
    subjects: [
      { name: "good", graph: townAgent().graph },
      { name: `poor ${evil}`, graph: townAgent(() => false).graph },
    ],
  });
  const { cells, cases } = evaluation;
  return { summary: summarize(evaluation), cells, cases, changes: changesSince(cells, cells) };
}

it("a page holds every run, loads nothing, and shows texts as texts", async () => {
  const page = htmlReport({ ...(await reported()), trace: "runs.db", title: evil });
  expect(page).not.toMatch(/<script|<link|https?:|javascript:/);
  expect(page).toContain("default-src 'none'");
  expect(page.match(/<details/g)).toHaveLength(8);
  expect(page.match(/<svg/g)).toHaveLength(3);
  expect(page).toMatch(/plangraph trace show [\w-]+ --trace runs\.db/);
  // Every mark of the table leads to its run.
  for (const [, key] of page.matchAll(/href="#(\w+)"/g)) expect(page).toContain(`id="${key}"`);
  const opened = [...page.matchAll(/<(\w+)[^<>]*>/g)].map(([, tag]) => tag);
  expect(new Set(opened)).not.toContain("script");
});

it("Markdown and text tell the same figures, also of what is wrong", async () => {
  const parts = await reported();
  const [markdown, text] = [markdownReport(parts), textReport(parts)];
  for (const report of [markdown, text]) {
    expect(report).toMatch(/4 of 4/);
    expect(report).toMatch(/cannot tell/);
    expect(report).toContain(parts.summary.advice);
  }
  expect(text).toMatch(/✗ Alma-1, poor .*number: expected 12000 \(run \w+\)/);
  expect(markdown.split("\n").filter((line) => line.startsWith("| ---"))).toHaveLength(4);
  for (const report of [markdown, text]) expect(report).not.toContain("plangraph trace show");
});

it("a baseline that cannot be compared is said in every report, and none is not mentioned", async () => {
  const { changes: _changes, ...parts } = await reported();
  for (const report of [markdownReport, textReport]) {
    expect(report({ ...parts, changes: [] })).toContain("nothing can be compared");
    expect(report(parts)).not.toMatch(/baseline/i);
  }
  const page = { ...parts, cases: parts.cases };
  expect(htmlReport({ ...page, changes: [] })).toContain("nothing can be compared");
  expect(htmlReport(page)).not.toMatch(/baseline/i);
});

it.each([
  { trace: "runs.db", written: "runs.db" },
  { trace: "../my runs/it's.db", written: String.raw`'../my runs/it'\''s.db'` },
])(
  "every report names the command for each run in $trace, and the id alone of others",
  async ({ trace, written }) => {
    const parts = await reported();
    const ids = parts.cells.flatMap(({ run }) => run?.runIds ?? []);
    const [first = "", second = "", third = ""] = ids;
    const kept = { ...parts, trace, tracedRuns: new Set([first, second]) };
    const [markdown, text] = [markdownReport(kept), textReport(kept)];
    const page = htmlReport(kept).replaceAll("&#39;", "'");
    const command = (id: string) => `plangraph trace show ${id} --trace ${written}`;
    for (const report of [markdown, page]) {
      for (const id of ids) expect(report).toContain(id);
      for (const id of [first, second]) expect(report).toContain(command(id));
      expect(report).not.toContain(command(third));
    }
    expect(text).toContain(`${command("RUN")} shows a run.`);
    expect(page).toContain(`title="right, run ${first}"`);
  },
);
