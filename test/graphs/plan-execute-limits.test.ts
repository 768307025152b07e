import { describe, expect, it } from "vitest";

import type { Limits } from "../../src/index.js";
import {
  asking,
  taskGraph,
  taskPlanText,
  respondWith,
  type Worker,
} from "../support/task-plans.js";

const question = asking("What does tea cost?");
const restless: Worker = () => ({
  toolCalls: [{ name: "price", args: { item: crypto.randomUUID() } }],
});

describe("limits of plan-execute", () => {
  it.each<{ name: string; earlyStopping: "generate" | "force"; content: RegExp }>([
    { name: "asked for", earlyStopping: "generate", content: /^What I know so far/ },
    { name: "as it is", earlyStopping: "force", content: /Results so far:[^]*price of / },
  ])(
    "of a step end it with a partial result, $name, and the replanner looks at it",
    async ({ earlyStopping, content }) => {
      const { graph, planner, runs } = taskGraph({
        earlyStopping,
        stepLimits: { modelCalls: 3 },
        planning: [taskPlanText("tea", "milk"), respondWith("It is not quite clear.")],
        worker: (task, messages) =>
          messages.at(-1)?.text.includes("Stop here") === true
            ? "What I know so far"
            : restless(task, messages),
      });
      const result = await graph.invoke(question);
      expect(result.outcome).toEqual({ status: "answered" });
      expect(runs).toHaveLength(3);
      expect(result.observations).toMatchObject([
        { callId: "S1", ok: true, run: { outcome: { status: "limit", limit: "modelCalls" } } },
      ]);
      expect(result.observations[0]?.content).toMatch(content);
      expect(planner.calls[1]?.messages.at(-2)?.text).toContain("executor was stopped before");
    },
  );

  it.each<{ limits: Limits; limit: string }>([
    { limits: { modelCalls: 5 }, limit: "modelCalls" },
    { limits: { toolCalls: 2 }, limit: "toolCalls" },
    { limits: { tokens: 40 }, limit: "tokens" },
  ])(
    "of the run, $limit, hold inside its steps, whose results are kept",
    async ({ limits, limit }) => {
      const { graph, executor } = taskGraph({
        limits,
        planning: [{ text: taskPlanText("tea", "milk", "sugar"), usage: { input: 10, output: 1 } }],
        worker: (task, messages) =>
          messages.at(-1)?.text.includes("Stop here") === true
            ? "So far: tea."
            : { ...lookingUpAt(task, messages), usage: { input: 10, output: 1 } },
      });
      const result = await graph.invoke(question);
      expect(result.outcome).toMatchObject({ status: "limit", limit });
      expect(result.answer).toBe("So far: tea.");
      const closing = executor.calls.filter(
        ({ messages }) => messages.at(-1)?.text.includes("Stop here") === true,
      );
      expect(closing).toHaveLength(1);
      expect(closing[0]?.messages.at(-1)?.text).toContain("price of tea");
    },
  );

  it("of repeated calls end a step that goes round, and the replanner looks at it", async () => {
    const { graph, planner, runs } = taskGraph({
      planning: [taskPlanText("tea", "milk"), respondWith("3")],
      worker: (_, messages) => {
        const isLast = /Stop here|No tool can be called any more/.test(messages.at(-1)?.text ?? "");
        return isLast ? "What I know." : { toolCalls: [{ name: "price", args: { item: "tea" } }] };
      },
    });
    const result = await graph.invoke(question);
    expect(result).toMatchObject({ answer: "3", outcome: { status: "answered" } });
    expect(runs).toEqual(["price tea"]);
    const outcome = { status: "limit", limit: "repeatedCalls" };
    expect(result.observations).toMatchObject([{ callId: "S1", ok: true, run: { outcome } }]);
    expect(planner.calls[1]?.messages.at(-2)?.text).toContain("What I know.");
  });

  it("of plan steps send a longer plan back", async () => {
    const { graph, planner } = taskGraph({
      limits: { planSteps: 1 },
      planning: [taskPlanText("tea", "milk"), taskPlanText("tea"), respondWith("3")],
    });
    expect((await graph.invoke(question)).answer).toBe("3");
    expect(planner.calls[1]?.messages.at(-1)?.text).toContain("at most 1 steps, got 2");
  });
});

function lookingUpAt(task: string, messages: Parameters<Worker>[1]) {
  const found = messages.at(-1);
  return found?.type === "tool"
    ? { text: `Found: ${found.text}` }
    : { toolCalls: [{ name: "price", args: { item: task } }] };
}
