import { expect, it } from "vitest";

import { undoneLine } from "../../src/prompts/undone.js";
import { observation } from "../support/observations.js";

const refund = new Set(["refund", "book"]);
const failed = { ok: false, content: "Error (rejected): no such order." };

it.each([
  { name: "there were no calls", seen: [] },
  { name: "there were reads", seen: [observation({ tool: "find" })] },
  { name: "the call failed", seen: [observation({ tool: "refund", ...failed })] },
  {
    name: "a person refused it",
    seen: [observation({ tool: "refund", ...failed, attempts: 0 })],
  },
])("says that nothing was done where $name", ({ seen }) => {
  expect(undoneLine(refund, seen)).toBe(
    "No call of refund or book succeeded: do not say that this was done. ",
  );
});

it.each([
  { name: "a call succeeded", seen: [observation({ tool: "refund" })] },
  {
    name: "one of several did",
    seen: [observation({ tool: "refund", ...failed }), observation({ tool: "book" })],
  },
  {
    name: "one may have taken effect without a result",
    seen: [observation({ tool: "refund", ...failed, maybeDuplicate: true })],
  },
])("says nothing where $name", ({ seen }) => {
  expect(undoneLine(refund, seen)).toBe("");
});

it("says nothing where no tool can change anything, and names few tools", () => {
  expect(undoneLine(new Set(), [])).toBe("");
  expect(undoneLine(new Set(["a", "b", "c", "d", "e"]), [])).toContain(
    "No call of a tool that changes something succeeded",
  );
});
