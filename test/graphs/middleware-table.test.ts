import { readFileSync } from "node:fs";

import { tool } from "@langchain/core/tools";
import * as langchain from "langchain";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import {
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type GraphOptions,
  type AgentGraph,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { call, made, question } from "../support/middleware.js";
import { finishWith, planText, stepOf } from "../support/plans.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

type Row = {
  readonly name: string;
  readonly create: (options: GraphOptions) => AgentGraph;
  readonly replies: readonly (string | ReturnType<typeof call>)[];
};

/** Every graph with tools, and a script in which it calls the tool `price` once. */
const graphs: readonly Row[] = [
  { name: "react", create: createReactGraph, replies: [call("tea", "c1"), "Done."] },
  {
    name: "rewoo",
    create: createRewooGraph,
    replies: [planText(stepOf("price", "tea")), "Done."],
  },
  {
    name: "llm-compiler",
    create: createLlmCompilerGraph,
    replies: [planText(stepOf("price", "tea")), finishWith("Done.")],
  },
  {
    name: "plan-execute",
    create: createPlanExecuteGraph,
    replies: [taskPlanText({ task: "Price it." }), call("tea", "c1"), "3", respondWith("Done.")],
  },
];

const model = scriptedModel([]);
/** LangChain's middleware, each with options with which it can be made. */
const exported: { readonly [name: string]: unknown } = {
  anthropicPromptCachingMiddleware: undefined,
  bedrockPromptCachingMiddleware: undefined,
  contextEditingMiddleware: {},
  dynamicSystemPromptMiddleware: () => "Be kind.",
  humanInTheLoopMiddleware: { interruptOn: { price: true } },
  llmToolSelectorMiddleware: { model },
  modelCallLimitMiddleware: { runLimit: 1 },
  modelFallbackMiddleware: model,
  modelRetryMiddleware: {},
  openAIModerationMiddleware: { model },
  piiMiddleware: "email",
  piiRedactionMiddleware: {},
  providerToolSearchMiddleware: {},
  summarizationMiddleware: { model },
  todoListMiddleware: undefined,
  toolCallLimitMiddleware: { runLimit: 1 },
  toolEmulatorMiddleware: { model },
  toolErrorMiddleware: {},
  toolRetryMiddleware: {},
};
const notMiddleware = new Set(["createMiddleware"]);

/** The table of the page: for each middleware the cells of the graphs. */
const page = readFileSync(new URL("../../docs/middleware.md", import.meta.url), "utf8");
const table = new Map(
  [...page.matchAll(/^\| `(\w+Middleware)` +\|([^|]*)\|([^|]*)\|([^|]*)\|/gm)].map(
    ([, name = "", react = "", steps = "", tasks = ""]) => [
      name,
      { react: react.trim(), steps: steps.trim(), tasks: tasks.trim() },
    ],
  ),
);

type Cell = Pick<Row, "create"> & { readonly name: string; readonly options: unknown };

/** A graph with one of LangChain's middleware. */
function withMiddleware({ name, options, create }: Cell): AgentGraph {
  const build: unknown = Reflect.get(langchain, name);
  if (typeof build !== "function") throw new TypeError(`${name} is no function`);
  const middleware = made((given: never) => Reflect.apply(build, undefined, [given]), options);
  return create({ models: "offline", middleware: [middleware] });
}

beforeEach(() => {
  // One of them is deprecated, and says so.
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("the table of LangChain's middleware", () => {
  it("has every middleware that LangChain exports", () => {
    const names = Object.keys(langchain).filter((name) => name.endsWith("Middleware"));
    const expected = names.filter((name) => !notMiddleware.has(name));
    expect([...table.keys()].toSorted()).toEqual(expected.toSorted());
    expect(Object.keys(exported).toSorted()).toEqual(expected.toSorted());
  });

  const cells = Object.entries(exported).flatMap(([name, options]) =>
    graphs.map(({ name: graph, create }) => {
      const { react = "", steps = "", tasks = "" } = table.get(name) ?? {};
      const cell = { react, "plan-execute": tasks }[graph] ?? steps;
      return { name, options, graph, create, cell };
    }),
  );

  it.each(cells.filter(({ cell }) => cell !== "refused"))("$name in $graph", (row) => {
    expect(row.cell).toMatch(/^works$|^works in part: ./);
    expect(() => withMiddleware(row)).not.toThrow();
  });

  it.each(cells.filter(({ cell }) => cell === "refused"))("$name, refused in $graph", (row) => {
    expect(() => withMiddleware(row)).toThrow(/the middleware "\S+" \w+s .* Expected /);
  });
});

describe.each(graphs)("in $name", ({ create, replies }) => {
  const run = async (middleware: GraphOptions["middleware"], failures = 0) => {
    let left = failures;
    const price = tool(
      ({ item }) => {
        left -= 1;
        if (left >= 0) throw new Error("asleep");
        return `${item}: 3 euros`;
      },
      { name: "price", description: "Gives a price.", schema: z.object({ item: z.string() }) },
    );
    const models = scriptedModel(replies);
    const graph = create({ models, tools: [price], ...(middleware && { middleware }) });
    const result = await graph.invoke(question);
    expect(result.outcome).toEqual({ status: "answered" });
    return { result, models };
  };

  it("wrap hooks are around every model call and every tool call, tools of middleware are the graph's", async () => {
    const seen = { models: 0, tools: 0 };
    const counting = langchain.createMiddleware({
      name: "counting",
      tools: [tool(() => "1", { name: "extra", description: "Extra.", schema: z.object({}) })],
      wrapModelCall: (request, handler) => {
        seen.models += 1;
        return handler(request);
      },
      wrapToolCall: (request, handler) => {
        seen.tools += 1;
        return handler(request);
      },
    });
    const { models } = await run([counting]);
    expect(seen).toEqual({ models: replies.length, tools: 1 });
    expect(JSON.stringify(models.calls[0])).toContain("extra");
  });

  it("a dynamic system prompt is in every request", async () => {
    const kind = langchain.dynamicSystemPromptMiddleware(() => "Be kind.");
    const { models } = await run([kind]);
    const systems = models.calls.map(({ messages }) => messages[0]?.text ?? "");
    expect(systems.every((text) => text.includes("Be kind."))).toBe(true);
  });

  it("a tool that fails is tried again", async () => {
    const retrying = langchain.toolRetryMiddleware({
      maxRetries: 2,
      initialDelayMs: 0,
      jitter: false,
    });
    const { result } = await run([retrying], 1);
    expect(JSON.stringify(result.observations)).toContain("tea: 3 euros");
  });
});
