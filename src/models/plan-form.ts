import { isRecord } from "../plan/json.js";
import { parsePlan } from "../plan/parse-plan.js";
import { type ReadPlan, type Step, type ToolStep, toolStepsOf } from "../plan/step.js";
import type { ToolForm } from "../prompts/argument-form.js";
import type { StructuredForm, Validated } from "./fitting.js";
import type { PlanReading } from "./plan-reading.js";
import type { Form } from "./wire/form-ladder.js";

/** What a planner's reply holds: steps that can run, or an answer instead of a plan. */
export type Planned =
  | { readonly kind: "steps"; readonly steps: readonly ToolStep[] }
  | { readonly kind: "answer"; readonly text: string };

/** What is wrong with the steps of a reply that was cut: nobody knows how many were still to come. */
export const cutPlan = {
  ok: false,
  problem: "the plan was cut off because it became too long: write it shorter",
} as const;

/** Makes the plan of a reply's steps: where some stand already, more than they are. */
type JoinPlan = (steps: readonly Step[]) => Promise<readonly Step[]>;

/** Long thoughts and endless plans are how small models run away. */
const maxThoughtChars = 200;
const maxSteps = 50;

/**
 * The form of a plan of tool calls: one branch a tool, with its own arguments, any of which may be a
 * reference instead, so that constrained decoding can write nothing but steps that run.
 */
export function planForm(
  { forms, planSteps, options, issuesOf }: PlanReading,
  join: JoinPlan = async (steps) => steps,
): StructuredForm<Planned> {
  const judged = async ({ steps, unread }: ReadPlan): Promise<Validated<Planned>> => {
    const plan = await join(steps);
    // Nothing is left of a plan that names nothing but steps that stand: that is no fault of its form.
    const isKnown = plan.length === 0 && steps.length > 0;
    const issues = isKnown ? [] : await issuesOf({ steps: plan, unread });
    return issues.length > 0
      ? { ok: false, problem: issues.map(({ message }) => message).join("\n") }
      : { ok: true, value: { kind: "steps", steps: toolStepsOf(plan) } };
  };
  return {
    name: "plan",
    schema: planSchema(forms, planSteps ?? maxSteps),
    read: (value) => judged(parsePlan(JSON.stringify(value), options)),
    readText: async (text, isCut) => {
      const read = parsePlan(text, options);
      if (isAnswer(text, read)) return { ok: true, value: { kind: "answer", text: text.trim() } };
      return isCut ? cutPlan : judged(read);
    },
  };
}

function planSchema(forms: readonly ToolForm[], maxItems: number): Form["schema"] {
  const steps = {
    type: "array",
    minItems: 1,
    maxItems,
    items: { anyOf: forms.map((form) => stepSchema(form)) },
  };
  return {
    type: "object",
    properties: { steps },
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

/** Whether a text is prose without a trace of a plan: the planner answers instead of planning. */
export function isAnswer(text: string, { steps }: ReadPlan): boolean {
  const isPlan = steps.length > 0 || /[{[]|#E\d|^[^\S\n\r\u2028\u2029]*\d+\./m.test(text);
  return !isPlan && text.trim() !== "";
}
