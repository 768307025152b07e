import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { finishWith, planText, stepOf } from "../support/plans.js";
import { until } from "../support/dev-server.js";
import { heard, question, serveGraphs, type Served, told } from "../support/served.js";

let served: Served;
beforeAll(async () => {
  served = await serveGraphs();
}, 70_000);
afterEach(() => served.assertExhausted());
afterAll(() => served.close(), 20_000);

const order = { tool: "order", args: { item: "{{E1}}", count: 2 } };
const tea = planText(stepOf("price", "tea"), stepOf("price", "milk"));

describe.each([
  { graph: "planned", planner: "planner", worker: "worker", answer: "Tea costs 3.", begun: [] },
  {
    graph: "compiled",
    planner: "scheduler",
    worker: "scheduler",
    answer: finishWith("Tea costs 3."),
    begun: [{ id: "E1" }],
  },
])("a run of the graph $graph", ({ graph, planner, worker, answer, begun }) => {
  it("gives the plan with the result", async () => {
    await served.script(tea, answer);
    const result = await served.client.runs.wait(null, graph, { input: question("Tea?") });
    expect(result).toMatchObject({
      answer: "Tea costs 3.",
      outcome: { status: "answered" },
      objective: "Tea?",
      steps: [
        { id: "E1", tool: "price", args: { item: "tea" } },
        { id: "E2", tool: "price", args: { item: "milk" } },
      ],
      observations: [{ callId: "E1", ok: true }, { callId: "E2" }],
      usage: { modelCalls: 2, toolCalls: 2 },
    });
    expect(told(result)).toEqual(["human: Tea?", "ai: Tea costs 3."]);
    expect((await served.calls()).toSorted()).toEqual(["price milk", "price tea"]);
  });

  it("tells of the plan and its steps as events, and streams nothing but the answer as chat", async () => {
    await served.script(tea, answer);
    const stream = served.client.runs.stream(null, graph, {
      input: question("Tea?"),
      streamMode: ["custom", "messages-tuple"],
    });
    const { events, chat } = await heard(stream);
    expect(events).toContain(`${planner} plan_made`);
    expect(events.filter((each) => each === `${worker} tool_finished`)).toHaveLength(2);
    expect(events.at(-1)).toBe("finalizer run_finished");
    expect(chat).toBe("Tea costs 3.");
  });

  it("pauses for a step, and goes on with it when a person approves", async () => {
    const thread = await served.newThread();
    await served.script(planText(stepOf("price", "tea"), order));
    const paused = await served.client.runs.wait(thread, graph, { input: question("2 tea") });
    expect(paused).toMatchObject({
      __interrupt__: [
        {
          value: { action_requests: [{ name: "order", args: { item: "tea: 3 euros", count: 2 } }] },
        },
      ],
    });
    const { next, values } = await served.client.threads.getState(thread);
    expect(next).toEqual([worker]);
    expect(values).not.toHaveProperty("outcome");
    expect(await served.calls()).toEqual(["price tea"]);

    await served.script(answer);
    const result = await served.client.runs.wait(thread, graph, {
      command: { resume: { decisions: [{ type: "approve" }] } },
    });
    expect(result).toMatchObject({
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 2 },
    });
    expect(await served.calls()).toEqual(["order 2 tea: 3 euros"]);
  });

  it("stops at once when it is cancelled in a step, and its thread goes on with another plan", async () => {
    const thread = await served.newThread();
    await served.script(planText(stepOf("slow", "tea"), stepOf("price", "tea")));
    const run = await served.client.runs.create(thread, graph, { input: question("Tea?") });
    const isBusy = async () => (await served.calls()).includes("slow tea started");
    expect(await until(isBusy, 10)).toBe(true);
    await served.client.runs.cancel(thread, run.run_id, true);
    expect(await served.calls()).toContain("slow tea aborted");

    await served.script(tea, answer);
    const next = await served.client.runs.wait(thread, graph, { input: question("And now?") });
    expect(next).toMatchObject({
      answer: "Tea costs 3.",
      objective: "And now?",
      observations: [{ callId: "E1", args: { item: "tea" } }, { callId: "E2" }],
      usage: { modelCalls: 2, toolCalls: 2 },
    });
  });

  it("takes limits from the run's context", async () => {
    await served.script(tea, tea, tea, "I cannot say.");
    const result = await served.client.runs.wait(null, graph, {
      input: question("Tea?"),
      context: { limits: { planSteps: 1 } },
    });
    // No plan that fits: it goes on without one, or with what of it has begun.
    expect(result).toMatchObject({ answer: "I cannot say.", steps: begun });
  });
});
