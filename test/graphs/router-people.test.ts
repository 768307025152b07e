import { load } from "@langchain/core/load";
import { tool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createReactGraph,
  createRewooGraph,
  createRouterGraph,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { planText } from "../support/plans.js";
import { shopAgent } from "../support/sub-agents.js";
import { fakeClock } from "../support/run-scope.js";
import { asking, choice, ordering, twoRoutes } from "../support/two-routes.js";

const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };
const approved = new Command({ resume: { decisions: [approve] } });
const price = { toolCalls: [{ name: "price", args: { item: "lamp" } }] };
const exact = {
  modelCalls: 4,
  toolCalls: 2,
  byRole: { router: { modelCalls: 1 }, executor: { modelCalls: 3 } },
};

describe("a route that asks people", () => {
  it("pauses the run, and goes on with nothing done twice", async () => {
    const { graph, runs, assertExhausted } = twoRoutes({
      router: [choice("physics")],
      physics: [price, ordering("lamp"), "Ordered."],
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke(asking("A lamp!"), thread);
    expect(asked(paused).action_requests).toMatchObject([
      { name: "order", args: { item: "lamp" } },
    ]);
    expect(paused.outcome).toBeUndefined();
    const done = await graph.invoke(approved, thread);
    expect(done).toMatchObject({
      answer: "Ordered.",
      outcome: { status: "answered" },
      usage: exact,
    });
    expect(done.messages.map(({ type }) => type)).toEqual([
      "human",
      "ai",
      "tool",
      "ai",
      "tool",
      "ai",
    ]);
    expect(runs).toEqual(["price lamp", "order lamp"]);
    assertExhausted();
  });

  it("is gone on with by another process", async () => {
    const checkpointer = new MemorySaver();
    const first = twoRoutes({
      router: [choice("physics")],
      physics: [price, ordering("lamp")],
      checkpointer,
    });
    await first.graph.invoke(asking("A lamp!"), thread);
    const { graph, runs, assertExhausted } = twoRoutes({ physics: ["Ordered."], checkpointer });
    const { answer, usage } = await graph.invoke(approved, thread);
    expect(answer).toBe("Ordered.");
    expect(usage).toMatchObject(exact);
    expect([...first.runs, ...runs]).toEqual(["price lamp", "order lamp"]);
    assertExhausted();
  });

  it("asks again after a wrong number of decisions", async () => {
    const { graph, runs } = twoRoutes({
      rules: { physics: /./ },
      physics: [ordering("lamp", "tube"), "Ordered."],
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(asking("A lamp!"), thread);
    expect(asked(await graph.invoke(approved, thread)).error).toMatch(
      /expected 2 decisions.*got 1/,
    );
    const resume = { decisions: [approve, { type: "reject" }] };
    expect((await graph.invoke(new Command({ resume }), thread)).answer).toBe("Ordered.");
    expect(runs).toEqual(["order lamp"]);
  });

  it("is left for a new question, which begins anew", async () => {
    const { graph, runs } = twoRoutes({
      router: [choice("physics"), choice("physics")],
      physics: [ordering("lamp"), "No lamp."],
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(asking("A lamp!"), thread);
    const done = await graph.invoke(asking("Or rather not."), thread);
    expect(done).toMatchObject({ answer: "No lamp.", observations: [], usage: { modelCalls: 2 } });
    expect(runs).toEqual([]);
  });

  it("counts the time of its work before a pause for the run as well", async () => {
    const { clock, pass } = fakeClock();
    const options = { clock, checkpointer: new MemorySaver() };
    const slow = () => {
      pass(5_000);
      return ordering("lamp");
    };
    const { graph } = twoRoutes({
      ...options,
      rules: { physics: /./ },
      physics: [slow, "Ordered."],
      agent: { clock },
    });
    await graph.invoke(asking("A lamp!"), thread);
    pass(3_600_000);
    const { run } = await graph.invoke(approved, thread);
    expect(run?.activeMs).toBe(5_000);
  });

  it("has a plan that goes on as well", async () => {
    const { runs, tools } = countingTools("price", "order");
    const models = scriptedModel([
      planText(
        { tool: "price", args: { item: "lamp" } },
        { tool: "order", args: { item: "{{E1}}" } },
      ),
      "Ordered.",
    ]);
    const toolPolicies = { order: { needsApproval: true, effect: "write" as const } };
    const shop = createRewooGraph({ models, tools, toolPolicies });
    const graph = createRouterGraph({
      routes: { shop: { description: "Orders.", graph: shop } },
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(asking("A lamp!"), thread);
    const done = await graph.invoke(approved, thread);
    expect(done).toMatchObject({
      answer: "Ordered.",
      steps: [{ id: "E1" }, { id: "E2" }],
      usage: { modelCalls: 2, toolCalls: 2 },
    });
    expect(runs).toEqual(["price lamp", "order price of lamp"]);
    models.assertExhausted();
  });
});

describe("without a checkpointer a route that asks people", () => {
  it("ends the run with its requests, and goes on from a result that was written down", async () => {
    const { graph, runs, assertExhausted } = twoRoutes({
      router: [choice("physics")],
      physics: [price, ordering("lamp"), ordering("tube"), "Ordered."],
    });
    const first = await graph.invoke(asking("A lamp!"));
    expect(first).toMatchObject({
      route: "physics",
      outcome: { status: "needs_input", requests: { action_requests: [{ name: "order" }] } },
      usage: { modelCalls: 3, toolCalls: 1 },
    });
    const read: typeof first = await load(JSON.stringify(first));
    const second = await graph.invoke({ ...read, decisions: [approve] });
    expect(second.outcome?.requests?.action_requests).toMatchObject([{ args: { item: "tube" } }]);
    const done = await graph.invoke({ ...second, decisions: [{ type: "reject" }] });
    expect(done).toMatchObject({
      answer: "Ordered.",
      usage: { modelCalls: 5, toolCalls: 2, byRole: { router: { modelCalls: 1 } } },
    });
    expect(done.observations.map(({ tool: name, ok }) => [name, ok])).toEqual([
      ["price", true],
      ["order", true],
      ["order", false],
    ]);
    expect(done.messages.map(({ text }) => text).join("\n")).not.toMatch(/waits|Run order\?/);
    expect(done.routing.waiting).toBeUndefined();
    expect(runs).toEqual(["price lamp", "order lamp"]);
    assertExhausted();
  });

  it("tells once what is asked", async () => {
    const { graph } = twoRoutes({ rules: { physics: /./ }, physics: [ordering("lamp")] });
    const events: string[] = [];
    for await (const event of await graph.stream(asking("A lamp!"), { streamMode: "custom" })) {
      events.push(event.type);
    }
    expect(events.filter((type) => type === "input_needed")).toHaveLength(1);
    expect(events.filter((type) => type === "run_finished")).toHaveLength(2);
  });

  it("goes on with a graph as a tool inside it", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const toolCalls = [{ name: "anna", args: { question: "Order tea." } }];
    const { graph } = twoRoutes({
      rules: { physics: /./ },
      physics: [{ toolCalls }, "Done."],
      agent: { tools: [anna.tool], toolPolicies: {} },
    });
    const first = await graph.invoke(asking("Tea!"));
    const done = await graph.invoke({ ...first, decisions: [approve] });
    expect(done).toMatchObject({ answer: "Done.", usage: { modelCalls: 2 + 3, toolCalls: 1 + 2 } });
    expect(anna.runs).toEqual(["price tea", "order tea"]);
  });

  it("refuses decisions with the messages alone", async () => {
    const { graph } = twoRoutes({ rules: { physics: /./ }, physics: [ordering("lamp")] });
    const { messages } = await graph.invoke(asking("A lamp!"));
    await expect(graph.invoke({ messages, decisions: [approve] })).rejects.toThrow(/whole result/);
  });

  it.each([
    { name: "none either", agent: {} },
    { name: "one of its own", agent: { checkpointer: new MemorySaver() } },
    { name: "none by its own wish", agent: { checkpointer: false } },
  ])("ends needs_input where it has $name", async ({ agent }) => {
    const { graph, runs } = twoRoutes({
      rules: { physics: /./ },
      physics: [ordering("lamp"), "Ordered."],
      agent,
    });
    const first = await graph.invoke(asking("A lamp!"), thread);
    expect(first.outcome?.status).toBe("needs_input");
    const done = await graph.invoke({ ...first, decisions: [approve] }, thread);
    expect(done.answer).toBe("Ordered.");
    expect(runs).toEqual(["order lamp"]);
  });
});

it("a route that wants no checkpointer ends the run needs_input on a thread, and repeats nothing", async () => {
  const { graph, runs, assertExhausted } = twoRoutes({
    rules: { physics: /./ },
    physics: [price, ordering("lamp"), "Ordered."],
    agent: { checkpointer: false },
    checkpointer: new MemorySaver(),
  });
  const first = await graph.invoke(asking("A lamp!"), thread);
  expect(first.outcome?.status).toBe("needs_input");
  const done = await graph.invoke({ messages: [], decisions: [approve] }, thread);
  expect(done).toMatchObject({ answer: "Ordered.", usage: { modelCalls: 3, toolCalls: 2 } });
  expect(runs).toEqual(["price lamp", "order lamp"]);
  assertExhausted();
});

describe("a tool that pauses by itself in a route", () => {
  const size = withPolicy(
    tool(() => String(interrupt({ question: "Which size?" })), {
      name: "size",
      description: "Asks for a size.",
      schema: z.object({}),
    }),
    {},
  );
  const agent = () =>
    createReactGraph({
      models: scriptedModel([
        { toolCalls: [{ name: "size", args: {} }] },
        (messages) => `Size: ${messages.at(-1)?.text}`,
      ]),
      tools: [size],
    });
  const routes = () => ({ shop: { description: "Clothes.", graph: agent() } });

  it("pauses the run", async () => {
    const graph = createRouterGraph({ routes: routes(), checkpointer: new MemorySaver() });
    const paused = await graph.invoke(asking("A hat!"), thread);
    expect(JSON.stringify(paused)).toContain("Which size?");
    expect((await graph.invoke(new Command({ resume: "42" }), thread)).answer).toBe("Size: 42");
  });

  it("fails as a tool where nothing can pause", async () => {
    const graph = createRouterGraph({ routes: routes() });
    const { outcome, answer } = await graph.invoke(asking("A hat!"));
    expect(outcome?.status).toBe("answered");
    expect(answer).toMatch(/^Size: Error/);
  });
});
