import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parsePlan } from "../../src/plan/parse/parse-plan.js";
import type { Step, ToolStep } from "../../src/plan/step.js";
import { type PlanRules, type PlanTool, validatePlan } from "../../src/plan/validate-plan.js";
import { planTexts, validPlans } from "./plan-arbitrary.js";

const takesAll: PlanTool["check"] = () => [];
const tools: readonly PlanTool[] = [
  {
    name: "search",
    check: ({ query }) => (typeof query === "string" ? [] : ["query: expected a text"]),
  },
  { name: "calculator", check: takesAll },
  { name: "llm", check: takesAll },
];
const rules: PlanRules = { planSteps: 20 };

function step(id: string, args: ToolStep["args"] = {}, after?: readonly string[]): ToolStep {
  return { kind: "tool", id, tool: "calculator", args, ...(after === undefined ? {} : { after }) };
}

function issues(
  steps: readonly Step[],
  more: Partial<PlanRules> = {},
  unread: readonly string[] = [],
) {
  const found = validatePlan({ steps, unread }, tools, { ...rules, ...more });
  return found.map(({ kind, stepId, message }) => `${kind} ${stepId ?? "-"}: ${message}`);
}

describe("validatePlan", () => {
  it.each<{ name: string; steps: Step[]; issue: string }>([
    {
      name: "no steps",
      steps: [],
      issue: "no-steps -: expected a plan with at least one step, got none",
    },
    {
      name: "a doubled id",
      steps: [step("E1"), step("E1")],
      issue:
        'duplicate-id E1: expected an id of its own, got "E1": another step has it; E2 is free',
    },
    {
      name: "an unknown tool, the nearest names first",
      steps: [{ ...step("E1"), tool: "calculate" }],
      issue:
        'unknown-tool E1: E1: expected one of the tools calculator, search, llm, got "calculate"',
    },
    {
      name: "arguments that cannot match",
      steps: [{ ...step("E1", { query: 3 }), tool: "search" }],
      issue: "arguments E1: E1, search: query: expected a text",
    },
    {
      name: "an unknown reference",
      steps: [step("E1"), step("E2", { a: "{{E9}}" })],
      issue:
        'unknown-reference E2: E2: expected E1, got "E9", which is no step: plan a step before it that finds what it needs',
    },
    {
      name: "an unknown reference of the first step",
      steps: [step("E1", { a: "{{E9}}" })],
      issue:
        'unknown-reference E1: E1: expected no reference, being the first step, got "E9", which is no step: plan a step before it that finds what it needs',
    },
    {
      name: "a reference to what is to be found out",
      steps: [step("E1", { a: "{{Greta}}" })],
      issue:
        'unknown-reference E1: E1: expected no reference, being the first step, got "Greta", which is no step: plan a step before it that finds this',
    },
    {
      name: "an unknown id in after",
      steps: [step("E1", {}, ["E9"])],
      issue:
        'unknown-reference E1: E1: expected no reference, being the first step, got "E9", which is no step: plan a step before it that finds what it needs',
    },
    {
      name: "a reference that cannot be read",
      steps: [step("E1", { a: ["{{today() - 7}}"] })],
      issue:
        'unreadable-reference E1: E1: expected a reference such as {{E1}} or {{E1.items[0]}}, got "{{today() - 7}}"',
    },
    {
      name: "a forward reference",
      steps: [step("E1", { a: "{{E2}}" }), step("E2")],
      issue:
        "forward-reference E1: E1: expected an earlier step, got E2, which comes later; a step can only use what comes before it",
    },
    {
      name: "a forward order",
      steps: [step("E1", {}, ["E2"]), step("E2")],
      issue:
        "forward-reference E1: E1: expected an earlier step, got E2, which comes later; a step can only use what comes before it",
    },
    {
      name: "a step that refers to itself",
      steps: [step("E1", { a: "{{E1}}" })],
      issue:
        "self-reference E1: E1: expected an earlier step, got the step itself; a step can only use what comes before it: leave {{E1}} out of E1",
    },
    {
      name: "a cycle through references and order",
      steps: [step("E1", { a: "{{E3}}" }), step("E2", {}, ["E1"]), step("E3", { a: "{{E2}}" })],
      issue:
        "cycle E1: expected steps in an order, got steps that wait for each other: E1 → E3 → E2 → E1",
    },
  ])("finds $name", ({ steps, issue }) => {
    expect(issues(steps)).toEqual([issue]);
  });

  it("finds too many steps, and none where there is no limit", () => {
    const steps = Array.from({ length: 100 }, (_, at) => step(`E${at + 1}`));
    expect(issues(steps)).toEqual(["too-many-steps -: expected at most 20 steps, got 100"]);
    expect(issues(steps, { planSteps: null })).toEqual([]);
  });

  it("finds two cycles apart", () => {
    const steps = [
      step("E1", { a: "{{E2}}" }),
      step("E2", { a: "{{E1}}" }),
      step("E3", {}, ["E4"]),
      step("E4", {}, ["E3", "E1"]),
    ];
    expect(issues(steps).map((each) => each.split(":")[0])).toEqual(["cycle E1", "cycle E3"]);
  });

  it("takes references to earlier plans, and their ids only once", () => {
    const earlier = ["E1", "E2"];
    expect(issues([step("E3", { a: "{{E1}}" }, ["E2"])], { earlier })).toEqual([]);
    expect(issues([step("E1", {})], { earlier })).toEqual([
      'duplicate-id E1: expected an id of its own, got "E1": an earlier plan has used it; E3 is free',
    ]);
  });

  it("says that a planner answered instead of planning", () => {
    expect(issues([], {}, ["Mount Kenya is 5,199 m high."])).toEqual([
      'no-steps -: expected a plan with at least one step, got only this text: "Mount Kenya is 5,199 m high."',
    ]);
  });

  it.each([
    { name: "prose", unread: "Sure, here is the plan. I hope it helps.", found: 0 },
    { name: "prose that names a tool", unread: "We search first.", found: 0 },
    { name: "an assignment", unread: "#E2 = find the rest", found: 1 },
    { name: "a call of a tool", unread: "then calculator(1 + 1", found: 1 },
    { name: "half a step in JSON", unread: '{"id":"E2","tool":"sea', found: 1 },
    { name: "a row with a tool", unread: "1 | search | Mount Kenya |", found: 1 },
  ])("judges $name that was left unread: $found", ({ unread, found }) => {
    const kinds = validatePlan({ steps: [step("E1")], unread: [unread] }, tools, rules);
    expect(kinds.map(({ kind }) => kind)).toEqual(found === 0 ? [] : ["unread"]);
  });

  it.each<{ kind: Step["kind"]; steps: Step[]; issue: string }>([
    {
      kind: "tool",
      steps: [{ kind: "task", id: "S1", task: "find it" }],
      issue: 'wrong-kind S1: expected a call of a tool in every step, got only words: "find it"',
    },
    {
      kind: "task",
      steps: [step("E1")],
      issue: "wrong-kind E1: E1: expected a task in words, got a call of calculator",
    },
  ])("finds steps that are no $kind where only these are wanted", ({ kind, steps, issue }) => {
    expect(issues(steps, { kind })).toEqual([issue]);
  });

  it("finds nothing wrong with a valid plan", () => {
    fc.assert(
      fc.property(validPlans, (steps) => {
        const names = steps.flatMap((each) => (each.kind === "tool" ? [each.tool] : []));
        const all = names.map((name) => ({ name, check: takesAll }));
        const found = validatePlan({ steps, unread: [] }, all, { planSteps: null });
        expect(found.filter(({ kind }) => kind !== "unreadable-reference")).toEqual([]);
      }),
    );
  });

  it("tells of anything in at most 300 characters", () => {
    fc.assert(
      fc.property(fc.array(planTexts, { maxLength: 3 }), fc.string(), (texts, name) => {
        const plan = parsePlan(texts.join("\n"), { earlier: ["E1"] });
        const long: PlanTool = { name: name.repeat(100), check: () => ["long ".repeat(100)] };
        const found = validatePlan(plan, [long, ...tools], {
          planSteps: 1,
          earlier: ["E1"],
          kind: "task",
        });
        expect(found.every(({ message }) => message !== "" && message.length <= 300)).toBe(true);
      }),
    );
  });

  it(
    "judges a plan of thousands of steps that all wait for each other in time",
    { timeout: 5000 },
    () => {
      const steps = Array.from({ length: 3000 }, (_, at) =>
        step(`E${at}`, {}, [`E${(at + 1) % 3000}`]),
      );
      expect(issues(steps, { planSteps: null })).toHaveLength(1);
    },
  );
});
