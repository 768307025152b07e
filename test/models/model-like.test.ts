import { RunnableLambda } from "@langchain/core/runnables";
import { describe, expect, it } from "vitest";

import {
  asList,
  type Environment,
  isChatModel,
  isModelLike,
  modelFor,
  type ModelRole,
  modelRoles,
  type Models,
} from "../../src/models/model.js";
import { scriptedModel } from "../../src/testing/index.js";

type Row = {
  readonly name: string;
  readonly role: ModelRole;
  readonly context?: Models;
  readonly options?: Models;
  readonly environment?: Environment;
  readonly model: string | readonly string[];
};

describe("modelFor", () => {
  it.each<Row>([
    {
      name: "the context before the options",
      role: "planner",
      context: "context:x",
      options: "options:x",
      model: "context:x",
    },
    {
      name: "the options before the environment",
      role: "planner",
      options: "options:x",
      environment: { PLANGRAPH_PLANNER_MODEL: "one:x", PLANGRAPH_MODEL: "all:x" },
      model: "options:x",
    },
    {
      name: "the role's variable before the one for all",
      role: "planner",
      environment: { PLANGRAPH_PLANNER_MODEL: "one:x", PLANGRAPH_MODEL: "all:x" },
      model: "one:x",
    },
    {
      name: "the variable for all",
      role: "joiner",
      environment: { PLANGRAPH_MODEL: "all:x" },
      model: "all:x",
    },
    {
      name: "blank variables as if they were not set",
      role: "planner",
      options: { executor: "options:x" },
      environment: { PLANGRAPH_PLANNER_MODEL: "", PLANGRAPH_MODEL: "  " },
      model: "options:x",
    },
    {
      name: "a context that is silent on the role",
      role: "executor",
      context: { planner: "context:x" },
      options: { executor: "options:x" },
      model: "options:x",
    },
    {
      name: "the variable for all before another role's variable",
      role: "executor",
      environment: { PLANGRAPH_PLANNER_MODEL: "big:x", PLANGRAPH_MODEL: "small:x" },
      model: "small:x",
    },
    {
      name: "the variable for all before another role's option",
      role: "executor",
      context: { planner: "big:x" },
      environment: { PLANGRAPH_MODEL: "small:x" },
      model: "small:x",
    },
    {
      name: "an inherited option before the role's own variable",
      role: "replanner",
      options: { planner: "options:x" },
      environment: { PLANGRAPH_REPLANNER_MODEL: "one:x" },
      model: "options:x",
    },
    {
      name: "an inherited variable before the one for all",
      role: "solver",
      environment: { PLANGRAPH_EXECUTOR_MODEL: "executor:x", PLANGRAPH_MODEL: "all:x" },
      model: "executor:x",
    },
    {
      name: "another role's option before an offline variable for all",
      role: "executor",
      options: { planner: "big:x" },
      environment: { PLANGRAPH_MODEL: "offline" },
      model: "big:x",
    },
    {
      name: "another role's variable before an offline variable for all",
      role: "planner",
      environment: { PLANGRAPH_EXECUTOR_MODEL: "small:x", PLANGRAPH_MODEL: "offline" },
      model: "small:x",
    },
    {
      name: "an offline variable for all where nothing else is named",
      role: "planner",
      environment: { PLANGRAPH_MODEL: "offline" },
      model: "offline",
    },
    {
      name: "the offline model where the options say it",
      role: "solver",
      options: "offline",
      model: "offline",
    },
    { name: "a list", role: "solver", options: ["a:x", "b:x"], model: ["a:x", "b:x"] },
    {
      name: "a list for one role",
      role: "solver",
      options: { executor: ["a:x", "b:x"] },
      model: ["a:x", "b:x"],
    },
  ])("takes $name", ({ role, context, options, environment = {}, model }) => {
    expect(modelFor(role, [context, options], environment)).toEqual(model);
  });

  it.each<Omit<Row, "model">>([
    { name: "nothing is said", role: "planner" },
    { name: "no role is named", role: "executor", options: {} },
    {
      name: "the variables are blank",
      role: "planner",
      environment: { PLANGRAPH_PLANNER_MODEL: "", PLANGRAPH_MODEL: "  " },
    },
    {
      name: "only a role is named that no other inherits from",
      role: "planner",
      options: { solver: "x:y" },
    },
    {
      name: "only another role's own variable is set",
      role: "executor",
      environment: { PLANGRAPH_SOLVER_MODEL: "x:y" },
    },
  ])("throws missing_model where $name", ({ role, context, options, environment = {} }) => {
    const missing = expect.objectContaining({
      code: "missing_model",
      message: expect.stringMatching(new RegExp(`role "${role}".*"offline"`)),
    });
    expect(() => modelFor(role, [context, options], environment)).toThrow(missing);
  });

  const parents = {
    planner: "planner",
    executor: "executor",
    replanner: "planner",
    joiner: "planner",
    solver: "executor",
    router: "executor",
    rewriter: "executor",
    repairer: "executor",
    reranker: "executor",
  } satisfies Record<ModelRole, ModelRole>;

  it.each(modelRoles.map((role) => ({ role, parent: parents[role] })))(
    "gives the $role its own model, else the $parent's",
    ({ role, parent }) => {
      const both = { planner: "planner:x", executor: "executor:x" };
      expect(modelFor(role, [both], {})).toBe(`${parent}:x`);
      expect(modelFor(role, [{ ...both, [role]: "own:x" }], {})).toBe("own:x");
    },
  );

  it.each(modelRoles)("lets the %s use the only model there is", (role) => {
    expect(modelFor(role, [{ planner: "only:x" }], {})).toBe("only:x");
    expect(modelFor(role, [{ executor: "only:x" }], {})).toBe("only:x");
    expect(modelFor(role, [], { PLANGRAPH_PLANNER_MODEL: "only:x" })).toBe("only:x");
  });

  it("takes an instance as the model for all roles", () => {
    const model = scriptedModel([]);
    expect(modelFor("router", [model], {})).toBe(model);
    expect(modelFor("router", [{ executor: model }], {})).toBe(model);
  });
});

describe("asList", () => {
  it.each([
    { name: "one", models: "openai:x", list: ["openai:x"] },
    { name: "several", models: ["openai:x", "openai:y"], list: ["openai:x", "openai:y"] },
  ])("lists $name", ({ models, list }) => {
    expect(asList(models)).toEqual(list);
  });

  it("refuses an empty list", () => {
    expect(() => asList([])).toThrow(expect.objectContaining({ code: "invalid_model" }));
  });
});

it.each([
  { name: "a spec", models: "openai:x", like: true },
  { name: "a list", models: ["openai:x"], like: true },
  { name: "an instance", models: scriptedModel([]), like: true },
  { name: "models by role", models: { planner: "openai:x" }, like: false },
])("isModelLike tells $name: $like", ({ models, like }) => {
  expect(isModelLike(models)).toBe(like);
});

it.each([
  { name: "a chat model", value: scriptedModel([]), is: true },
  { name: "another runnable", value: RunnableLambda.from(() => ""), is: false },
  { name: "null", value: null, is: false },
  { name: "a text", value: "openai:x", is: false },
])("isChatModel tells $name: $is", ({ value, is }) => {
  expect(isChatModel(value)).toBe(is);
});
