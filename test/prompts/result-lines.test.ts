import { expect, it } from "vitest";

import { resultLines } from "../../src/prompts/result-lines.js";
import type { Observation } from "../../src/state/observation.js";

const observation = (given: Partial<Observation>): Observation => ({
  callId: "1",
  tool: "search",
  args: { query: "tea" },
  ok: true,
  content: "found",
  attempts: 1,
  startedAt: 0,
  ms: 1,
  ...given,
});

it.each([
  { name: "a result", given: {}, line: '- search({"query":"tea"}): found' },
  {
    name: "several lines as one",
    given: { content: "one\n\n two\tthree" },
    line: '- search({"query":"tea"}): one two three',
  },
  { name: "a call without arguments", given: { args: {} }, line: "- search({}): found" },
  { name: "an empty result", given: { content: "" }, line: '- search({"query":"tea"}): ' },
])("writes $name", ({ given, line }) => {
  expect(resultLines([observation(given)])).toEqual([line]);
});

it.each([
  { name: "a failed call", given: { ok: false } },
  { name: "a call answered from memory", given: { attempts: 0 } },
])("leaves out $name", ({ given }) => {
  expect(resultLines([observation(given)])).toEqual([]);
});

it("shortens a long result", () => {
  const [line = ""] = resultLines([observation({ content: "x".repeat(9_000) })]);
  expect(line).toMatch(/x…$/);
  expect(line.length).toBeLessThan(600);
});

it("keeps the order of the calls", () => {
  const lines = resultLines([observation({ content: "a" }), observation({ content: "b" })]);
  expect(lines.map((line) => line.at(-1))).toEqual(["a", "b"]);
});
