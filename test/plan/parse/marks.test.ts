import { expect, it } from "vitest";

import { callMark, headerLength } from "../../../src/plan/parse/marks.js";

const known = new Set(["search"]);

it.each([
  { text: "#E1 = search[", tool: "search", number: 1 },
  { text: "#E1 := __search__ [", tool: "search__", number: 1 },
  { text: "#E1 = _1st_search[", tool: "_1st_search", number: 1 },
  { text: "**$2** = `search`(", tool: "search", number: 2 },
  { text: "_1. search(", tool: "search", number: 1 },
  { text: "第 1 步：search(", tool: "search", number: 1 },
  { text: "Step 3 __: search _(", tool: "search", number: 3 },
  { text: "- _search(", tool: "search", number: undefined },
])("reads the mark $text", ({ text, tool, number }) => {
  expect(callMark(text, true, known)).toMatchObject({ tool, ...(number && { number }) });
});

it.each([
  "#E1 = [",
  "#E1 = __[",
  "search it [",
  "1. find the thing (",
  `#E1${"_".repeat(190)}[`,
  `#E1=${"_".repeat(100)}a${"_".repeat(80)}*x[`,
  `${"_-".repeat(95)}[`,
])("finds no mark in %s", (text) => {
  expect(callMark(text, true, known)).toBeUndefined();
});

it.each([
  { line: "Plan 1: go", length: 8 },
  { line: "### Step # 2 **: go", length: 17 },
  { line: "第 3 步", length: 5 },
  { line: "Plan", length: 4 },
  { line: "Plan to go", length: 0 },
  { line: `Plan${" ".repeat(100_000)}x`, length: 0 },
])("measures the header of a line", ({ line, length }) => {
  expect(headerLength(line)).toBe(length);
});
