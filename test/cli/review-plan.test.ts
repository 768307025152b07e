import { expect, it } from "vitest";

import { reviewOf } from "../../src/roles/reviewer.js";
import type { AllowedDecision } from "../../src/state/person-requests.js";
import { typing } from "./typing.js";

const plan = reviewOf([
  { kind: "task", id: "S1", task: "Price of\u001b[2J tea." },
  { kind: "task", id: "S2", task: "Double it.", after: ["S1"], final: true },
]);
const tea = { id: "S1", task: "Price of\u001b[2J tea.", after: [] };
const double = { id: "S2", task: "Double it.", after: ["S1"], final: true };

/** Asks about a plan; the person types these lines, then goes away. */
function asked(
  typed: readonly string[],
  action: object = plan,
  allowed: readonly AllowedDecision[] = ["approve", "edit", "reject"],
) {
  const value = {
    action_requests: [action],
    review_configs: [{ action_name: "plan", allowed_decisions: allowed }],
  };
  return typing(value, typed);
}

const edit = (...steps: readonly unknown[]) => ({
  type: "edit",
  edited_action: { name: "plan", args: { steps } },
});

it.each([
  { name: "y", typed: ["y"], decision: { type: "approve" } },
  { name: "n", typed: ["n"], decision: { type: "reject" } },
  {
    name: "no and a reason",
    typed: ["no milk matters too"],
    decision: { type: "reject", message: "milk matters too" },
  },
  { name: "a change, then y", typed: ["drop S2", "yes"], decision: edit(tea) },
  {
    name: "several changes, then y",
    typed: ["S2: Halve it.", "add: Thank them.", "drop s1", "y"],
    decision: edit(
      { id: "S3", task: "Thank them.", after: [] },
      { ...double, task: "Halve it.", after: ["S3"] },
    ),
  },
  {
    name: "what is no change, then y",
    typed: ["drop S7", "perhaps", "y"],
    decision: { type: "approve" },
  },
  {
    name: "a change, then no",
    typed: ["drop S2", "n too short"],
    decision: { type: "reject", message: "too short" },
  },
  { name: "JSON", typed: ["e", '{"steps":["Only this."]}'], decision: edit("Only this.") },
])("a plan is answered with $name", async ({ typed, decision }) => {
  const { answer, left } = await asked(typed);
  expect(answer).toEqual({ decisions: [decision] });
  expect(left).toEqual([]);
});

it("a plan names the executor of a task that has one", async () => {
  const mixed = reviewOf([
    { kind: "task", id: "S1", task: "Find it.", executor: "search" },
    { kind: "task", id: "S2", task: "Tell it.", after: ["S1"] },
  ]);
  const { shown } = await asked(["y"], mixed);
  expect(shown).toContain("    S1 Find it. [search]\n    S2 Tell it. (after S1)\n");
});

it("a plan is shown as a list, and again after each change", async () => {
  const { shown } = await asked(["S1: Price of milk.", "drop S9", "hm", "y"]);
  const hint = [
    "y = run it, n [reason] = plan again, e = edit it as JSON;",
    "or first drop S2, order S2 S1 (the others follow), S2: other words, add: words of a new step",
  ];
  expect(shown.trimEnd().split("\n")).toEqual([
    "! Carry out this plan?",
    "    S1 Price of[2J tea.",
    "    S2 Double it. (after S1)",
    ...hint,
    "    S1 Price of milk.",
    "    S2 Double it. (after S1)",
    "There is no step S9: expected one of S1, S2.",
    "Please answer:",
    ...hint,
  ]);
});

it("JSON starts from the plan as it was changed", async () => {
  const { prefills } = await asked(["drop S2", "e", "{}"]);
  expect(prefills).toEqual([undefined, undefined, JSON.stringify({ steps: [tea] })]);
});

it("nothing is decided when the person goes away after a change", async () => {
  expect((await asked(["drop S2"])).answer).toBeUndefined();
});

it.each([
  {
    name: "another tool with steps",
    action: { ...plan, name: "itinerary" },
    allowed: ["approve", "edit"] as const,
  },
  {
    name: "a tool named plan with other arguments",
    action: { ...plan, args: { steps: 3 } },
    allowed: ["approve", "edit"] as const,
  },
  { name: "a plan that may not be edited", action: plan, allowed: ["approve"] as const },
])("$name is asked about as every call is", async ({ action, allowed }) => {
  const { shown, answer } = await asked(["y"], action, allowed);
  expect(shown).toContain("y = run it");
  expect(answer).toEqual({ decisions: [{ type: "approve" }] });
});
