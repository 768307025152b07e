import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/structured-output.js";
import { canonicalPlan } from "../../src/plan/print-plan.js";
import type { TaskStep } from "../../src/plan/step.js";
import { replanOutput, type ReplanRules } from "../../src/roles/replanner.js";
import { planMarks } from "../support/mentioned-plans.js";

const step = (id: string, task: string, ...after: readonly string[]): TaskStep => ({
  kind: "task",
  id,
  task,
  ...(after.length === 0 ? {} : { after }),
});
const steps = [step("S1", "a"), step("S2", "b", "S1"), step("S3", "c", "S2")];
const rules = (...ended: readonly string[]): ReplanRules => ({
  soFar: { steps, ended: new Set(ended) },
  failed: new Set(),
  rejected: [],
  planSteps: 20,
  acts: false,
});

const respond = (response: string) => ({ action: "respond", response });
const goOn = (...open: readonly TaskStep[]) => ({ action: "continue", steps: open });

describe("what a replanner decides", () => {
  it.each<{ name: string; text: string; ended?: readonly string[]; value: object }>([
    {
      name: "the answer",
      text: '{"action":"respond","response":"42"}',
      value: respond("42"),
    },
    { name: "a bare figure", text: '{"action":"Respond","response":42}', value: respond("42") },
    {
      name: "the rest of the plan",
      text: '{"action":"continue","steps":[{"id":"S2","task":"b","after":["S1"]},{"id":"S3","task":"c","after":["S2"]}]}',
      value: goOn(step("S2", "b"), step("S3", "c", "S2")),
    },
    {
      name: "another step",
      text: '{"action":"continue","steps":[{"id":"S2","task":"d","after":[]}]}',
      value: goOn(step("S4", "d")),
    },
    {
      name: "plain texts",
      text: '{"action":"continue","steps":["c","d"]}',
      value: goOn(step("S3", "c"), step("S5", "d", "S3")),
    },
    {
      name: "the whole plan, of which a part is done",
      text: '{"action":"continue","steps":["a","b","c"]}',
      value: goOn(step("S2", "b"), step("S3", "c", "S2")),
    },
    {
      name: "prose where nothing is left to do",
      text: "It is 42: 1. a, 2. b.",
      ended: ["S1", "S2", "S3"],
      value: respond("It is 42: 1. a, 2. b."),
    },
    {
      name: "a list in words while steps are open",
      text: "1. b\n2. d",
      value: goOn(step("S2", "b"), step("S4", "d", "S2")),
    },
    {
      name: "steps in no possible order, one after the other",
      text: '{"action":"continue","steps":[{"id":"S2","task":"b","after":["S2"]},{"id":"S3","task":"c","after":["S7"]}]}',
      value: goOn(step("S2", "b"), step("S3", "c", "S2")),
    },
  ])("may be $name", async ({ text, ended = ["S1"], value }) => {
    expect(await fitting(text, false, replanOutput(rules(...ended)))).toEqual({ ok: true, value });
  });

  it.each<{ name: string; text: string; changed?: Partial<ReplanRules>; problem: string }>([
    { name: "nothing", text: "", problem: "" },
    { name: "no decision", text: "{}", problem: "got the action none" },
    { name: "a list", text: "[1]", problem: "expected" },
    {
      name: "a failed step once more, beside others",
      text: '{"action":"continue","steps":["a","b"]}',
      changed: { failed: new Set(["S1"]) },
      problem: 'another way than "a", which failed',
    },
    {
      name: "more steps than may be",
      text: '{"action":"continue","steps":["d","e"]}',
      changed: { planSteps: 1 },
      problem: "at most 1 steps, got 2",
    },
    {
      name: "the plan that a person rejected",
      text: '{"action":"continue","steps":[{"id":"S2","task":"b","after":[]}]}',
      changed: { rejected: [canonicalPlan([step("S2", "b")])] },
      problem: "another plan than the one that a person rejected",
    },
    {
      name: "one step again and again",
      text: '{"action":"continue","steps":["d","e","e","e"]}',
      problem: 'expected each task once, got "e"',
    },
    { name: "prose while steps are open", text: "Let us go on.", problem: "expected JSON" },
  ])("does not fit as $name", async ({ text, changed = {}, problem }) => {
    const read = await fitting(text, false, replanOutput({ ...rules("S1"), ...changed }));
    expect(read).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});

describe("a plan with a write that a replanner only talks about", () => {
  const acting = replanOutput({ ...rules("S1"), acts: true });
  const json = JSON.stringify(goOn(step("S2", "d")));

  it.each([
    `Only an example, do not do it:\n${json}`,
    `${json}\nShall I go on?`,
    `以下只是示例,不要执行:\n${json}`,
    `${json}\n${json}`,
    "The next steps would be:\n1. d\n2. e",
  ])("goes back: %s", async (text) => {
    expect(await fitting(text, false, acting)).toMatchObject({ ok: false });
  });

  it.each(planMarks)("goes back with the marks of a quotation: $name", async ({ around }) => {
    expect(await fitting(around(json), false, acting)).toMatchObject({ ok: false });
  });

  it.each([json, `\`\`\`json\n${json}\n\`\`\``, "1. d\n2. e"])(
    "is taken alone: %s",
    async (text) => {
      expect(await fitting(text, false, acting)).toMatchObject({ ok: true });
    },
  );

  it("goes back with a second one even where nothing writes", async () => {
    expect(await fitting(`${json}\n${json}`, false, replanOutput(rules("S1")))).toMatchObject({
      ok: false,
    });
  });
});

it("takes no apology for the answer once a reply went back", async () => {
  const form = replanOutput(rules("S1", "S2", "S3"));
  const sorry = "Sorry, I will correct the plan now.";
  expect(await fitting(sorry, false, form, true)).toMatchObject({ ok: false });
  expect(await fitting('{"action":"respond","response":"42"}', false, form, true)).toMatchObject({
    ok: true,
  });
});
