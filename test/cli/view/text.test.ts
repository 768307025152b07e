import { expect, it } from "vitest";

import {
  count,
  duration,
  fileSize,
  fitColumns,
  oneLine,
  printable,
} from "../../../src/cli/view/event-lines.js";

it.each([
  { name: "drops escape sequences", text: "a\u001b[31mb\u0007", expected: "a[31mb" },
  { name: "keeps line breaks and tabs", text: "a\r\nb\tc\n", expected: "a\nb\tc\n" },
  { name: "keeps a lone carriage return from overwriting the line", text: "a\rb", expected: "ab" },
])("printable $name", ({ text, expected }) => {
  expect(printable(text)).toBe(expected);
});

it.each([
  { name: "joins lines", text: " a\n\n b ", max: 10, expected: "a b" },
  { name: "marks a cut", text: "abcdef", max: 4, expected: "abc…" },
  { name: "leaves what fits", text: "abcd", max: 4, expected: "abcd" },
  { name: "cuts no character in half", text: "ab😀cd", max: 4, expected: "ab…" },
])("oneLine $name", ({ text, max, expected }) => {
  expect(oneLine(text, max)).toBe(expected);
});

it.each([
  { name: "cuts at the width, and marks it", line: "abcdef", columns: 3, expected: "ab…" },
  { name: "leaves what fits", line: "abc", columns: 3, expected: "abc" },
  { name: "counts Chinese characters twice", line: "北京天气", columns: 5, expected: "北京…" },
  { name: "counts pictographs twice", line: "✅⭐✅", columns: 4, expected: "✅…" },
])("fitColumns $name", ({ line, columns, expected }) => {
  expect(fitColumns(line, columns)).toBe(expected);
});

it.each([
  { ms: 0.4, expected: "0 ms" },
  { ms: 999, expected: "999 ms" },
  { ms: 1_000, expected: "1.0 s" },
  { ms: 59_949, expected: "59.9 s" },
  { ms: 59_990, expected: "1 min 0 s" },
  { ms: 125_000, expected: "2 min 5 s" },
  { ms: 3_599_600, expected: "1 h 0 min" },
  { ms: 95_000_000, expected: "26 h 23 min" },
])("duration tells $ms milliseconds as $expected", ({ ms, expected }) => {
  expect(duration(ms)).toBe(expected);
});

it.each([
  { number: 1, expected: "1 call" },
  { number: 0, expected: "0 calls" },
  { number: 1234, expected: "1,234 calls" },
])("count tells $number as $expected", ({ number, expected }) => {
  expect(count(number, "call")).toBe(expected);
});

it.each([
  { bytes: 1, expected: "1 byte" },
  { bytes: 999, expected: "999 bytes" },
  { bytes: 12_400, expected: "12 kB" },
  { bytes: 999_499, expected: "999 kB" },
  { bytes: 999_500, expected: "1.0 MB" },
])("fileSize tells $bytes bytes as $expected", ({ bytes, expected }) => {
  expect(fileSize(bytes)).toBe(expected);
});
