import { describe, expect, it } from "vitest";

import { lastTelling } from "../../src/runtime/asked-words.js";
import { found, missing } from "../support/look-ups.js";

const question = "In which year was the head of the firm that built the Orrin Bridge born?";
const bridge = found("Orrin Bridge", "The Orrin Bridge was built by Orsk Foundry in 1828.");
const firm = found("Orsk Foundry", "Orsk Foundry, founded in 1771, is headed by Emil Hark.");
const head = found("Emil Hark", "Emil Hark, born in 1948, lives in Harbour End.");
const town = found("Harbour End", "Harbour End covers 290 hectares.");

describe("the last fact that tells something asked", () => {
  it.each([
    { name: "the end of a chain", calls: [bridge, firm, head], told: head.content },
    {
      name: "not what was looked up besides",
      calls: [bridge, firm, head, town],
      told: head.content,
    },
    {
      name: "what was told before a call failed",
      calls: [bridge, missing("census", "Orrin Bridge")],
      told: bridge.content,
    },
  ])("is $name", ({ calls, told }) => {
    expect(lastTelling(calls, question)).toBe(told);
  });

  it.each([
    { name: "there is no call", calls: [] },
    { name: "no result tells it", calls: [town] },
    { name: "its tool is not trusted", calls: [{ ...head, trust: "untrusted" as const }] },
    { name: "a model wrote it", calls: [{ ...head, trust: "model" as const }] },
    {
      name: "it is a passage",
      calls: [{ ...head, content: `${head.content}${" He rests.".repeat(60)}` }],
    },
    { name: "it has several lines", calls: [{ ...head, content: `${head.content}\nHe rests.` }] },
  ])("is none where $name", ({ calls }) => {
    expect(lastTelling(calls, question)).toBeUndefined();
  });
});
