import { describe, expect, it } from "vitest";

import {
  asTool,
  createReactGraph,
  createRouterGraph,
  loadServices,
  serviceTools,
} from "../../src/index.js";
import { parseRunContext } from "../../src/runtime/run-context.js";

const graph = createReactGraph({ models: "offline" });
/** What only a program without types can write. */
const untyped = (value: unknown) => value;

describe("a mistake of the developer's is thrown when the graph is built", () => {
  it.each<{ name: string; build: () => unknown; error: RegExp }>([
    {
      name: "tools that were not awaited",
      build: () => Reflect.apply(createReactGraph, undefined, [{ tools: Promise.resolve([]) }]),
      error: /tools: expected a list of LangChain tools, got a promise \(await it first\)/,
    },
    {
      name: "tools by name",
      build: () => Reflect.apply(createReactGraph, undefined, [{ tools: { look: 1 } }]),
      error: /tools: .* got an object with the keys look/,
    },
    {
      name: "no routes",
      build: () => Reflect.apply(createRouterGraph, undefined, [{}]),
      error: /routes: expected routes by name, got undefined/,
    },
    {
      name: "a limit that is a text",
      build: () => Reflect.apply(createReactGraph, undefined, [{ limits: { seconds: "10" } }]),
      error: /limits\.seconds .* it is "10"\./,
    },
    {
      name: "a model of the AI SDK",
      build: () =>
        Reflect.apply(createReactGraph, undefined, [
          { models: { modelId: "gpt-5", provider: "o" } },
        ]),
      error: /got a model of the AI SDK \(gpt-5\)/,
    },
    {
      name: "a graph as a tool without a description",
      build: () => Reflect.apply(asTool, undefined, [graph, { name: "expert" }]),
      error: /asTool: description: expected a text/,
    },
    {
      name: "a misspelt option of a graph as a tool",
      build: () =>
        Reflect.apply(asTool, undefined, [
          graph,
          { name: "e", description: "d", endOnHandOff: true },
        ]),
      error: /asTool: there is no "endOnHandOff"\. Did you mean endsOnHandOff\?/,
    },
    {
      name: "a misspelt option of services",
      build: () => Reflect.apply(serviceTools, undefined, [[], { allowedHosts: [] }]),
      error: /serviceTools: there is no "allowedHosts"\. Did you mean allowHosts\?/,
    },
  ])("$name", ({ build, error }) => {
    expect(build).toThrow(error);
  });

  it("a path in place of a list of paths", async () => {
    const load = Reflect.apply(loadServices, undefined, [untyped("services")]);

    await expect(load).rejects.toThrow(/loadServices: expected a list of paths, got "services"/);
  });
});

describe("a run's context", () => {
  it.each(["modle", "limts", "time_zone", "timezone", "Model", "contextToken"])(
    "refuses %s, a slip of a field of ours",
    (name) => {
      expect(() => parseRunContext({ [name]: "x" })).toThrow(
        /there is no such field; did you mean/,
      );
    },
  );

  it.each(["user", "mode", "local", "tenant", "plan"])("leaves %s to tools", (name) => {
    expect(() => parseRunContext({ [name]: "x" })).not.toThrow();
  });
});
