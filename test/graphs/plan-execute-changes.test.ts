import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { createPlanExecuteGraph, type PlanExecuteOptions } from "../../src/index.js";
import type { Step } from "../../src/plan/step.js";
import { startScriptedServer } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { requestText } from "../support/request-text.js";
import { calling, executorModel, taskModels } from "../support/task-models.js";
import { respondWith, taskPlanText, type PlannedTask } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "What does it cost?" }] };
const thread = { configurable: { thread_id: "1" } };

const items = ["tea", "milk", "cocoa", "salt"];
const turns = {
  ...Object.fromEntries(
    items.map((item) => [`Price ${item}.`, [calling("price", item), `${item} costs 3.`]]),
  ),
  "Order tea.": [calling("price", "tea"), calling("order", "tea"), "Ordered tea."],
};
const tea = { kind: "task", id: "S1", task: "Price tea." } as const;
const milk = { kind: "task", id: "S2", task: "Price milk.", after: ["S1"] } as const;
const cocoa = { kind: "task", id: "S3", task: "Price cocoa." } as const;
const inRow: readonly PlannedTask[] = [tea, milk, { task: "Price cocoa.", after: ["S2"] }];

/** A graph whose runs are on record; `order` needs approval. */
function recorded(
  tasks: readonly PlannedTask[] = inRow,
  options: Pick<PlanExecuteOptions, "replanning"> = {},
  replans = [respondWith("Done.")],
) {
  const { tools, runs } = countingTools("price", "order");
  const models = taskModels([taskPlanText(...tasks)], turns, replans);
  const graph = createPlanExecuteGraph({
    ...options,
    models,
    tools,
    toolPolicies: { order: { needsApproval: true } },
    checkpointer: new MemorySaver(),
  });
  return { graph, models, runs };
}

const before = { ...thread, interruptBefore: ["executor" as const] };
const after = { ...thread, interruptAfter: ["executor" as const] };

describe("a plan in strict order", () => {
  it.each([
    { name: "before", config: before, stops: [0, 1, 2] },
    { name: "after", config: after, stops: [1, 2] },
  ])("can be stopped $name every step, and read", async ({ config, stops }) => {
    const { graph, models, runs } = recorded();
    const seen: unknown[] = [];
    await graph.invoke(question, config);
    for (let state = await graph.getState(thread); state.next.length > 0;) {
      const { steps, observations } = state.values;
      expect(steps).toHaveLength(3);
      seen.push(observations.length);
      expect(runs).toHaveLength(observations.length);
      await graph.invoke(null, config);
      state = await graph.getState(thread);
    }
    // The last superstep ends at the replanner, which answers.
    expect(seen.filter((count) => count !== 3)).toEqual(stops);
    const { values } = await graph.getState(thread);
    expect(values).toMatchObject({ answer: "Done.", usage: { modelCalls: 8, toolCalls: 3 } });
    expect(models.executor.calls).toHaveLength(6);
  });
});

describe("a plan that is changed between two steps", () => {
  it.each<{
    readonly name: string;
    readonly steps: readonly Step[];
    readonly runs: readonly string[];
  }>([
    { name: "by another step", steps: [tea, cocoa], runs: ["price tea", "price cocoa"] },
    {
      name: "by one more",
      steps: [tea, milk, { ...cocoa, after: ["S2"] }, { ...cocoa, id: "S4", task: "Price salt." }],
      runs: ["price cocoa", "price milk", "price salt", "price tea"],
    },
    {
      name: "by another task in a step's place",
      steps: [tea, { ...milk, task: "Price salt." }],
      runs: ["price tea", "price salt"],
    },
    { name: "by dropping what is open", steps: [tea], runs: ["price tea"] },
  ])("goes on $name, and what is finished stands", async ({ steps, runs: all }) => {
    const { graph, models, runs } = recorded();
    await graph.invoke(question, after);
    await graph.updateState(thread, { steps });
    const done = await graph.invoke(null, thread);
    expect(done).toMatchObject({ answer: "Done.", outcome: { status: "answered" }, replans: 0 });
    expect(runs.toSorted()).toEqual(all.toSorted());
    expect(done.observations.map(({ callId }) => callId)).toEqual(steps.map(({ id }) => id));
    expect(models.executor.calls).toHaveLength(2 * all.length);
    expect(requestText(models.replanner.calls[0])).toContain("tea costs 3.");
    models.replanner.assertExhausted();
  });

  it.each<{ readonly name: string; readonly steps: unknown; readonly problem: RegExp }>([
    { name: "no step", steps: [], problem: /at least one step/ },
    {
      name: "steps that wait for each other",
      steps: [tea, { ...milk, after: ["S3"] }, { ...cocoa, after: ["S2"] }],
      problem: /S2 → S3 → S2/,
    },
    {
      name: "a step that waits for an unknown one",
      steps: [tea, { ...milk, after: ["S9"] }],
      problem: /S2: .*"S9", which is no step/,
    },
    {
      name: "a call of a tool",
      steps: [tea, { kind: "tool", id: "E1", tool: "price", args: {} }],
      problem: /steps\.1\.kind/,
    },
    {
      name: "a step without a task",
      steps: [tea, { kind: "task", id: "S2" }],
      problem: /steps\.1\.task/,
    },
    { name: "two steps of one id", steps: [tea, milk, { ...cocoa, id: "S2" }], problem: /"S2"/ },
    {
      name: "another task under the id of a step that has ended",
      steps: [{ ...tea, task: "Price salt." }, milk],
      problem: /S1 as it has been carried out.*"Price salt\."/,
    },
  ])("to $name is refused, and goes on when it is mended", async ({ steps, problem }) => {
    const { graph, models, runs } = recorded();
    await graph.invoke(question, after);
    await graph.updateState(thread, JSON.parse(JSON.stringify({ steps })));
    await expect(graph.invoke(null, thread)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(problem),
    });
    expect(runs).toEqual(["price tea"]);
    await graph.updateState(thread, { steps: [tea, milk] });
    const done = await graph.invoke(null, thread);
    expect(done.answer).toBe("Done.");
    expect(runs).toEqual(["price tea", "price milk"]);
    expect(done.usage).toMatchObject({ modelCalls: 6, toolCalls: 2 });
    expect(models.planner.calls).toHaveLength(1);
  });

  it("before its first step is carried out as it is then", async () => {
    const { graph, runs } = recorded();
    await graph.invoke(question, before);
    await graph.updateState(thread, { steps: [cocoa] });
    const done = await graph.invoke(null, thread);
    expect(done.answer).toBe("Done.");
    expect(runs).toEqual(["price cocoa"]);
  });
});

describe("a plan that is changed while a step waits for a person", () => {
  const tasks = [{ task: "Price milk." }, { task: "Order tea." }];
  const done = { kind: "task", id: "S1", task: "Price milk." } as const;
  const waiting = { kind: "task", id: "S2", task: "Order tea." } as const;

  it("keeps what is finished, and asks on for a step that is still in it", async () => {
    const { graph, models, runs } = recorded(tasks);
    await graph.invoke(question, thread);
    const { values } = await graph.getState(thread);
    expect(values).toMatchObject({
      observations: [{ callId: "S1", ok: true }],
      usage: { modelCalls: 5, toolCalls: 2 },
    });
    await graph.updateState(thread, { steps: [done, waiting, cocoa] });
    const paused = await graph.invoke(null, thread);
    expect(asked(paused).action_requests).toMatchObject([{ name: "order" }]);
    const resume = { decisions: [{ type: "approve" }] };
    const result = await graph.invoke(new Command({ resume }), thread);
    expect(result.answer).toBe("Done.");
    expect(runs.toSorted()).toEqual(["order tea", "price cocoa", "price milk", "price tea"]);
    expect(models.executor.calls).toHaveLength(2 + 3 + 2);
    expect(result.usage).toMatchObject({ modelCalls: 9, toolCalls: 4 });
  });

  it.each([
    { name: "is dropped", steps: [done, cocoa] },
    { name: "has another task", steps: [done, { ...waiting, task: "Price cocoa." }] },
  ])("asks nothing for a step that $name", async ({ steps }) => {
    const { graph, runs } = recorded(tasks);
    await graph.invoke(question, thread);
    await graph.updateState(thread, { steps });
    const result = await graph.invoke(null, thread);
    expect(result).toMatchObject({ answer: "Done.", outcome: { status: "answered" } });
    expect(result.pending).toBeUndefined();
    expect(runs.toSorted()).toEqual(["price cocoa", "price milk", "price tea"]);
    expect(result.observations.at(-1)?.content).toBe("cocoa costs 3.");
  });
});

describe("the executor's model", () => {
  it("can be another one for the steps that are left: by the context", async () => {
    await using first = await startScriptedServer({
      replies: [taskPlanText(...inRow), calling("price", "tea"), "tea costs 3."],
    });
    await using second = await startScriptedServer({
      replies: [calling("price", "milk"), "milk costs 4."],
    });
    const { tools, runs } = countingTools("price");
    const checkpointer = new MemorySaver();
    const graphOn = (url: string) =>
      createPlanExecuteGraph({
        models: {
          planner: "openai:large",
          executor: "openai:small",
          replanner: executorModel({ "": [] }),
        },
        tools,
        checkpointer,
        environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: url },
      });
    await graphOn(first.url).invoke(question, after);
    const graph = graphOn(second.url);
    await graph.updateState(thread, { steps: [tea, { ...milk, final: true }] });
    const context = { models: { executor: "openai:medium" } };
    const done = await graph.invoke(null, { ...thread, context });
    expect(done).toMatchObject({ answer: "milk costs 4.", outcome: { status: "answered" } });
    expect(runs).toEqual(["price tea", "price milk"]);
    const models = [first, second].map(({ requests }) => requests.map(({ body }) => body?.model));
    expect(models).toEqual([
      ["large", "small", "small"],
      ["medium", "medium"],
    ]);
  });

  it("can be another one for the steps that are left: by the options of the graph", async () => {
    const { tools } = countingTools("price");
    const checkpointer = new MemorySaver();
    const models = taskModels([taskPlanText(...inRow)], turns);
    const all = { tools, checkpointer };
    await createPlanExecuteGraph({ ...all, models }).invoke(question, after);
    const other = taskModels([], turns, [respondWith("Done.")]);
    const done = await createPlanExecuteGraph({ ...all, models: other }).invoke(null, thread);
    expect(done.answer).toBe("Done.");
    expect(models.executor.calls).toHaveLength(2);
    expect(other.executor.calls).toHaveLength(4);
    expect(done.usage.modelCalls).toBe(8);
  });
});
