import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  calculator,
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  type Route,
} from "../../src/index.js";
import { fault, scriptedModel, startScriptedServer } from "../../src/testing/index.js";
import { planText } from "../support/plans.js";
import { requestText } from "../support/request-text.js";
import { asking, choice, twoRoutes } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };

const failingRule = () => {
  throw new Error("no such list");
};

describe("rules", () => {
  it.each([
    {
      name: "a pattern",
      rules: { mathematics: /^[\d\s+*-]+\??$/ },
      question: "2 + 3?",
      route: "mathematics",
    },
    {
      name: "a function",
      rules: { physics: (question: string) => question.includes("light") },
      question: "How fast is light?",
      route: "physics",
    },
    {
      name: "the first of two that match",
      rules: { mathematics: /light/, physics: /fast/ },
      question: "How fast is light?",
      route: "mathematics",
    },
  ])("choose without a model: $name", async ({ rules, question, route }) => {
    const { graph, models } = twoRoutes({ rules, [route]: ["There."] });
    const result = await graph.invoke(asking(question));
    expect(result).toMatchObject({ route, answer: "There.", outcome: { status: "answered" } });
    expect(models.router.calls).toHaveLength(0);
    expect(result.usage.modelCalls).toBe(1);
  });

  it("find the same every time, a global pattern too", async () => {
    const mathematics = ["One.", "Two.", "Three."];
    const { graph, models } = twoRoutes({ rules: { mathematics: /\d/g }, mathematics });
    for (const answer of mathematics) {
      expect((await graph.invoke(asking("1 + 2"))).answer).toBe(answer);
    }
    expect(models.router.calls).toHaveLength(0);
  });

  it("that match nothing leave the choice to the model", async () => {
    const { graph, assertExhausted } = twoRoutes({
      rules: { mathematics: /^\d+$/, physics: () => false },
      router: [choice("physics")],
      physics: ["Fast."],
    });
    expect((await graph.invoke(asking("How fast is light?"))).route).toBe("physics");
    assertExhausted();
  });

  it("that fail are the developer's to repair", async () => {
    const { graph } = twoRoutes({ rules: { physics: failingRule } });
    await expect(graph.invoke(asking("Light?"))).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(/routes\.physics\.when failed: .*no such list/),
    });
  });
});

describe("the router's model", () => {
  it("chooses, and the route answers with its own model", async () => {
    const { graph, models, assertExhausted } = twoRoutes({
      router: [choice("physics")],
      physics: ["Very fast."],
    });
    const result = await graph.invoke(asking("How fast is light?"));
    expect(result).toMatchObject({
      route: "physics",
      answer: "Very fast.",
      outcome: { status: "answered" },
      usage: { modelCalls: 2, byRole: { router: { modelCalls: 1 }, executor: { modelCalls: 1 } } },
    });
    expect(result.messages.map(({ type, text }) => [type, text])).toEqual([
      ["human", "How fast is light?"],
      ["ai", "Very fast."],
    ]);
    expect(requestText(models.router.calls[0])).toMatch(/- physics: Nature\.[^]*How fast is light/);
    expect(requestText(models.physics.calls[0])).not.toContain("Nature.");
    assertExhausted();
  });

  it("is told a name that is none, and chooses again", async () => {
    const { graph, models } = twoRoutes({
      router: [choice("chemistry"), choice("physics")],
      physics: ["Fast."],
    });
    const { route, usage } = await graph.invoke(asking("How fast is light?"));
    expect(route).toBe("physics");
    expect(usage.byRole["router"]?.modelCalls).toBe(2);
    expect(models.router.calls[1]?.messages.at(-1)?.text).toContain(
      'expected one of "mathematics", "physics", "unclear" as the route, got "chemistry"',
    );
  });

  it("may name the route in prose", async () => {
    const { graph } = twoRoutes({ router: ["That is physics."], physics: ["Fast."] });
    expect((await graph.invoke(asking("How fast is light?"))).route).toBe("physics");
  });

  it("is told what the caller wants, in place of the default", async () => {
    const { graph, models } = twoRoutes({
      router: [choice("physics")],
      physics: ["Fast."],
      prompts: { router: "Sort the questions." },
    });
    await graph.invoke(asking("How fast is light?"));
    expect(requestText(models.router.calls[0])).toMatch(/^Sort the questions\./);
  });

  it("is another than those of the routes, and so are the requests", async () => {
    await using server = await startScriptedServer({
      replies: [choice("physics"), "It is fast."],
    });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const route = (model: string): Route => ({
      description: `Questions for ${model}.`,
      graph: createReactGraph({ models: model, tools: [calculator], environment }),
    });
    const graph = createRouterGraph({
      models: { router: "openai:small" },
      environment,
      routes: { mathematics: route("openai:counting"), physics: route("openai:knowing") },
    });
    expect((await graph.invoke(asking("How fast is light?"))).answer).toBe("It is fast.");
    expect(server.requests.map(({ body }) => [body?.model, body?.tools?.length ?? 0])).toEqual([
      ["small", 0],
      ["knowing", 1],
    ]);
    expect(server.requests[0]?.body?.response_format).toMatchObject({
      json_schema: { name: "route" },
    });
  });

  it.each([
    {
      name: "that names no route has the user asked",
      options: {},
      result: {
        outcome: { status: "needs_input", reason: expect.stringContaining("physics: Nature") },
      },
      calls: 3,
    },
    {
      name: "that gives no choice leaves it to the default",
      options: { unclear: "mathematics" as const },
      result: { outcome: { status: "answered" }, route: "mathematics", answer: "Four." },
      calls: 4,
    },
  ])("$name", async ({ options, result, calls }) => {
    const { graph } = twoRoutes({
      router: Array.from({ length: 3 }, () => choice("chemistry")),
      mathematics: ["Four."],
      ...options,
    });
    const ended = await graph.invoke(asking("How?"));
    expect(ended).toMatchObject(result);
    expect(ended.usage.modelCalls).toBe(calls);
  });

  it("that cannot be reached fails the run with the reason as its answer", async () => {
    await using server = await startScriptedServer({ replies: [fault.status(404)] });
    const environment = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
    const answers = createReactGraph({ models: "offline" });
    const routes = {
      a: { description: "A.", graph: answers },
      b: { description: "B.", graph: answers },
    };
    const graph = createRouterGraph({ models: "openai:small", environment, routes });
    const { outcome, answer } = await graph.invoke(asking("How?"));
    expect(outcome?.status).toBe("failed");
    expect(answer).toMatch(/^I could not finish: .*404/);
  });

  it("is not asked where there is one route only, and none need be there", async () => {
    const models = scriptedModel(["Four."]);
    const graph = createRouterGraph({
      models: "openai:small",
      environment: {},
      routes: { mathematics: { description: "Sums.", graph: createReactGraph({ models }) } },
    });
    const { answer, usage } = await graph.invoke(asking("2 + 2?"));
    expect(answer).toBe("Four.");
    expect(usage.modelCalls).toBe(1);
  });
});

describe("what a route brings", () => {
  it("is the run's: plan, observations, structured response", async () => {
    const models = scriptedModel([
      planText({ tool: "calculator", args: { expression: "6 * 7" } }),
      "It is 42.",
      '{"value":42}',
    ]);
    const planned = createRewooGraph({
      models,
      tools: [calculator],
      responseFormat: z.object({ value: z.number() }),
    });
    const graph = createRouterGraph({
      routes: { mathematics: { description: "Sums.", graph: planned } },
    });
    const result = await graph.invoke(asking("6 * 7?"));
    expect(result).toMatchObject({
      answer: "It is 42.",
      structuredResponse: { value: 42 },
      steps: [{ id: "E1", tool: "calculator" }],
      observations: [{ callId: "E1", content: "42" }],
      usage: { modelCalls: 3, toolCalls: 1 },
    });
  });

  it("is gone with the next question, which another route answers and which sees what was said", async () => {
    const { graph, models, assertExhausted } = twoRoutes({
      router: [choice("physics"), choice("mathematics"), choice("physics")],
      physics: [
        { toolCalls: [{ name: "price", args: { item: "lamp" } }] },
        "Three euros.",
        "Still three.",
      ],
      mathematics: ["Six euros."],
      checkpointer: new MemorySaver(),
    });
    const first = await graph.invoke(asking("What does a lamp cost?"), thread);
    expect(first.observations).toHaveLength(1);
    const second = await graph.invoke(asking("And two?"), thread);
    expect(second).toMatchObject({
      route: "mathematics",
      answer: "Six euros.",
      observations: [],
      usage: { modelCalls: 2, toolCalls: 0 },
    });
    expect(requestText(models.router.calls[1])).toMatch(/Three euros\.\nAnd two\?/);
    expect(requestText(models.mathematics.calls[0])).toMatch(
      /price of lamp\nThree euros\.\nAnd two\?/,
    );
    const third = await graph.invoke(asking("And one?"), thread);
    expect(third).toMatchObject({
      answer: "Still three.",
      observations: [],
      usage: { modelCalls: 2 },
    });
    expect(third.messages).toHaveLength(8);
    expect(new Set(third.messages.map(({ id }) => id)).size).toBe(8);
    assertExhausted();
  });
});
