import { expect, it } from "vitest";

import { editSteps } from "../../src/cli/edit-steps.js";
import type { TaskStep } from "../../src/plan/step.js";

const steps: readonly TaskStep[] = [
  { kind: "task", id: "S2", task: "Price of tea." },
  { kind: "task", id: "S3", task: "Price of milk.", after: ["S1"] },
  { kind: "task", id: "S4", task: "Sum.", after: ["S2", "S3"], final: true },
];

/** Steps in short: "S4 Sum. <S2 S3". */
function short(all: readonly TaskStep[]): string[] {
  return all.map(({ id, task, after = [] }) =>
    [id, task, ...(after.length === 0 ? [] : [`<${after.join(" ")}`])].join(" "),
  );
}

it.each([
  {
    name: "leaves steps out, for which nothing waits any more",
    typed: "drop S3",
    left: ["S2 Price of tea.", "S4 Sum. <S2"],
  },
  { name: "leaves several out", typed: "DROP s2, s3", left: ["S4 Sum."] },
  {
    name: "puts steps first",
    typed: "order S3",
    left: ["S3 Price of milk. <S1", "S2 Price of tea.", "S4 Sum. <S2 S3"],
  },
  {
    name: "has steps follow one another where one waited for a later one",
    typed: "order S4 S4 S2",
    left: ["S4 Sum.", "S2 Price of tea. <S4", "S3 Price of milk. <S2"],
  },
  {
    name: "gives a step other words",
    typed: " S2:  Price of coffee. ",
    left: ["S2 Price of coffee.", "S3 Price of milk. <S1", "S4 Sum. <S2 S3"],
  },
  {
    name: "takes a full-width colon",
    typed: "s2：茶的价格",
    left: ["S2 茶的价格", "S3 Price of milk. <S1", "S4 Sum. <S2 S3"],
  },
  {
    name: "adds a step before the one that gives the answer",
    typed: "add: Price of sugar.",
    left: ["S2 Price of tea.", "S3 Price of milk. <S1", "S5 Price of sugar.", "S4 Sum. <S2 S3 S5"],
  },
])("editSteps $name", ({ typed, left }) => {
  const edited = editSteps(steps, typed);
  expect(edited?.ok === true ? short(edited.steps) : edited).toEqual(left);
});

it("editSteps adds a step at the end where no step gives the answer", () => {
  const edited = editSteps(steps.slice(0, 2), "add: Say it.");
  expect(edited).toMatchObject({ ok: true, steps: [{}, {}, { id: "S4", task: "Say it." }] });
});

it.each([
  { name: "a step that is not there", typed: "drop S9", problem: /no step S9: .* S2, S3, S4/ },
  { name: "an order of such", typed: "order S2 S1", problem: /no step S1/ },
  { name: "other words for such", typed: "S7: x", problem: /no step S7/ },
  { name: "a plan without steps", typed: "drop S2 S3 S4", problem: /No step would be left/ },
])("editSteps refuses $name", ({ typed, problem }) => {
  expect(editSteps(steps, typed)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(problem),
  });
});

it.each(["", "y", "maybe", "drop", "S2", "S2:", "add", "order "])(
  "editSteps finds no change in %j",
  (typed) => {
    expect(editSteps(steps, typed)).toBeUndefined();
  },
);
