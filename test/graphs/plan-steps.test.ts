import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { planningGraphs } from "../support/planning-graphs.js";
import { planText, stepOf } from "../support/plans.js";
import { requestText } from "../support/request-text.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const thread = { configurable: { thread_id: "1" } };
const schema = z.object({ item: z.string() });

/** A tool that counts how many of its calls are at work; the first `crowd` of them wait for one another. */
function crowdedTool(crowd: number) {
  const seen = { now: 0, most: 0, all: 0 };
  const gate = new EventEmitter().setMaxListeners(crowd);
  const crowded = tool(
    async ({ item }) => {
      seen.now += 1;
      seen.all += 1;
      seen.most = Math.max(seen.most, seen.now);
      if (seen.all < crowd) await once(gate, "open");
      if (seen.all === crowd) gate.emit("open");
      await setImmediate();
      seen.now -= 1;
      return `done ${item}`;
    },
    { name: "crowded", description: "Counts its calls.", schema },
  );
  return { seen, crowded };
}

/** `count` steps; every tenth refers to the one before it. */
function manySteps(count: number) {
  return Array.from({ length: count }, (_, at) =>
    stepOf("crowded", at % 10 === 9 ? `{{E${at}}}` : `item ${at + 1}`),
  );
}

function manyResults(count: number) {
  return Array.from({ length: count }, (_, at) =>
    at % 10 === 9 ? `done done item ${at}` : `done item ${at + 1}`,
  );
}

describe.each(planningGraphs)("the graph $name", ({ create }) => {
  describe.each([
    { steps: 1, concurrency: 8, planSteps: 20, most: 1 },
    { steps: 20, concurrency: 1, planSteps: 20, most: 1 },
    { steps: 25, concurrency: 7, planSteps: undefined, most: 7 },
    { steps: 200, concurrency: 7, planSteps: 300, most: 7 },
    { steps: 200, concurrency: 500, planSteps: null, most: 180 },
  ])("a plan of $steps steps, $concurrency at once", ({ steps, concurrency, planSteps, most }) => {
    it.each([
      { name: "with a checkpointer", checkpointer: true },
      { name: "without one", checkpointer: false },
    ])("runs each step once, no more than that side by side, $name", async ({ checkpointer }) => {
      const { seen, crowded } = crowdedTool(most);
      using models = scriptedModel([planText(...manySteps(steps)), "Done."]);
      const graph = create({
        models,
        tools: [crowded],
        concurrency,
        limits: { planSteps },
        ...(checkpointer ? { checkpointer: new MemorySaver() } : {}),
      });
      const result = await graph.invoke(ask, thread);
      expect(result.answer).toBe("Done.");
      expect(seen).toEqual({ now: 0, most, all: steps });
      expect(result.usage).toMatchObject({ modelCalls: 2, toolCalls: steps });
      expect(result.observations.map(({ callId }) => callId)).toEqual(
        result.steps.map(({ id }) => id),
      );
      expect(result.observations.map(({ content }) => content)).toEqual(manyResults(steps));
    });
  });

  it("a step that needs only a quick one does not wait for a slow one", async () => {
    const { tools } = countingTools("price");
    const gate = new EventEmitter();
    const slow = tool(() => once(gate, "open").then(() => "slow is over"), {
      name: "slow",
      description: "Ends when the gate opens.",
      schema,
    });
    const opener = tool(
      () => {
        gate.emit("open");
        return "opened";
      },
      { name: "opener", description: "Opens the gate.", schema },
    );
    using models = scriptedModel([
      planText(
        stepOf("slow", "tea"),
        stepOf("price", "tea"),
        stepOf("price", "{{E2}}"),
        stepOf("opener", "{{E3}}"),
      ),
      "Done.",
    ]);
    const toolPolicies = { slow: { timeoutMs: 5_000 } };
    const graph = create({ models, tools: [...tools, slow, opener], toolPolicies });
    const { observations } = await graph.invoke(ask);
    expect(observations.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  });

  describe("identical steps", () => {
    it("side by side both run, and both have their result", async () => {
      const { tools, runs } = countingTools("price");
      using models = scriptedModel([
        planText(stepOf("price", "tea"), stepOf("price", "tea"), stepOf("price", "{{E1}}, {{E2}}")),
        "Done.",
      ]);
      const { observations } = await create({ models, tools }).invoke(ask);
      expect(runs).toEqual(["price tea", "price tea", "price price of tea, price of tea"]);
      expect(observations.map(({ ok }) => ok)).toEqual([true, true, true]);
    });

    it("one after the other, the second is answered from memory, and what refers to it reads the result alone", async () => {
      const { tools, runs } = countingTools("price");
      using models = scriptedModel([
        planText(stepOf("price", "tea"), stepOf("price", "tea", "E1"), stepOf("price", "<{{E2}}>")),
        "Done.",
      ]);
      const { observations } = await create({ models, tools }).invoke(ask);
      expect(runs).toEqual(["price tea", "price <price of tea>"]);
      expect(observations[1]).toMatchObject({
        ok: true,
        attempts: 0,
        content: expect.stringMatching(/^price of tea\n\(You already made this very call/),
      });
      expect(observations[2]?.args).toEqual({ item: "<price of tea>" });
    });

    it("that failed is not run again, and what refers to it is skipped", async () => {
      let runs = 0;
      const broken = tool(
        () => {
          runs += 1;
          throw new Error("out of order");
        },
        { name: "broken", description: "Fails.", schema },
      );
      using models = scriptedModel([
        planText(
          stepOf("broken", "tea"),
          stepOf("price", "tea"),
          stepOf("price", "{{E1}} {{E2}}"),
          stepOf("broken", "tea"),
        ),
        "Done.",
      ]);
      const { tools } = countingTools("price");
      const graph = create({ models, tools: [...tools, broken] });
      const { observations } = await graph.invoke(ask);
      expect(runs).toBe(2);
      expect(observations.map(({ ok }) => ok)).toEqual([false, true, false, false]);
      expect(observations[2]?.content).toContain("it needs the result of E1");
    });
  });

  it("a step that refers to a text from outside has it bare, one that reasons in its fence", async () => {
    const { tools, runs } = countingTools("capital", "price");
    using models = scriptedModel([
      planText(stepOf("capital", "France"), stepOf("price", "{{E1}}"), {
        tool: "llm",
        args: { prompt: "Is {{E1}} dear?" },
      }),
      "Yes.",
      "Dear.",
    ]);
    const toolPolicies = { capital: { trust: "untrusted" as const } };
    await create({ models, tools, toolPolicies }).invoke(ask);
    expect(runs).toEqual(["capital France", "price capital of France"]);
    expect(models.calls[1]?.messages.at(-1)?.text).toMatch(
      /^Is <untrusted source="capital" mark="\w+">\ncapital of France\n<\/untrusted/,
    );
    expect(requestText(models.calls[2])).toContain("\nE1: <untrusted");
  });

  it("a step that refers to one whose arguments a person changed reads the result alone", async () => {
    const { tools, runs } = countingTools("order", "price");
    using models = scriptedModel([
      planText(stepOf("order", "tea"), stepOf("price", "{{E1}}")),
      "Done.",
    ]);
    const graph = create({
      models,
      tools,
      toolPolicies: { order: { needsApproval: true } },
      checkpointer: new MemorySaver(),
    });
    await graph.invoke(ask, thread);
    const edited_action = { name: "order", args: { item: "milk" } };
    const resume = { decisions: [{ type: "edit", edited_action }] };
    const { observations } = await graph.invoke(new Command({ resume }), thread);
    expect(runs).toEqual(["order milk", "price order of milk"]);
    expect(observations[0]?.content).toBe(
      '(A person changed the arguments to {"item":"milk"}.)\norder of milk',
    );
  });
});
