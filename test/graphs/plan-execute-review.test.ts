import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  createPlanExecuteGraph,
  type Decision,
  PersonRequests,
  PlangraphError,
  type PlanExecuteOptions,
} from "../../src/index.js";
import type { ModelReply } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { requestText } from "../support/request-text.js";
import { calling, taskModels } from "../support/task-models.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";

const question = { messages: [{ role: "user" as const, content: "What does it cost?" }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" } as const;
const edit = (steps: unknown) => {
  const edited_action = PersonRequests.parse({
    action_requests: [{ name: "plan", args: { steps }, description: "" }],
    review_configs: [],
  }).action_requests[0];
  return { type: "edit", edited_action: edited_action ?? { name: "plan", args: {} } } as const;
};

const items = ["tea", "milk", "cocoa", "salt"];
const turns = Object.fromEntries(
  items.map((item) => [`Price ${item}.`, [calling("price", item), `${item} costs 3.`]]),
);
const plan = [{ task: "Price tea." }, { task: "Price milk.", after: ["S1"] }];
const cocoa = [{ id: "S3", task: "Price cocoa." }];

type Given = Pick<PlanExecuteOptions, "replanning"> & {
  readonly plans?: readonly ModelReply[];
  readonly replans?: readonly ModelReply[];
};

/** A graph whose plans a person sees, with a way to start it and to answer it. */
function reviewed(pauses: boolean, { plans, replans, ...options }: Given = {}) {
  const { tools, runs } = countingTools("price");
  const models = taskModels(
    plans ?? [taskPlanText(...plan)],
    turns,
    replans ?? [respondWith("6 in all.")],
  );
  const checkpointer = pauses ? { checkpointer: new MemorySaver() } : {};
  const graph = createPlanExecuteGraph({
    ...options,
    ...checkpointer,
    models,
    tools,
    reviewPlan: true,
  });
  type Result = Awaited<ReturnType<typeof graph.invoke>>;
  return {
    graph,
    models,
    runs,
    start: () => graph.invoke(question, thread),
    answer: (result: Result, decision: Decision) => {
      const decisions = [decision];
      return pauses
        ? graph.invoke(new Command({ resume: { decisions } }), thread)
        : graph.invoke({ ...result, decisions });
    },
    requests: (result: Result) =>
      PersonRequests.parse(pauses ? asked(result) : result.outcome?.requests),
  };
}

/** What stands against an answer: the question comes again with it, or it is thrown. */
async function refusal(answer: Promise<unknown>): Promise<unknown> {
  try {
    return asked(await answer).error;
  } catch (error) {
    if (!(error instanceof PlangraphError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const shown = ({ action_requests: [action] }: PersonRequests) => action?.args["steps"];

describe.each([
  { place: "in a run that pauses", pauses: true },
  { place: "in a run that cannot pause", pauses: false },
])("a plan that a person sees, $place,", ({ pauses }) => {
  it("is shown with its order, and nothing runs before it is approved", async () => {
    const { models, runs, start, answer, requests } = reviewed(pauses);
    const first = await start();
    expect(requests(first)).toEqual({
      action_requests: [
        {
          id: expect.stringMatching(/^req_/),
          name: "plan",
          call_id: "plan",
          args: {
            steps: [
              { id: "S1", task: "Price tea.", after: [] },
              { id: "S2", task: "Price milk.", after: ["S1"] },
            ],
          },
          description: "Carry out this plan?\nS1. Price tea.\nS2. Price milk.",
        },
      ],
      review_configs: [{ action_name: "plan", allowed_decisions: ["approve", "edit", "reject"] }],
    });
    expect(runs).toEqual([]);
    const done = await answer(first, approve);
    expect(done).toMatchObject({ answer: "6 in all.", outcome: { status: "answered" } });
    expect(done.usage).toMatchObject({ modelCalls: 6, toolCalls: 2 });
    expect(runs).toEqual(["price tea", "price milk"]);
    models.planner.assertExhausted();
    models.replanner.assertExhausted();
  });

  it.each<{
    readonly name: string;
    readonly steps: unknown;
    readonly runs: readonly string[];
    readonly ids: readonly string[];
  }>([
    {
      name: "a step is dropped that another waited for",
      steps: [{ id: "S2", task: "Price milk.", after: ["S1"] }],
      runs: ["price milk"],
      ids: ["S2"],
    },
    {
      name: "the steps are put in another order",
      steps: [
        { id: "S2", task: "Price milk.", after: ["S1"] },
        { id: "S1", task: "Price tea.", after: [] },
      ],
      runs: ["price milk", "price tea"],
      ids: ["S2", "S1"],
    },
    {
      name: "a step is rewritten",
      steps: [
        { id: "S1", task: "Price cocoa.", after: [] },
        { id: "S2", task: "Price milk.", after: ["S1"] },
      ],
      runs: ["price cocoa", "price milk"],
      ids: ["S3", "S2"],
    },
    {
      name: "a step is added",
      steps: [
        { id: "S1", task: "Price tea.", after: [] },
        { id: "S2", task: "Price milk.", after: ["S1"] },
        { task: "Price salt.", after: ["S2"] },
      ],
      runs: ["price tea", "price milk", "price salt"],
      ids: ["S1", "S2", "S3"],
    },
    {
      name: "it is written anew as a list of texts",
      steps: ["Price salt.", "Price cocoa."],
      runs: ["price salt", "price cocoa"],
      ids: ["S3", "S4"],
    },
    {
      name: "a front end sends its steps as a text",
      steps: JSON.stringify([{ id: "S1", task: "Price tea.", after: [] }]),
      runs: ["price tea"],
      ids: ["S1"],
    },
    {
      name: "a person types a list",
      steps: "1. Price salt.\n2. Price cocoa.",
      runs: ["price salt", "price cocoa"],
      ids: ["S3", "S4"],
    },
    {
      name: "its steps come to wait for each other, so that they follow one another",
      steps: [
        { id: "S1", task: "Price tea.", after: ["S2"] },
        { id: "S2", task: "Price milk.", after: ["S1"] },
      ],
      runs: ["price tea", "price milk"],
      ids: ["S1", "S2"],
    },
  ])("is carried out as it was edited: $name", async ({ steps, ...expected }) => {
    const { runs, start, answer } = reviewed(pauses);
    const done = await answer(await start(), edit(steps));
    expect(done).toMatchObject({ answer: "6 in all.", outcome: { status: "answered" } });
    expect(runs).toEqual(expected.runs);
    expect(done.steps.map(({ id }) => id)).toEqual(expected.ids);
    expect(done.observations.map(({ callId }) => callId)).toEqual(expected.ids);
    expect(done.usage.modelCalls).toBe(2 + 2 * runs.length);
  });

  it.each([
    { name: "no step at all", steps: [], problem: /at least one step/ },
    {
      name: "a step that waits for an unknown one",
      steps: [{ id: "S1", task: "Price tea.", after: ["S9"] }],
      problem: /S1: .*"S9", which is no step/,
    },
    { name: "no list", steps: 7, problem: /at least one step/ },
    {
      name: "a call of a tool",
      steps: [
        { id: "S1", task: "Price tea." },
        { tool: "price", args: { item: "tea" } },
      ],
      problem: /expected a task in words, got a call of price/,
    },
  ])(
    "is asked about again, and nothing is lost, when an edit has $name",
    async ({ steps, problem }) => {
      const { models, runs, start, answer, requests } = reviewed(pauses);
      const first = await start();
      const refused = await refusal(answer(first, edit(steps)));
      expect(refused).toMatch(problem);
      expect(refused).toMatch(pauses ? /could not be used/ : /^invalid_decisions: /);
      expect(runs).toEqual([]);
      expect(shown(requests(first))).toHaveLength(2);
      const done = await answer(first, approve);
      expect(done.answer).toBe("6 in all.");
      expect(done.usage.modelCalls).toBe(6);
      expect(models.planner.calls).toHaveLength(1);
    },
  );

  it.each([
    { name: "with a reason", message: "No tea!", told: "does not want this plan: No tea!" },
    { name: "without one", message: undefined, told: "They gave no reason." },
  ])("is made anew when it is rejected $name, and seen again", async ({ message, told }) => {
    const { models, runs, start, answer, requests } = reviewed(pauses, {
      replans: [continueWith(...cocoa), respondWith("3 in all.")],
    });
    const reason = message === undefined ? {} : { message };
    const second = await answer(await start(), { type: "reject", ...reason });
    expect(requestText(models.replanner.calls[0])).toContain(told);
    expect(shown(requests(second))).toEqual([{ id: "S3", task: "Price cocoa.", after: [] }]);
    expect(runs).toEqual([]);
    const done = await answer(second, approve);
    expect(done).toMatchObject({ answer: "3 in all.", replans: 1, feedback: undefined });
    expect(runs).toEqual(["price cocoa"]);
    expect(done.usage.modelCalls).toBe(5);
    models.replanner.assertExhausted();
  });

  it("is not carried out when the replanner writes the rejected one again and again", async () => {
    const { models, runs, start, answer } = reviewed(pauses, {
      replans: [continueWith(...plan), continueWith(...plan), continueWith(...plan)],
    });
    const done = await answer(await start(), { type: "reject" });
    expect(requestText(models.replanner.calls[1])).toContain("that a person rejected");
    expect(done.outcome).toMatchObject({ status: "failed" });
    expect(runs).toEqual([]);
    models.replanner.assertExhausted();
  });

  it("is not carried out when what is left of it is rejected, and is written again", async () => {
    const changed = continueWith(
      { id: "S2", task: "Price milk.", after: ["S1"] },
      { id: "S3", task: "Price cocoa.", after: ["S1", "S2"] },
    );
    const { models, runs, start, answer, requests } = reviewed(pauses, {
      replanning: "always",
      replans: [changed, changed, changed, changed],
    });
    const second = await answer(await start(), approve);
    expect(shown(requests(second))).toMatchObject([{ id: "S2" }, { id: "S3", after: ["S2"] }]);
    const done = await answer(second, { type: "reject" });
    expect(runs).toEqual(["price tea"]);
    expect(done.outcome).toMatchObject({ status: "failed" });
    models.replanner.assertExhausted();
  });

  it("is seen again where it is changed, and not where it stays as it is", async () => {
    const keep = continueWith({ id: "S2", task: "Price milk." });
    const { models, runs, start, answer, requests } = reviewed(pauses, {
      replanning: "always",
      replans: [keep, continueWith(...cocoa), respondWith("9 in all.")],
    });
    const second = await answer(await start(), approve);
    expect(runs).toEqual(["price tea", "price milk"]);
    expect(shown(requests(second))).toEqual([{ id: "S3", task: "Price cocoa.", after: [] }]);
    expect(requests(second).action_requests[0]?.description).not.toContain("Price tea.");
    const done = await answer(second, approve);
    expect(done).toMatchObject({ answer: "9 in all.", replans: 1 });
    expect(runs).toEqual(["price tea", "price milk", "price cocoa"]);
    expect(done.usage.modelCalls).toBe(1 + 6 + 3);
    models.replanner.assertExhausted();
  });
});
