import { describe, expect, it } from "vitest";

import type { Observation } from "../../src/state/observation.js";
import { judgeOtherWords, type RepetitionPolicy } from "../../src/tools/repetition.js";
import { observation } from "../support/observations.js";

const policies: { readonly [tool: string]: RepetitionPolicy } = {
  A: { effect: "read" },
  B: { effect: "read" },
  dice: { effect: "read", volatile: true },
  order: { effect: "write" },
  put: { effect: "idempotent" },
};
const policyOf = (tool: string) => policies[tool] ?? {};

/** A call that ran, and brought its tool's name unless said otherwise. */
const ran = (tool: string, given: Partial<Observation> = {}) =>
  observation({ tool, args: {}, content: `result of ${tool}`, ...given });

const refused = (tool: string) =>
  ran(tool, { ok: false, attempts: 0, content: "no", error: { kind: "repeated", message: "no" } });

describe("judgeOtherWords", () => {
  const words = (tool: string, times: number, given: Partial<Observation> = {}) =>
    Array.from({ length: times }, (_, page) => ran(tool, { args: { page }, ...given }));
  const failing = { ok: false, error: { kind: "rejected" as const, message: "no" } };

  it.each<{ name: string; tool: string; seen: readonly Observation[]; action: string }>([
    { name: "the first call runs", tool: "A", seen: [], action: "run" },
    { name: "five alike are tolerated", tool: "A", seen: words("A", 5), action: "run" },
    { name: "after six, another is refused", tool: "A", seen: words("A", 6), action: "refuse" },
    {
      name: "after more that were made at once, another is refused and does not end the run",
      tool: "A",
      seen: words("A", 10),
      action: "refuse",
    },
    {
      name: "one more ends the run",
      tool: "A",
      seen: [...words("A", 6), refused("A")],
      action: "stop",
    },
    {
      name: "a new result in between counts",
      tool: "A",
      seen: [...words("A", 4), ran("A", { content: "new" }), ...words("A", 5)],
      action: "run",
    },
    {
      name: "another tool's new result counts",
      tool: "A",
      seen: [...words("A", 6), ran("B")],
      action: "run",
    },
    {
      name: "another tool's known result does not",
      tool: "A",
      seen: [ran("B"), ...words("A", 6), ran("B")],
      action: "refuse",
    },
    { name: "other tools' calls are not counted", tool: "B", seen: words("A", 9), action: "run" },
    { name: "a tool of unknown effect may", tool: "plain", seen: words("plain", 9), action: "run" },
    { name: "an idempotent tool may", tool: "put", seen: words("put", 9), action: "run" },
    { name: "a write may", tool: "order", seen: words("order", 9), action: "run" },
    { name: "a volatile tool may", tool: "dice", seen: words("dice", 9), action: "run" },
    {
      name: "one failure in all words is refused, whatever the tool's effect",
      tool: "plain",
      seen: words("plain", 6, failing),
      action: "refuse",
    },
    {
      name: "other failures are tolerated",
      tool: "A",
      seen: words("A", 9).map((seen, at) => ({ ...seen, ...failing, content: `no ${at}` })),
      action: "run",
    },
    {
      name: "calls that were not made are not counted",
      tool: "A",
      seen: words("A", 9, { ...failing, attempts: 0 }),
      action: "run",
    },
  ])("$name", ({ tool, seen, action }) => {
    expect(judgeOtherWords({ tool, args: { page: "new" } }, seen, policyOf, 3).action).toBe(action);
    expect(judgeOtherWords({ tool, args: {} }, seen, policyOf, null).action).toBe("run");
  });
});
