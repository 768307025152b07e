import type { BaseMessage } from "@langchain/core/messages";

import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import type { NamedSchema } from "../models/provider/output-mode.js";
import {
  type ReplyOutputSchema,
  type Validated,
  valueText,
  wholeJson,
} from "../models/structured-output.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { quoted } from "../plan/plan-issue.js";
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
import { isUnquoted, type PlanReading } from "./plan-reading.js";

/** What a planner is told when the caller says nothing else. */
export const defaultPlannerInstructions =
  "You plan how to answer the user's question with tools; you do not answer it. You know no figures, " +
  "names or dates yourself: plan a step for every fact that is needed, one thing in each step, then the " +
  "calculations, up to the figure that answers the whole question. What the question says itself (a " +
  "percentage, a number of pieces) is not looked up: it goes into the calculation. A step that needs the " +
  "result of an earlier one writes {{E1}} where the result belongs. The steps run by themselves, without you.";

/** The conversation as the planner's model reads it, with the tools and one worked example. */
export function plannerPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
  tools: readonly ToolForm[],
): BaseMessage[] {
  const example = exampleFor(tools);
  const parts = [
    instructions,
    `The tools, with their arguments:\n${tools.map((tool) => toolLine(tool)).join("\n")}`,
    ...(example === undefined ? [] : [example]),
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
 * What the plan is to hold. `mayAnswer`: the conversation may hold the answer already. A small model that reads of an
 * answer writes one from memory, so a first question does not mention it.
 */
export function planTask(mayAnswer: boolean): string {
  return mayAnswer ? `${wantedPlan} ${answerRule}` : wantedPlan;
}

/**
 * A plan for a question that nobody asks, in the very form that is asked for: facts, a change in percent, an
 * average in two steps, which of two figures is divided by the other. Only for tools that it fits: an example with other tools would be copied.
 */
function exampleFor(tools: readonly ToolForm[]): string | undefined {
  const look = tools.find(
    (tool) => onlyText(tool) !== undefined && onlyText(tool) !== "expression",
  );
  const count = tools.find((tool) => onlyText(tool) === "expression");
  if (look === undefined || count === undefined) return undefined;
  const field = onlyText(look) ?? "";
  const found = (id: string, thought: string, what: string) => ({
    id,
    thought,
    tool: look.name,
    args: { [field]: what },
  });
  const counted = (id: string, thought: string, expression: string) => ({
    id,
    thought,
    tool: count.name,
    args: { expression },
  });
  const steps = [
    found("E1", "The weight of a Falbo bell", "weight of a Falbo bell"),
    found("E2", "The weight of a Renn bell", "weight of a Renn bell"),
    found("E3", "The weight of an Orm bell", "weight of an Orm bell"),
    counted("E4", "The weight of a Falbo bell that grows by 5%", "{{E1}} * 1.05"),
    counted("E5", "The weight of a Renn bell and an Orm bell together", "{{E2}} + {{E3}}"),
    counted("E6", "The average weight of a Renn bell and an Orm bell", "{{E5}} / 2"),
    counted("E7", "How many times E4 is E6", "{{E6}} / {{E4}}"),
  ];
  const asked =
    "How many times the weight of a Falbo bell that grows by 5% is the average weight of a Renn bell and an Orm bell?";
  return `An example. "${asked}" is planned as\n${JSON.stringify({ steps })}`;
}

/** The only argument of a tool, where it is a text. */
function onlyText({ parameters }: ToolForm): string | undefined {
  const properties = isRecord(parameters) ? parameters["properties"] : undefined;
  const [first, ...others] = isRecord(properties) ? Object.entries(properties) : [];
  const [name, field] = first ?? [];
  return others.length === 0 && isRecord(field) && field["type"] === "string" ? name : undefined;
}

/** Asks the planner for the steps that a plan lacked: what was done, what is missing, and how to go on. */
export function replanPrompt(
  feedback: string,
  steps: readonly ToolStep[],
  observations: readonly Observation[],
): string {
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

/** What a planner's reply holds: steps that can run, or the answer in the form that is meant for it. */
export type PlanOrAnswer<S extends Step> =
  | { readonly kind: "steps"; readonly steps: readonly S[] }
  | { readonly kind: "answer"; readonly text: string };

/** A plan of tool calls, or an answer in place of one. */
export type Planned = PlanOrAnswer<ToolStep>;

/** What is wrong with the steps of a reply that was cut: nobody knows how many were still to come. */
export const cutPlan = {
  ok: false,
  problem: "the plan was cut off because it became too long: write it shorter",
} as const;

/** Makes the plan of a reply's steps: where some stand already, more than they are. */
type JoinPlan = (steps: readonly Step[]) => Promise<readonly Step[]>;

/** Long thoughts and endless plans are how small models run away. */
const maxThoughtChars = 200;

/** How many steps a schema allows where no limit says it. */
export const maxSteps = 200;

/**
 * The output schema of a plan: one branch a tool, with its arguments or references in their place, so that constrained
 * decoding writes only steps that run; and the answer where the request offers it. A reply may hold an answer anyway.
 */
export function planOutput(
  { forms, planSteps, mayAnswer, options, issuesOf, acts }: PlanReading,
  join: JoinPlan = async (steps) => steps,
): ReplyOutputSchema<Planned> {
  const judge = async ({ steps, ...read }: ReadPlan): Promise<Validated<readonly ToolStep[]>> => {
    const plan = await join(steps);
    // Nothing is left of a plan that names nothing but steps that stand: that is no fault of its form.
    const isKnown = plan.length === 0 && steps.length > 0;
    const issues = isKnown ? [] : await issuesOf({ ...read, steps: plan });
    return issues.length > 0
      ? { ok: false, problem: issues.map(({ message }) => message).join("\n") }
      : { ok: true, value: toolStepsOf(plan) };
  };
  const rules: PlanRules<ToolStep> = {
    name: "plan",
    parse: (text) => parsePlan(text, options),
    judge,
    acts: (steps) => steps.some((step) => step.kind === "tool" && acts(step.tool)),
  };
  return {
    name: rules.name,
    schema: planSchema({ anyOf: forms.map((form) => stepSchema(form)) }, planSteps, mayAnswer),
    readReply: async (text, isCut) => readPlanReply(text, isCut, rules),
  };
}

/** How plans of one kind of steps are read and judged. */
export type PlanRules<S extends Step> = {
  /** The name of the output, which some models write around a plan. */
  readonly name: string;
  readonly parse: (text: string) => ReadPlan;
  /** The steps of a plan that can be carried out, or what is wrong with it. */
  readonly judge: (read: ReadPlan) => Validated<readonly S[]> | Promise<Validated<readonly S[]>>;
  /** Whether carrying out the steps may change anything outside. */
  readonly acts: (steps: readonly Step[]) => boolean;
};

const orAnswer =
  'An answer in place of a plan, {"steps": [], "answer": "…"}, is only for a greeting and for what the conversation itself says';

/** What is wrong with a reply that holds more than one plan. */
export const severalPlans = {
  ok: false,
  problem: "expected exactly one plan, got several: write the one that is to be carried out",
} as const;

/** What is wrong with a reply that holds more than a plan whose steps act. */
export const quotedPlan = {
  ok: false,
  problem:
    "the steps of this plan change something, and the reply holds more than the plan. To have it carried out, " +
    'write the plan alone, without any other text; to carry nothing out, write {"steps": [], "answer": "…"}',
} as const;

/** Reads the one plan of a reply, or its answer. Prose is no answer; around a plan that acts it may be a quotation. */
export async function readPlanReply<S extends Step>(
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

/** The plans of a reply as its text has them, and as its JSON does, which is read more tolerantly. */
function plansIn<S extends Step>(
  text: string,
  isCut: boolean,
  values: readonly ValueInReply[],
  { parse }: PlanRules<S>,
): (readonly [PlanInReply, ...PlanInReply[]])[] {
  const [only] = values;
  const said = only?.isWrapped === true ? JSON.stringify(only.value) : text;
  // Of a reply that was cut only what is closed can be whole.
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
  const judged = await judge(read);
  if (!judged.ok) return judged;
  const isMeant = !acts(read.steps) || (isAlone && isBarePlan(read) && isUnquoted(text));
  return isMeant ? { ok: true, value: { kind: "steps", steps: judged.value } } : quotedPlan;
}

/** `isAlone`: nothing stands beside it. `isWrapped`: it was all that a call of the output tool holds. */
type ValueInReply = {
  readonly value: unknown;
  readonly isAlone: boolean;
  readonly isWrapped?: true;
};

/** The JSON of a reply, out of what some models write around it. */
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

/** What a list of one holds, or a call of the output tool that holds nothing else. */
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

/** The answer in a reply without a plan; of two nobody knows which is meant. */
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

/** The schema of a plan of such steps, or of an answer in place of one where that may be. */
export function planSchema(
  items: object,
  planSteps: number | null,
  mayAnswer: boolean,
): NamedSchema["schema"] {
  const steps = { type: "array", maxItems: planSteps ?? maxSteps, items };
  return {
    type: "object",
    properties: mayAnswer
      ? { steps, answer: { type: "string" } }
      : { steps: { ...steps, minItems: 1 } },
    required: ["steps"],
    additionalProperties: false,
  };
}

function stepSchema({ name, parameters }: ToolForm) {
  return {
    type: "object",
    properties: {
      id: { type: "string", pattern: "^E[1-9][0-9]{0,2}$" },
      thought: { type: "string", maxLength: maxThoughtChars },
      tool: { const: name },
      args: withReferences(parameters),
    },
    required: ["id", "thought", "tool", "args"],
    additionalProperties: false,
  };
}

/** The tool's arguments, each of which may be a reference to an earlier result. */
function withReferences(parameters: unknown): object {
  const refers = JSON.stringify(parameters ?? {}).includes('"$ref"');
  if (!isRecord(parameters) || refers) return { type: "object" };
  const { $schema: _dialect, properties, ...schema } = parameters;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  const relaxed = fields.map(([name, field]) => {
    return [name, isAnyText(field) ? field : { anyOf: [field, { type: "string" }] }];
  });
  return { type: "object", ...schema, properties: Object.fromEntries(relaxed) };
}

/** Whether a field takes every text: a reference, and a day in words, too. */
function isAnyText(field: unknown): boolean {
  const held = ["enum", "const", "format", "pattern"];
  return isRecord(field) && field["type"] === "string" && !held.some((keyword) => keyword in field);
}
