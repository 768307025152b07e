import { describe, expect, it } from "vitest";

import type { Observation } from "../../src/state/observation.js";
import {
  keepResult,
  type KeptResult,
  maxKeptChars,
  wholeText,
  wholeValue,
} from "../../src/tools/kept-result.js";

const whole = { isCut: false, isBare: true };
const cut = { isCut: true, isBare: true };
const fenced = { isCut: false, isBare: false };
const large = "x".repeat(maxKeptChars + 1);
const small = { a: 1 };

const observation = (content: string, kept: KeptResult): Observation => ({
  callId: "c1",
  tool: "page",
  args: {},
  ok: true,
  content,
  attempts: 1,
  startedAt: 0,
  ms: 0,
  ...kept,
});

describe("keepResult", () => {
  it.each<{
    name: string;
    result: Parameters<typeof keepResult>[0];
    shown: Parameters<typeof keepResult>[1];
    kept: KeptResult;
    value: unknown;
    text: string;
  }>([
    {
      name: "nothing of a text that content is",
      result: { text: "hi" },
      shown: whole,
      kept: {},
      value: "hi",
      text: "hi",
    },
    {
      name: "a fenced text",
      result: { text: "hi!" },
      shown: fenced,
      kept: { value: "hi!" },
      value: "hi!",
      text: "hi!",
    },
    {
      name: "a cut text",
      result: { text: "hello" },
      shown: cut,
      kept: { value: "hello", cut: 5 },
      value: "hello",
      text: "hello",
    },
    {
      name: "data",
      result: { text: '{"a":1}', value: small },
      shown: whole,
      kept: { value: small },
      value: small,
      text: "hi",
    },
    {
      name: "cut data that says its text, once",
      result: { text: '{"a":1}', value: small },
      shown: cut,
      kept: { value: small, cut: 7 },
      value: small,
      text: '{"a":1}',
    },
    {
      name: "cut data and a text of its own",
      result: { text: "one row", value: small },
      shown: cut,
      kept: { value: small, text: "one row", cut: 7 },
      value: small,
      text: "one row",
    },
    {
      name: "no text that is too large",
      result: { text: large },
      shown: cut,
      kept: { notKept: large.length },
      value: undefined,
      text: "hi",
    },
    {
      name: "no data that are too large, and their short text",
      result: { text: "many", value: large },
      shown: whole,
      kept: { notKept: large.length + 2 },
      value: undefined,
      text: "hi",
    },
    {
      name: "data beside a text that is too large",
      result: { text: large, value: small },
      shown: cut,
      kept: { value: small },
      value: small,
      text: "hi",
    },
  ])("keeps $name", ({ result, shown, kept, value, text }) => {
    const keeps = keepResult(result, shown);
    expect(keeps).toEqual(kept);
    expect(wholeValue(observation("hi", keeps))).toEqual(value);
    expect(wholeText(observation("hi", keeps))).toBe(text);
  });
});
