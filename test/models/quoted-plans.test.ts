import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/structured-output.js";
import { taskPlanOutput } from "../../src/roles/task-planner.js";
import {
  fenced,
  meantPlans,
  otherPlanMentions,
  planMarks,
  planQuotes,
  plans,
  refundPlanForm,
  writtenPlans,
} from "../support/mentioned-plans.js";

const form = refundPlanForm(true);
const tasks = taskPlanOutput(20, true);
const harmlessTasks = taskPlanOutput(20, false);

const { json, reads, taskList, taskJson } = plans;

describe("a plan with a write in a reply that holds more", () => {
  const rows = writtenPlans.flatMap(({ written, plan }) =>
    planQuotes.map((quote) => ({ written, text: quote(plan) })),
  );
  it.each(rows)("goes back where it is quoted in $written: $text", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject({ ok: false });
  });

  const marked = writtenPlans.flatMap(({ written, plan }) =>
    planMarks.map(({ name, around }) => ({ written, name, text: around(plan) })),
  );
  it.each(marked)("goes back with marks around it in $written: $name", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject({ ok: false });
  });

  it.each(otherPlanMentions)("goes back with $name", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject({ ok: false });
  });

  it("is told how to mean it, and how not to", async () => {
    const read = await fitting(`Only an example:\n${json}`, false, form);
    expect(read).toEqual({ ok: false, problem: expect.stringMatching(/alone.*"answer"/s) });
  });
});

describe("tasks in a reply that holds more, where a tool writes", () => {
  const rows = [taskList, taskJson].flatMap((plan) => planQuotes.map((quote) => quote(plan)));
  it.each(rows)("go back: %s", async (text) => {
    expect(await fitting(text, false, tasks)).toMatchObject({ ok: false });
  });

  // Behind a task in words a question mark may be its own.
  const marks = planMarks.filter(({ name }) => name !== "a question mark");
  const marked = [taskList, taskJson].flatMap((plan) => marks.map(({ around }) => around(plan)));
  it.each(marked)("go back with marks around them: %s", async (text) => {
    expect(await fitting(text, false, tasks)).toMatchObject({ ok: false });
  });

  it.each([
    `${taskList}\n\nOr:\n1. Do nothing.\n2. Wait.`,
    `${taskJson}\n${taskJson}`,
    JSON.stringify({ steps: ["Refund order 17."], answer: "It would be refunded." }),
  ])("go back: %s", async (text) => {
    expect(await fitting(text, false, tasks)).toMatchObject({ ok: false });
  });
});

describe("a plan that is meant", () => {
  const steps = { ok: true, value: { kind: "steps" } };

  it.each(meantPlans)("is taken with a write where it stands alone in $name", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject(steps);
  });

  it.each(planQuotes.map((quote) => quote(reads)))(
    "is taken with reads alone from: %s",
    async (text) => {
      expect(await fitting(text, false, form)).toMatchObject(steps);
    },
  );

  it.each([taskList, taskJson, fenced(taskJson), `{"task_plan":${taskJson}}`])(
    "is taken with tasks that stand alone: %s",
    async (text) => {
      expect(await fitting(text, false, tasks)).toMatchObject(steps);
    },
  );

  it.each(planQuotes.map((quote) => quote(taskList)))(
    "is taken with tasks where no tool writes from: %s",
    async (text) => {
      expect(await fitting(text, false, harmlessTasks)).toMatchObject(steps);
    },
  );
});
