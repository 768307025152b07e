import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/structured-output.js";
import type { TaskStep } from "../../src/plan/step.js";
import { taskPlanOutput } from "../../src/roles/task-planner.js";

const step = (id: string, task: string, ...after: readonly string[]): TaskStep => ({
  kind: "task",
  id,
  task,
  ...(after.length === 0 ? {} : { after }),
});

describe("a plan of tasks", () => {
  it.each<{ name: string; text: string; steps: readonly TaskStep[] }>([
    {
      name: "the form",
      text: '{"steps":[{"id":"S1","task":"a","after":[]},{"id":"S2","task":"b","after":["S1"],"final":true}]}',
      steps: [step("S1", "a"), { ...step("S2", "b", "S1"), final: true }],
    },
    {
      name: "a mark of the last step as a text",
      text: '{"steps":[{"id":"S1","task":"a","final":"true"}]}',
      steps: [{ ...step("S1", "a"), final: true }],
    },
    {
      name: "no mark of the last step",
      text: '{"steps":[{"id":"S1","task":"a","final":false}]}',
      steps: [step("S1", "a")],
    },
    {
      name: "plain texts, which mean strict order",
      text: '{"steps":["a","b","c"]}',
      steps: [step("S1", "a"), step("S2", "b", "S1"), step("S3", "c", "S2")],
    },
    {
      name: "a numbered list",
      text: "Here is my plan:\n1. a\n2. b",
      steps: [step("S1", "a"), step("S2", "b", "S1")],
    },
    {
      name: "steps that wait for themselves, in a row",
      text: '{"steps":[{"id":"S1","task":"a","after":[]},{"id":"S2","task":"b","after":["S2"]}]}',
      steps: [step("S1", "a"), step("S2", "b", "S1")],
    },
    {
      name: "a step behind the later one that it waits for",
      text: '{"steps":[{"id":"S1","task":"a","after":["S2"]},{"id":"S2","task":"b","after":[]}]}',
      steps: [step("S2", "b"), step("S1", "a", "S2")],
    },
    {
      name: "fences and other keys",
      text: '```json\n{"plan":[{"step":1,"description":"a"},{"step":2,"description":"b","depends_on":[1]}]}\n```',
      steps: [step("S1", "a"), step("S2", "b", "S1")],
    },
  ])("is read from $name", async ({ text, steps }) => {
    const read = await fitting(text, false, taskPlanOutput(20, false));
    expect(read).toEqual({ ok: true, value: { kind: "steps", steps } });
  });

  it.each([
    {
      name: "in the middle of a step",
      text: '{"steps":[{"id":"S1","task":"a","after":[]},{"id":"S2","ta',
    },
    { name: "between two steps", text: '{"steps":[{"id":"S1","task":"a","after":[]},' },
    { name: "in a numbered list", text: "1. a\n2. b\n" },
  ])("goes back where it was cut off $name", async ({ text }) => {
    expect(await fitting(text, true, taskPlanOutput(20, false))).toMatchObject({ ok: false });
  });

  it("may be an answer instead", async () => {
    const read = await fitting('{"steps":[],"answer":"Hello!"}', false, taskPlanOutput(20, false));
    expect(read).toEqual({ ok: true, value: { kind: "answer", text: "Hello!" } });
  });

  it.each([
    { name: "no steps", text: '{"steps":[]}', problem: "at least one step" },
    { name: "too many steps", text: '{"steps":["a","b","c"]}', problem: "at most 2 steps, got 3" },
    {
      name: "a call of a tool",
      text: '{"steps":[{"id":"E1","tool":"search","args":{"query":"a"}}]}',
      problem: "expected a task in words, got a call of search",
    },
    {
      name: "an id that is there twice",
      text: '{"steps":[{"id":"S1","task":"a","after":[]},{"id":"S1","task":"b","after":[]}]}',
      problem: "an id of its own",
    },
    {
      name: "one task again and again, in other cases and spaces too",
      text: JSON.stringify({ steps: ["Find a.", "Tell a.", "tell  A.", "Tell a. "] }),
      steps: 20,
      problem: 'expected each task once, got "Tell a." in S2 and again in S3, S4',
    },
  ])("goes back for $name", async ({ text, problem, steps = 2 }) => {
    const read = await fitting(text, false, taskPlanOutput(steps, false));
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it.each([
    { name: "one task twice", executors: ["a", "a"] },
    { name: "one task for each of three executors", executors: ["a", "b", "c"] },
  ])("may have $name", async ({ executors }) => {
    const steps = executors.map((executor, at) => ({ id: `S${at + 1}`, task: "Vote.", executor }));
    const output = taskPlanOutput(20, false, true, ["a", "b", "c"]);
    const read = await fitting(JSON.stringify({ steps }), false, output);
    expect(read).toMatchObject({ ok: true });
  });

  it("has as many steps in its schema as the limit allows, and some where there is none", () => {
    expect(taskPlanOutput(7, false).schema).toMatchObject({
      properties: { steps: { maxItems: 7 } },
    });
    expect(taskPlanOutput(null, false).schema).toMatchObject({
      properties: { steps: { maxItems: 200 } },
    });
  });
});
