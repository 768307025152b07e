import type { BaseMessage } from "@langchain/core/messages";

import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import {
  doubtedOnce,
  type ReplyOutputSchema,
  type Validated,
  valueText,
  wholeJson,
} from "../models/structured-output.js";
import { maxAskedChars } from "../plan/asked-figures.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { type PlanIssue, quoted } from "../plan/plan-issue.js";
import {
  isBarePlan,
  nextStepId,
  type ReadPlan,
  type Step,
  type ToolStep,
  toolStepsOf,
} from "../plan/step.js";
import { planReport } from "../prompts/plan-report.js";
import { argumentForm, type ToolForm } from "../prompts/tool-protocol.js";
import type { Observation } from "../state/observation.js";
import { agentPrompt } from "./agent.js";
import { type PlanExample, planExamples } from "./examples.js";
import { examplePlans } from "./example-plans.js";
import { isUnquoted, type PlanReading } from "./plan-reading.js";
import { callSchema, stepSchema } from "./step-schema.js";

/** The default instructions of a planner. */
export const defaultPlannerInstructions =
  "You plan how to answer the user's question with tools; you do not answer it. You know no figures, " +
  "names or dates yourself: plan a step for every fact that is needed, one thing in each step, then the " +
  "calculations, up to the figure that answers the whole question. What the question says itself (a " +
  "percentage, a number of pieces) is not looked up: it goes into the calculation. A step that needs the " +
  "result of an earlier one writes {{E1}} where the result belongs. The steps run by themselves, without you.";

/** The planner's prompt: the conversation with the tools and worked examples, the user's own or one of ours. */
export function plannerPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
  tools: readonly ToolForm[],
  examples: readonly PlanExample[] = examplePlans(tools),
): BaseMessage[] {
  const parts = [
    instructions,
    `The tools, with their arguments:\n${tools.map((tool) => toolLine(tool)).join("\n")}`,
    ...planExamples(examples, new Set(tools.map(({ name }) => name))),
  ];
  return agentPrompt(messages, parts.join("\n\n"), date);
}

function toolLine({ name, description, parameters }: ToolForm): string {
  return `- ${name} ${argumentForm(parameters)}: ${description.trim().replaceAll(/\s+/g, " ")}`;
}

const wantedPlan = 'Write the plan for this question, as {"steps": […]}.';
const answerRule =
  'Only where no step can be needed, for a greeting or for what the conversation above says already: {"steps": [], "answer": "…"}.';

/**
 * The content of the plan. `mayAnswer`: the conversation may hold the answer already. A small model that reads about
 * answers writes one from memory, so a first question does not mention it.
 */
export function planTask(mayAnswer: boolean): string {
  return mayAnswer ? `${wantedPlan} ${answerRule}` : wantedPlan;
}

/** Asks the planner for the missing steps: what was done, what is missing, and how to continue. */
export function replanPrompt(
  feedback: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
  if (steps.length === 0) return `${feedback}\n\nWrite another plan.`;
  const ids = steps.map(({ id }) => id);
  const found = observations.filter(({ ok, callId }) => ok && ids.includes(callId));
  const known = found.map(({ callId }) => `{{${callId}}}`).join(", ");
  return [
    planReport(steps, observations),
    `That is not enough: ${feedback}`,
    `Plan only the steps that are still needed, from the id ${nextStepId(ids, "tool")} on. Do not repeat steps ` +
      (known === ""
        ? "that failed."
        : `whose results are there: write ${known} where they are needed.`),
  ].join("\n\n");
}

/** Asks for the next steps of a plan; `told` is what the results leave open of the question. */
export function nextStepsTask(told: string, question: string): string {
  const again = question.length > maxAskedChars ? "" : `The question is: ${question}\n`;
  return `${again}${told} Write the next step.`;
}

/** The planner's reply: steps that can run, or an answer where one was offered. */
export type PlanOrAnswer<S extends Step> =
  | { readonly kind: "steps"; readonly steps: readonly S[] }
  | { readonly kind: "answer"; readonly text: string };

/** A plan of tool calls, or an answer instead. */
export type Planned = PlanOrAnswer<ToolStep>;

/** The problem of a cut reply: nobody knows how many steps were still to come. */
export const cutPlan = {
  ok: false,
  problem: "the plan was cut off because it became too long: write it shorter",
} as const;

/** The number of steps in a schema when there is no limit. */
export const maxSteps = 200;

/**
 * The output schema of a plan: one branch per tool, with its arguments or references, so that constrained decoding
 * writes only steps that can run; and the answer where the request offers it. A reply may hold an answer anyway. `join`
 * makes the plan from the reply's steps; it must be more than the steps that exist already.
 */
export function planOutput(reading: PlanReading, join?: Join): ReplyOutputSchema<Planned> {
  const { forms, planSteps, mayAnswer } = reading;
  const items = { anyOf: forms.map(stepSchema) };
  const rules = planRules(reading, join);
  return { ...planReplyOutput(rules, items, planSteps, mayAnswer), form: planForm };
}

/**
 * The output schema of the next steps of a plan: without thoughts. What a small model thinks of first, it calls for, and
 * not what the question asks. `join`: which of the reply's steps are added.
 */
export function nextStepsOutput(reading: PlanReading, join?: Join): ReplyOutputSchema<Planned> {
  const items = { anyOf: reading.forms.map(callSchema) };
  const rules = planRules(reading, join);
  return { ...planReplyOutput(rules, items, reading.planSteps, false), form: nextStepsForm };
}

/** The schema of all tools says nothing more, in ten times the words: their arguments stand in the list of tools. */
const planForm =
  '{"steps": [{"id": "E1", "thought": what the step finds, "tool": the name of a tool, "args": its arguments}, …]}';

const nextStepsForm = '{"steps": [{"tool": the name of a tool, "args": its arguments}]}';

type Join = (steps: readonly Step[]) => Promise<readonly Step[]>;

function planRules(
  { options, issuesOf, doubtOf, meantBy, acts }: PlanReading,
  join: Join = async (steps) => steps,
): PlanRules<ToolStep> {
  return {
    name: "plan",
    parse: (text) => parsePlan(text, options),
    judge: async ({ steps, ...read }) => {
      const plan = await join(steps);
      // A plan that only names existing steps is empty, but its form is right.
      const isKnown = plan.length === 0 && steps.length > 0;
      const issues = isKnown ? [] : await issuesOf({ ...read, steps: plan });
      const written = toolStepsOf(plan);
      return { steps: meantBy === undefined ? written : meantBy(written), issues };
    },
    acts: (steps) => steps.some((step) => step.kind === "tool" && acts(step.tool)),
    doubtOf,
  };
}

type Judged<S> = { readonly steps: readonly S[]; readonly issues: readonly PlanIssue[] };

/** How plans of one kind of steps are read and checked. */
export type PlanRules<S extends Step> = {
  /** The name of the output, which some models write around a plan. */
  readonly name: string;
  readonly parse: (text: string) => ReadPlan;
  /** The steps to carry out, and what is wrong with the plan. */
  readonly judge: (read: ReadPlan) => Judged<S> | Promise<Judged<S>>;
  /** Whether the steps may change anything outside. */
  readonly acts: (steps: readonly Step[]) => boolean;
  /** What a plan that can run may have forgotten. */
  readonly doubtOf?: ((steps: readonly S[]) => string | undefined) | undefined;
};

const orAnswer =
  'An answer in place of a plan, {"steps": [], "answer": "…"}, is only for a greeting and for what the conversation itself says';

/** The problem of a reply with more than one plan. */
export const severalPlans = {
  ok: false,
  problem: "expected exactly one plan, got several: write the one that is to be carried out",
} as const;

/** The problem of a reply with other text beside a plan whose steps act. */
export const quotedPlan = {
  ok: false,
  problem:
    "the steps of this plan change something, and the reply holds more than the plan. To have it carried out, " +
    'write the plan alone, without any other text; to carry nothing out, write {"steps": [], "answer": "…"}',
} as const;

/**
 * Reads the one plan of a reply, or its answer. Prose is not an answer; prose around a plan that acts may make it a
 * quotation.
 */
async function readPlanReply<S extends Step>(
  text: string,
  isCut: boolean,
  rules: PlanRules<S>,
): Promise<Validated<PlanOrAnswer<S>>> {
  const values = valuesIn(text, isCut, rules.name);
  let wrong: Validated<never> | undefined;
  for (const [plan, ...more] of plansIn(text, isCut, values, rules)) {
    const judged = await judgedPlan(plan, more, text, rules);
    if (judged.ok || judged === quotedPlan || judged === severalPlans) return judged;
    wrong ??= judged;
  }
  return wrong ?? answerIn(values) ?? (isCut ? cutPlan : noPlan(text, values));
}

type PlanInReply = { readonly read: ReadPlan; readonly isAlone: boolean };

/** The plans in a reply's text, and in its JSON, which is read more tolerantly. */
function plansIn<S extends Step>(
  text: string,
  isCut: boolean,
  values: readonly ValueInReply[],
  { parse }: PlanRules<S>,
): (readonly [PlanInReply, ...PlanInReply[]])[] {
  const [only] = values;
  const said = only?.isWrapped === true ? JSON.stringify(only.value) : text;
  // In a cut reply only closed values can be whole.
  const inText = isCut ? [] : [{ read: parse(said), isAlone: true }];
  const inJson = values.map(({ value, isAlone }) => {
    return { read: parse(JSON.stringify(value)), isAlone };
  });
  return [inText, inJson].flatMap((plans) => {
    const [first, ...more] = plans.filter(({ read }) => read.steps.length > 0);
    return first === undefined ? [] : [[first, ...more] as const];
  });
}

async function judgedPlan<S extends Step>(
  { read, isAlone }: PlanInReply,
  more: readonly PlanInReply[],
  text: string,
  { judge, acts }: PlanRules<S>,
): Promise<Validated<PlanOrAnswer<S>>> {
  if (more.length > 0 || (read.plans ?? 1) > 1) return severalPlans;
  const { steps, issues } = await judge(read);
  if (issues.length > 0) {
    return { ok: false, problem: issues.map(({ message }) => message).join("\n") };
  }
  const isMeant = !acts(read.steps) || (isAlone && isBarePlan(read) && isUnquoted(text));
  return isMeant ? { ok: true, value: { kind: "steps", steps } } : quotedPlan;
}

/** `isAlone`: nothing else is in the reply. `isWrapped`: it was the whole content of a call of the output tool. */
type ValueInReply = {
  readonly value: unknown;
  readonly isAlone: boolean;
  readonly isWrapped?: true;
};

/** The JSON of a reply, without what some models write around it. */
function valuesIn(text: string, isCut: boolean, name: string): ValueInReply[] {
  const whole = wholeJson(text);
  if (whole.ok) {
    const hasComments = whole.repaired && /\/[/*]|#/.test(text);
    const inner = unwrapped(whole.value, name);
    if (inner !== undefined && !hasComments)
      return [{ value: inner, isAlone: true, isWrapped: true }];
    return [{ value: inner ?? whole.value, isAlone: !hasComments }];
  }
  return (
    findJson(text)
      .found.filter(({ missing, place }) => place === "alone" && !(missing > 0 && isCut))
      // A list of texts in the middle of a reply is an argument, or prose.
      .filter(({ value }) => !Array.isArray(value) || value.some((each) => isRecord(each)))
      .map(({ value }) => ({ value: unwrapped(value, name) ?? value, isAlone: false }))
  );
}

/** The content of a list with one item, or of a call of the output tool with nothing else. */
function unwrapped(value: unknown, name: string): unknown {
  if (Array.isArray(value))
    return value.length === 1 && isRecord(value[0]?.steps) ? value[0] : undefined;
  if (!isRecord(value)) return undefined;
  const { type: _type, name: called = name, ...rest } = value;
  const held = Object.entries(rest);
  const inner = [name, "arguments", "parameters"].map((key) => rest[key]).find(isRecord);
  return called === name && held.length === 1 ? inner : undefined;
}

const stepKeys = ["steps", "plan", "tasks", "tool", "action"];

/** The answer in a reply without a plan; none of two, because nobody knows which is meant. */
function answerIn(values: readonly ValueInReply[]): Validated<PlanOrAnswer<never>> | undefined {
  const answers = values.flatMap(({ value }) => {
    if (!isRecord(value)) return [];
    const isPlan = stepKeys.some((key) => JSON.stringify(value[key] ?? []) !== "[]");
    const text = isPlan ? "" : valueText(value["answer"]);
    return text === "" ? [] : [text];
  });
  const [text, ...more] = new Set(answers);
  return text === undefined || more.length > 0
    ? undefined
    : { ok: true, value: { kind: "answer", text } };
}

function noPlan(text: string, values: readonly ValueInReply[]): Validated<never> {
  const said = values.length > 0 ? "" : text.trim().replaceAll(/\s+/g, " ");
  const got = said === "" ? "none" : `only this text: ${quoted(said)}`;
  return {
    ok: false,
    problem: `expected a plan with at least one step, got ${got}. ${orAnswer}`,
  };
}

/** The output schema of a plan of such steps, or of an answer where one is offered. */
export function planReplyOutput<S extends Step>(
  rules: PlanRules<S>,
  items: object,
  planSteps: number | null,
  mayAnswer: boolean,
): ReplyOutputSchema<PlanOrAnswer<S>> {
  const steps = { type: "array", maxItems: planSteps ?? maxSteps, items };
  const output: ReplyOutputSchema<PlanOrAnswer<S>> = {
    name: rules.name,
    schema: objectSchema(
      mayAnswer ? { steps, answer: { type: "string" } } : { steps: { ...steps, minItems: 1 } },
      ["steps"],
    ),
    answer: { field: "answer", when: { field: "steps", is: "[]" } },
    readReply: (text, isCut) => readPlanReply(text, isCut, rules),
  };
  return doubtedOnce(output, (read) =>
    read.kind === "steps" ? rules.doubtOf?.(read.steps) : undefined,
  );
}
