import { expect, it } from "vitest";

import { fenceUntrusted } from "../../src/prompts/fence.js";
import { readOnHint } from "../../src/prompts/read-on-hint.js";
import { callLines, failureLines, resultLines } from "../../src/prompts/results.js";
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

it.each([
  { name: "500 characters", maxChars: undefined, length: 500 },
  { name: "as many as are given", maxChars: 2_000, length: 2_000 },
])("shortens a long result to $name", ({ maxChars, length }) => {
  const content = "x".repeat(9_000);
  const [line = ""] = resultLines([observation({ content })], maxChars);
  expect(line).toBe(`- search({"query":"tea"}): ${"x".repeat(length)}…`);
});

it("shortens a long call", () => {
  const long = observation({ args: { query: "x".repeat(50_000) } });
  const [line = ""] = resultLines([long]);
  expect(line).toMatch(/^- search\(\{"query":"x+…: found$/);
  expect(line.length).toBe(310);
});

it("keeps the order of the calls", () => {
  const lines = resultLines([observation({ content: "a" }), observation({ content: "b" })]);
  expect(lines.map((line) => line.at(-1))).toEqual(["a", "b"]);
});

const failure = { ok: false, content: "Error (rejected): out of tea" } as const;
const line = '- search({"query":"tea"}): Error (rejected): out of tea';

it.each([
  { name: "a call that failed", given: [failure], lines: [line] },
  { name: "each failure once", given: [failure, { ...failure, callId: "2" }], lines: [line] },
  { name: "none of a call that was not made", given: [{ ...failure, attempts: 0 }], lines: [] },
  { name: "none of a call that went well another time", given: [failure, {}], lines: [] },
  { name: "none of a result", given: [{}], lines: [] },
])("tells of failures: $name", ({ given, lines }) => {
  expect(failureLines(given.map(observation))).toEqual(lines);
});

it.each([
  { name: "a short cut", content: `found\n${readOnHint("c1", 5)}`, says: "found" },
  {
    name: "a cut from outside",
    content: `${fenceUntrusted("search", "found", "n")}\n${readOnHint("c1", 5)}`,
    says: " found </untrusted",
  },
])("names no tool to read $name on with: nobody who reads lines can call it", (given) => {
  const { content, says } = given;
  const seen = observation({ content, cut: 9 });
  const lines = [...resultLines([seen]), ...callLines([seen], () => undefined)];
  expect(lines).toHaveLength(2);
  for (const told of lines) {
    expect(told).toContain(says);
    expect(told).not.toContain("read_result");
  }
});
