import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { calling, heard, question, serveGraphs, type Served, told } from "../support/served.js";
import { respondWith, taskPlanText } from "../support/task-plans.js";

let served: Served;
beforeAll(async () => {
  served = await serveGraphs();
}, 70_000);
afterEach(() => served.assertExhausted());
afterAll(() => served.close(), 20_000);

const graph = "carried";
const pricing = (item: string) => [calling("price", { item }), `${item} costs 3 euros.`];
const ordering = calling("order", { item: "tea", count: 2 });
const inRow = taskPlanText({ task: "Price tea." }, { task: "Price milk.", after: ["S1"] });
const Steps = z.looseObject({ steps: z.array(z.looseObject({ id: z.string() })) });

describe("a run of a plan of tasks", () => {
  it("gives plan, results and usage with the answer", async () => {
    await served.script(inRow, ...pricing("tea"), ...pricing("milk"), respondWith("6 euros."));
    const result = await served.client.runs.wait(null, graph, { input: question("Cost?") });
    expect(result).toMatchObject({
      answer: "6 euros.",
      outcome: { status: "answered" },
      objective: "Cost?",
      steps: [
        { kind: "task", id: "S1", task: "Price tea." },
        { kind: "task", id: "S2", task: "Price milk.", after: ["S1"] },
      ],
      observations: [{ callId: "S1", ok: true }, { callId: "S2" }],
      usage: { modelCalls: 6, toolCalls: 2 },
    });
    expect(told(result)).toEqual(["human: Cost?", "ai: 6 euros."]);
    expect(await served.calls()).toEqual(["price tea", "price milk"]);
  });

  it("tells of the plan and its steps as events, and streams nothing but the answer as chat", async () => {
    await served.script(inRow, ...pricing("tea"), ...pricing("milk"), respondWith("6 euros."));
    const stream = served.client.runs.stream(null, graph, {
      input: question("Cost?"),
      streamMode: ["custom", "messages-tuple"],
    });
    const { events, chat } = await heard(stream);
    expect(events).toContain("planner plan_made");
    expect(events.filter((each) => each === "executor tool_finished")).toHaveLength(2);
    expect(events.filter((each) => each === "tools tool_finished")).toHaveLength(2);
    expect(events.at(-1)).toBe("finalizer run_finished");
    expect(chat).toBe("6 euros.");
  });

  it("pauses in a step, shows what is finished, and goes on when a person approves", async () => {
    const thread = await served.newThread();
    await served.script(
      taskPlanText({ task: "Price tea." }, { task: "Order tea.", after: ["S1"], final: true }),
      ...pricing("tea"),
      ordering,
    );
    const paused = await served.client.runs.wait(thread, graph, { input: question("2 tea") });
    expect(paused).toMatchObject({
      __interrupt__: [
        {
          value: {
            action_requests: [
              {
                name: "order",
                args: { item: "tea", count: 2 },
                description: expect.stringContaining("S2: Run order?"),
              },
            ],
          },
        },
      ],
    });
    const { next, values } = await served.client.threads.getState(thread);
    expect(next).toEqual(["executor"]);
    expect(values).toMatchObject({ observations: [{ callId: "S1" }], usage: { modelCalls: 4 } });
    expect(values).not.toHaveProperty("outcome");
    expect(await served.calls()).toEqual(["price tea"]);

    await served.script("Two tea are ordered.");
    const result = await served.client.runs.wait(thread, graph, {
      command: { resume: { decisions: [{ type: "approve" }] } },
    });
    expect(result).toMatchObject({
      answer: "Two tea are ordered.",
      outcome: { status: "answered" },
      usage: { modelCalls: 5, toolCalls: 2 },
    });
    expect(await served.calls()).toEqual(["order 2 tea"]);
  });

  it.each([
    { name: "before a step", stop: { interruptBefore: ["executor"] }, resumes: 2 },
    { name: "after a step", stop: { interruptAfter: ["executor"] }, resumes: 1 },
  ])("stops $name, and goes on with the plan as it was changed", async ({ stop, resumes }) => {
    const thread = await served.newThread();
    await served.script(inRow, ...pricing("tea"));
    await served.client.runs.wait(thread, graph, { input: question("Cost?"), ...stop });
    for (let resume = 1; resume < resumes; resume += 1) {
      await served.client.runs.wait(thread, graph, { input: null, ...stop });
    }
    const { next, values } = await served.client.threads.getState(thread);
    expect(next).toEqual(["executor"]);
    expect(values).toMatchObject({ observations: [{ callId: "S1" }] });
    const [first] = Steps.parse(values).steps;
    const cocoa = { kind: "task", id: "S3", task: "Price cocoa.", final: true };
    await served.client.threads.updateState(thread, { values: { steps: [first, cocoa] } });

    await served.script(...pricing("cocoa"));
    const result = await served.client.runs.wait(thread, graph, { input: null });
    expect(result).toMatchObject({
      answer: "cocoa costs 3 euros.",
      observations: [{ callId: "S1" }, { callId: "S3" }],
      usage: { modelCalls: 5, toolCalls: 2 },
    });
    expect(await served.calls()).toEqual(["price cocoa"]);
  });
});
