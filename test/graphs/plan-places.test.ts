import { RunnableLambda } from "@langchain/core/runnables";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { asTool } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { askedReads } from "../support/asked-reads.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { asRunnable, hosts } from "../support/hosts.js";
import {
  type CreatePlanning,
  planningGraphs,
  type PlanningOptions,
} from "../support/planning-graphs.js";
import { planText, stepOf } from "../support/plans.js";
import { someOf } from "../support/rows.js";

const question = { messages: [{ role: "user" as const, content: "Order tea." }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };
const answers = (...decisions: unknown[]) => ({ resume: { decisions } });

/** Looks prices up and orders with approval, twice, the second order after the first. */
function shop(create: CreatePlanning, options: PlanningOptions = {}) {
  const { tools, runs } = countingTools("price", "order");
  const models = scriptedModel([
    planText(
      stepOf("price", "tea"),
      stepOf("order", "{{E1}}"),
      stepOf("price", "milk"),
      stepOf("order", "{{E2}}, {{E3}}"),
    ),
    "Ordered.",
  ]);
  const toolPolicies = { order: { needsApproval: true } };
  const graph = create({ toolPolicies, ...options, models, tools });
  return { graph, runs, models };
}

const all = [
  "price tea",
  "order price of tea",
  "price milk",
  "order order of price of tea, price of milk",
];

/** The same where orders keep no order. */
const unordered = [...all.slice(0, 1), ...all.slice(2, 3), ...all.slice(1, 2), ...all.slice(3)];

const policies = {
  "orders of no declared effect": {},
  "orders that are writes": {
    toolPolicies: { order: { needsApproval: true, effect: "write" as const } },
  },
};

describe.each(planningGraphs)("the graph $name", (planning) => {
  const { create } = planning;
  const turn = planningGraphs.indexOf(planning);
  describe.each(someOf(Object.entries(hosts), 2, turn))("a plan, %s,", (_, host) => {
    it.each(Object.entries(policies))(
      "of %s pauses and repeats nothing",
      async (_name, options) => {
        const { graph, runs, models } = shop(create, options);
        const hosted = asRunnable(host(graph, new MemorySaver()));
        const paused = await hosted.invoke(question, thread);
        expect(asked(paused).action_requests.map(({ args }) => args)).toEqual([
          { item: "price of tea" },
        ]);
        expect(runs).toEqual(all.slice(0, 1));
        const again = await hosted.invoke(new Command(answers(approve)), thread);
        expect(asked(again).action_requests).toHaveLength(1);
        const done = await hosted.invoke(new Command(answers(approve)), thread);
        expect(done.messages.at(-1)?.text).toBe("Ordered.");
        expect(runs).toEqual(all);
        models.assertExhausted();
      },
    );
  });

  it("a plan in a chain gives its answer to the next link", async () => {
    const { tools, runs } = countingTools("price");
    using models = scriptedModel([planText(stepOf("price", "tea")), "Tea costs 3."]);
    const graph = create({ models, tools });
    const chain = RunnableLambda.from((content: string) => ({
      messages: [{ role: "user", content }],
    }))
      .pipe(asRunnable(graph))
      .pipe(
        ({ answer, steps }: { answer: string; steps: unknown[] }) => `${answer} ${steps.length}`,
      );
    expect(await chain.invoke("What does tea cost?")).toBe("Tea costs 3. 1");
    expect(runs).toEqual(["price tea"]);
  });

  describe("plans as steps of a plan", () => {
    /** A plan of two steps, side by side, each of which is a plan that orders. */
    function outer(options: PlanningOptions) {
      const policy = { toolPolicies: { order: askedReads } };
      const [one, two] = [shop(create, policy), shop(create, policy)];
      const models = scriptedModel([
        planText(
          { tool: "one", args: { question: "tea" } },
          { tool: "two", args: { question: "milk" } },
          stepOf("price", "{{E1}} {{E2}}"),
        ),
        "All is ordered.",
      ]);
      const { tools, runs } = countingTools("price");
      const graph = create({
        ...options,
        models,
        tools: [
          ...tools,
          asTool(one.graph, { name: "one", description: "Orders." }),
          asTool(two.graph, { name: "two", description: "Orders too." }),
        ],
      });
      return { graph, runs, inner: [one, two] };
    }

    it("ask together, and repeat nothing", async () => {
      const { graph, runs, inner } = outer({ checkpointer: new MemorySaver() });
      const paused = await graph.invoke(question, thread);
      expect(asked(paused).action_requests.map(({ description }) => description)).toEqual([
        "one: Run order? Gives the order of an item.",
        "two: Run order? Gives the order of an item.",
      ]);
      await graph.invoke(new Command(answers(approve, approve)), thread);
      const done = await graph.invoke(new Command(answers(approve, approve)), thread);
      expect(done).toMatchObject({
        answer: "All is ordered.",
        usage: { modelCalls: 2 + 2 + 2, toolCalls: 3 + 4 + 4 },
      });
      for (const { runs: made } of inner) expect(made).toEqual(unordered);
      expect(runs).toEqual(["price Ordered. Ordered."]);
    });

    it("that ask after a write go on where they were", async () => {
      const one = shop(create);
      const models = scriptedModel([
        planText(
          stepOf("order", "milk"),
          { tool: "one", args: { question: "tea" }, after: ["E1"] },
          stepOf("order", "{{E2}}"),
        ),
        "All is ordered.",
      ]);
      const { tools, runs } = countingTools("order");
      const graph = create({
        models,
        tools: [...tools, asTool(one.graph, { name: "one", description: "Orders." })],
        toolPolicies: { order: { effect: "write" } },
        checkpointer: new MemorySaver(),
      });
      await graph.invoke(question, thread);
      await graph.invoke(new Command(answers(approve)), thread);
      const done = await graph.invoke(new Command(answers(approve)), thread);
      expect(done).toMatchObject({
        answer: "All is ordered.",
        usage: { modelCalls: 4, toolCalls: 7 },
      });
      expect(one.runs).toEqual(all);
      expect(runs).toEqual(["order milk", "order Ordered."]);
    });

    it("ask together where nothing can pause", async () => {
      const { graph, runs, inner } = outer({});
      const first = await graph.invoke(question);
      expect(first.outcome?.requests?.action_requests).toHaveLength(2);
      const second = await graph.invoke({ ...first, decisions: [approve, { type: "reject" }] });
      expect(second.outcome?.requests?.action_requests).toHaveLength(1);
      const done = await graph.invoke({ ...second, decisions: [approve] });
      expect(done.answer).toBe("All is ordered.");
      expect(inner.map(({ runs: made }) => made)).toEqual([unordered, unordered.slice(0, 2)]);
      expect(runs).toEqual(["price Ordered. Ordered."]);
    });
  });
});
