import { expect, it } from "vitest";

import { checkModels } from "../../src/models/open-model.js";
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
  {
    name: "no model in a role",
    models: { executor: {} },
    error: /models\.executor: .* got an object without keys/,
  },
  { name: "a number in a role", models: { planner: 5 }, error: /models\.planner: .* got 5/ },
  { name: "null in a role", models: { planner: null }, error: /models\.planner: .* got null/ },
  {
    name: "roles in a role",
    models: { planner: { executor: "openai:x" } },
    error: /models\.planner: .* got an object with the keys executor/,
  },
  { name: "a list with a number", models: ["openai:x", 5], error: /models: .* got 5/ },
  {
    name: "a promise in a list of a role",
    models: { solver: [Promise.resolve()] },
    error: /models\.solver: .* got a promise/,
  },
  {
    name: "a model of the AI SDK in a role",
    models: { solver: { modelId: "gpt" } },
    error: /models\.solver: .* got a model of the AI SDK \(gpt\)/,
  },
  { name: "an empty list in a role", models: { solver: [] }, error: /at least one model/ },
  { name: "an empty list", models: [], error: /at least one model/ },
  { name: "a bound model", models: scriptedModel([]).bindTools([]), error: /tools bound/ },
])("$name is refused", ({ models, error }) => {
  const given: object = models;
  expect(() => checkModels(given)).toThrow(error);
});
