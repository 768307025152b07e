// An evaluation among the tests of an application. Copy it beside them, with your graph and your cases.
// Run it: npx vitest run answers.test.ts
import { fileURLToPath } from "node:url";

import { calculator, createReactGraph, createRewooGraph } from "plangraph";
import { evaluate, readCases, summarize, textReport } from "plangraph/evaluation";
import { expect, it } from "vitest";

const cases = await readCases(fileURLToPath(new URL("cases.jsonl", import.meta.url)));
const options = { models: "offline", tools: [calculator] };

// A scripted or offline model says the same each time: every case is a test, and what does not hold is shown.
it.each(cases)("react is right: $id", async (one) => {
  const { cells } = await evaluate({
    cases: [one],
    subjects: [{ name: "react", graph: createReactGraph(options) }],
  });
  const wrong = cells.flatMap(({ scores }) => scores.filter(({ holds }) => !holds));
  expect({ wrong, right: cells[0]?.right }).toEqual({ wrong: [], right: true });
});

// A model of a provider is right most of the time: the share is the test. The report says which cases were wrong.
it("rewoo is right in 9 of 10 runs", async () => {
  const subjects = [{ name: "rewoo", graph: createRewooGraph(options) }];
  const evaluation = await evaluate({ cases, subjects, repeat: 5, budgetSeconds: 50 });
  const summary = summarize(evaluation);
  const isWhole = summary.notMeasured + summary.open === 0;
  const isRight = summary.subjects.every(({ share }) => share.share >= 0.9);
  const report = textReport({ summary, cells: evaluation.cells });
  expect(isWhole && isRight ? "" : report).toBe("");
}, 60_000);
