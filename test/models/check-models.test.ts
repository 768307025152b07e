import { expect, it } from "vitest";

import { checkModels } from "../../src/models/check-models.js";
import { scriptedModel } from "../../src/testing/index.js";

it.each([
  { name: "a spec", models: "openai:x" },
  { name: "a list of a model and a spec", models: [scriptedModel([]), "offline"] },
  { name: "models by role", models: { planner: "openai:big", executor: ["openai:a", "ollama:b"] } },
])("$name passes", ({ models }) => {
  expect(() => checkModels(models)).not.toThrow();
});

it.each([
  {
    name: "an unknown role",
    models: { planer: "openai:x" },
    error: /models\.planer is no role\. Did you mean planner\? The roles are planner/,
  },
  {
    name: "a bad spec in a role",
    models: { planner: ["openai:x", "big"] },
    error: /"big" is no model spec/,
  },
  { name: "an empty list", models: [], error: /at least one model/ },
  { name: "a bound model", models: scriptedModel([]).bindTools([]), error: /tools bound/ },
])("$name is refused", ({ models, error }) => {
  const given: object = models;
  expect(() => checkModels(given)).toThrow(error);
});
