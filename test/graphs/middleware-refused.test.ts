import { Annotation } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";

const hook = () => undefined;

const create = (options: object) =>
  Reflect.apply(createReactGraph, undefined, [{ models: "offline", ...options }]);

describe("middleware is refused when the graph is made", () => {
  it.each([
    {
      name: "with a name that no node may have",
      own: { name: "a|b", beforeModel: hook },
      error: '"a|b" has "|" or ":" in its name, which LangGraph reserves',
    },
    {
      name: "with a hook that is no function",
      own: { beforeModel: {} },
      error: "has a beforeModel that is no function: an object without keys",
    },
    {
      name: "with a wrapper that is no function",
      own: { wrapToolCall: 3 },
      error: "has a wrapToolCall that is no function: 3",
    },
    {
      name: "with a place that no graph has",
      own: { afterModel: { hook, canJumpTo: ["model", "finish"] } },
      error: "expected a list of model, tools, end",
    },
    {
      name: "with a place that is no list",
      own: { afterModel: { hook, canJumpTo: "end" } },
      error: 'has afterModel.canJumpTo "end"; expected a list of model, tools, end',
    },
    {
      name: "with tools that are no list",
      own: { tools: {} },
      error: "has tools that are no list",
    },
  ])("$name", ({ own, error }) => {
    expect(() => create({ middleware: [{ name: "own", ...own }] })).toThrow(error);
  });
});

const error = (key: string) => `createReactGraph: stateSchema: "${key}" is a reserved name`;

describe("a state key with a reserved name is refused when the graph is made", () => {
  it.each(["constructor", "toString", "__start__", "__interrupt__", "branch:to:agent"])(
    "%s of a zod object",
    (key) => {
      const stateSchema = z.object({ [key]: z.string().optional() });
      expect(() => create({ stateSchema })).toThrow(error(key));
    },
  );

  it.each(["constructor", "__proto__", "__start__", "branch:to:agent"])(
    "%s of an annotation",
    (key) => {
      const spec = Object.fromEntries([[key, Annotation<string>()]]);
      expect(() => create({ stateSchema: Annotation.Root(spec) })).toThrow(error(key));
    },
  );
});
