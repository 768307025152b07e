import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  asTool,
  createCurrentDateTool,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createRandomNumberTool,
  createReactGraph,
  createResolveDateTool,
  createRewooGraph,
  createRouterGraph,
  withPolicy,
} from "../../src/index.js";
import { loadServices, servicesFromOpenApi, serviceTools } from "../../src/services/index.js";
import { parseRunContext } from "../../src/runtime/options.js";

const graph = createReactGraph({ models: "offline" });
const named = (name: string, schema: z.ZodObject) =>
  tool(() => "", { name, description: "d", schema });
const price = named("price", z.object({ item: z.string() }));
const dated = named("plan_trip", z.object({ to: z.string(), start: z.date() }));
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
      name: "a tool that was not awaited",
      build: () => Reflect.apply(createReactGraph, undefined, [{ tools: [Promise.resolve()] }]),
      error: /Expected a LangChain tool .* got a promise \(await it first\)/,
    },
    {
      name: "no model in a role",
      build: () => Reflect.apply(createReactGraph, undefined, [{ models: { executor: {} } }]),
      error: /models\.executor: .* got an object without keys/,
    },
    {
      name: "a misspelt field of a price",
      build: () =>
        Reflect.apply(createReactGraph, undefined, [{ prices: { m: { input: 1, ouput: 2 } } }]),
      error: /prices\["m"\]: there is no "ouput"\. Did you mean output\?/,
    },
    {
      name: "a price that is a text",
      build: () =>
        Reflect.apply(createReactGraph, undefined, [{ prices: { m: { input: "1", output: 2 } } }]),
      error: /prices\["m"\]\.input: expected US dollars .* got "1"/,
    },
    {
      name: "a price without output",
      build: () => Reflect.apply(createReactGraph, undefined, [{ prices: { m: { input: 1 } } }]),
      error: /prices\["m"\]\.output: .* got undefined/,
    },
    {
      name: "a misspelt option of the random number",
      build: () => Reflect.apply(createRandomNumberTool, undefined, [{ sed: 1 }]),
      error: /createRandomNumberTool: there is no "sed"\. Did you mean seed\?/,
    },
    {
      name: "a misspelt option of the current date",
      build: () => Reflect.apply(createCurrentDateTool, undefined, [{ timezone: "UTC" }]),
      error: /there is no "timezone"\. Did you mean timeZone\?/,
    },
    {
      name: "a misspelt option of dates in words",
      build: () => Reflect.apply(createResolveDateTool, undefined, [{ timezone: "UTC" }]),
      error: /there is no "timezone"\. Did you mean timeZone\?/,
    },
    {
      name: "a misspelt choice of operations, which would be all",
      build: () => Reflect.apply(servicesFromOpenApi, undefined, [{}, { tag: ["pets"] }]),
      error: /The selection: there is no "tag"\. Did you mean tags\?/,
    },
    {
      name: "an address for operations under another name, which would not be used",
      build: () => Reflect.apply(servicesFromOpenApi, undefined, [{}, { server: "https://a" }]),
      error: /The selection: there is no "server"\. Did you mean serverUrl\?/,
    },
    {
      name: "a checkpointer that was not awaited",
      build: () =>
        Reflect.apply(createReactGraph, undefined, [{ checkpointer: Promise.resolve({}) }]),
      error: /checkpointer: expected a checkpointer of LangGraph's, .* got a promise \(await it/,
    },
    {
      name: "a checkpointer by its file",
      build: () => Reflect.apply(createReactGraph, undefined, [{ checkpointer: "runs.db" }]),
      error: /checkpointer: .* got "runs\.db"/,
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
      name: "a tool whose schema is no JSON Schema",
      build: () => createReactGraph({ models: "offline", tools: [dated] }),
      error: /The schema of "plan_trip" cannot be told to a model: property "start": Date cannot/,
    },
    {
      name: "such a tool in a graph that plans",
      build: () => createRewooGraph({ models: "offline", tools: [dated] }),
      error: /The schema of "plan_trip" .* Expected a JSON Schema/,
    },
    {
      name: "a graph as a tool with such a schema",
      build: () => {
        const schema = z.object({ on: z.date() });
        const expert = asTool(graph, { name: "e", description: "d", schema, messages: () => [] });
        return createReactGraph({ models: "offline", tools: [expert] });
      },
      error: /The schema of "e" cannot be told to a model: property "on"/,
    },
    {
      name: "a misspelt field of a policy",
      build: () => Reflect.apply(withPolicy, undefined, [price, { efect: "read" }]),
      error:
        /The policy of "price" does not fit: efect: there is no such field \(did you mean effect\?\)/,
    },
    {
      name: "a misspelt field of a policy's retry",
      build: () => Reflect.apply(withPolicy, undefined, [price, { retry: { attempt: 2 } }]),
      error: /retry\.attempt: there is no such field \(did you mean attempts\?\)/,
    },
    {
      name: "a field of a policy that is near to none",
      build: () => Reflect.apply(withPolicy, undefined, [price, { colour: "red" }]),
      error: /colour: there is no such field, only .*effect/,
    },
    {
      name: "a misspelt limit",
      build: () => Reflect.apply(createReactGraph, undefined, [{ limits: { modelCall: 3 } }]),
      error: /Unknown limit "modelCall"\. Did you mean modelCalls\?/,
    },
    {
      name: "a number that is a text",
      build: () => Reflect.apply(createReactGraph, undefined, [{ concurrency: "4" }]),
      error: /concurrency: expected 1 or more, got "4"\./,
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

describe("an option that there is not is refused, with the name that was meant", () => {
  const route = { description: "All.", graph };
  const routes = { one: route, two: route };

  it.each([
    { create: createReactGraph, option: "llm", meant: "models" },
    { create: createReactGraph, option: "prompt", meant: "prompts.agent" },
    { create: createReactGraph, option: "system", meant: "systemPrompt" },
    { create: createReactGraph, option: "responseformat", meant: "responseFormat" },
    { create: createRewooGraph, option: "tool", meant: "tools" },
    { create: createRewooGraph, option: "instructions", meant: "systemPrompt" },
    { create: createPlanExecuteGraph, option: "reviewPlans", meant: "reviewPlan" },
    { create: createLlmCompilerGraph, option: "maxIterations", meant: "limits.modelCalls" },
    { create: createRouterGraph, option: "route", meant: "routes" },
  ])("$option, of $create.name", ({ create, option, meant }) => {
    const options = { models: "offline", [option]: undefined };
    const build = () =>
      Reflect.apply(create, undefined, [
        create === createRouterGraph ? { ...options, routes } : options,
      ]);

    expect(build).toThrow(`${create.name}: there is no "${option}". Did you mean ${meant}?`);
  });

  it.each([
    {
      create: createReactGraph,
      prompts: { agnet: "x" },
      error: /prompts: .*"agnet".*mean agent\?/,
    },
    {
      create: createRewooGraph,
      prompts: { planer: "x" },
      error: /"planer"\. Did you mean planner\?/,
    },
    {
      create: createRewooGraph,
      prompts: { system: "x" },
      error: /"system"\. Did you mean planner\?/,
    },
    {
      create: createReactGraph,
      prompts: "x",
      error: /prompts: expected an object with agent, got "x"/,
    },
    {
      create: createReactGraph,
      prompts: { agent: 1 },
      error: /prompts\.agent: expected a text, got 1/,
    },
  ])("prompts $prompts, of $create.name", ({ create, prompts, error }) => {
    expect(() => Reflect.apply(create, undefined, [{ models: "offline", prompts }])).toThrow(error);
  });

  it.each([
    {
      name: "graph",
      given: { ...route, grph: graph },
      error: /routes\.one: .*"grph".*mean graph\?/,
    },
    { name: "route", given: undefined, error: /routes\.one: expected \{ description, graph \}/ },
  ])("a field of a route: $name", ({ given, error }) => {
    const options = { models: "offline", routes: { one: given, two: route } };
    expect(() => Reflect.apply(createRouterGraph, undefined, [options])).toThrow(error);
  });

  it("an option of another graph", () => {
    const options = { models: "offline", reviewPlan: true };
    expect(() => Reflect.apply(createReactGraph, undefined, [options])).toThrow(
      /there is no "reviewPlan"/,
    );
    expect(createPlanExecuteGraph({ models: "offline", reviewPlan: true })).toBeDefined();
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
