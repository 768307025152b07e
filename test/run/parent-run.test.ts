import { expect, it } from "vitest";

import { parentRunOf, withParentRun } from "../../src/run/scope.js";
import { runScope } from "../support/run-scope.js";

it("hands a parent down with a config, beside what was there", () => {
  const parent = { budget: runScope().run.budget, inTask: true };
  const config = { configurable: { thread_id: "t" } };
  const handed = withParentRun(config, parent);
  expect(parentRunOf(handed)).toBe(parent);
  expect(handed.configurable).toMatchObject({ thread_id: "t" });
  expect(parentRunOf(config)).toBeUndefined();
});

it.each([
  { name: "no config", config: undefined },
  { name: "no configurable", config: {} },
  {
    name: "something else under its name",
    config: { configurable: { __plangraph_parent: { budget: {}, inTask: true } } },
  },
])("finds no parent in $name", ({ config }) => {
  expect(parentRunOf(config)).toBeUndefined();
});
