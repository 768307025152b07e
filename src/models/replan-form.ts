import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { orderTasks } from "../plan/plan-order.js";
import { canonicalPlan } from "../plan/print-plan.js";
import { type PlanSoFar, revisePlan, type Revision } from "../plan/revise-plan.js";
import { isBarePlan, type TaskStep, taskStepsOf } from "../plan/step.js";
import { validatePlan } from "../plan/validate-plan.js";
import {
  fittingJson,
  type JsonForm,
  type ReplyForm,
  type Validated,
  wholeJson,
} from "./fitting.js";
import { cutPlan, maxSteps, quotedPlan, severalPlans } from "./plan-form.js";
import { taskSchema } from "./task-plan-form.js";
import { isUnquoted } from "./unquoted-plan.js";
import { valueText } from "./value-text.js";

/** What a replanner decides: the answer, or what still needs doing. */
export type Replanned =
  | { readonly action: "respond"; readonly response: string }
  | { readonly action: "continue"; readonly steps: readonly TaskStep[] };

/** What a replanner may decide. */
export type ReplanRules = {
  readonly soFar: PlanSoFar;
  /** The ids of the steps that failed. */
  readonly failed: ReadonlySet<string>;
  /** Canonical forms of plans that a person rejected. */
  readonly rejected: readonly string[];
  /** How many open steps there may be; `null` for any number. */
  readonly planSteps: number | null;
  /** Whether carrying steps out may change something outside. */
  readonly acts: boolean;
};

/**
 * The form of a replanner's decision. Steps are read as what is still open of the plan: what they repeat of it
 * keeps its id. A decision that leads nowhere (no step, only steps that have ended, a failed step once more, a
 * rejected plan) does not fit.
 */
export function replanForm(rules: ReplanRules): ReplyForm<Replanned> {
  const { soFar, planSteps } = rules;
  const steps = { type: "array", maxItems: planSteps ?? maxSteps, items: taskSchema };
  const isExhausted = soFar.steps.every(({ id }) => soFar.ended.has(id));
  const form: JsonForm<Replanned> = {
    name: "replan",
    schema: {
      type: "object",
      properties: {
        action: { enum: ["respond", "continue"] },
        response: { type: "string" },
        steps,
      },
      required: ["action"],
      additionalProperties: false,
    },
    read: (value) => readReplan(value, rules),
  };
  return {
    ...form,
    readReply: async (text, isCut, isRepair) => {
      // What is said in prose about a reply that went back is no answer.
      const isAnswer = isExhausted && !isRepair;
      const readText = () => (isCut ? cutPlan : readReplanText(text, isAnswer, rules));
      const read = await fittingJson(text, isCut, { ...form, readText });
      if (!read.ok || read.value.action !== "continue") return read;
      if (decisionsIn(text) > 1) return severalPlans;
      return rules.acts && !standsAlone(text) ? quotedPlan : read;
    },
  };
}

function decisionsIn(text: string): number {
  return findJson(text).found.filter(({ value }) => isRecord(value) && "action" in value).length;
}

/** Whether a reply is the plan and nothing else. */
function standsAlone(text: string): boolean {
  return isUnquoted(text) && (wholeJson(text).ok || isBarePlan(parsePlan(text, { findJson })));
}

const wanted =
  'expected {"action": "respond", "response"} or {"action": "continue", "steps": [{"id", "task", "after"}]}';

function readReplan(value: unknown, rules: ReplanRules): Validated<Replanned> {
  if (!isRecord(value)) return { ok: false, problem: `${wanted}, got ${JSON.stringify(value)}` };
  const { action, response, steps } = value;
  const named = typeof action === "string" ? action.trim().toLowerCase() : undefined;
  if (named === "continue") return judged(JSON.stringify({ steps: steps ?? [] }), rules);
  if (named !== "respond") {
    return { ok: false, problem: `${wanted}, got the action ${JSON.stringify(action) ?? "none"}` };
  }
  const text = valueText(response);
  return text === ""
    ? { ok: false, problem: `${wanted}, got no response` }
    : { ok: true, value: { action: "respond", response: text } };
}

/** Prose is the answer where nothing is left to do, a list of steps what is to be done; all else goes back. */
function readReplanText(
  text: string,
  isExhausted: boolean,
  rules: ReplanRules,
): Validated<Replanned> {
  if (text.trim() === "" || text.includes("{")) return { ok: false, problem: wanted };
  if (isExhausted) return { ok: true, value: { action: "respond", response: text.trim() } };
  const { steps } = parsePlan(text, readOptions(rules));
  return steps.length > 0 ? judged(text, rules) : { ok: false, problem: `${wanted}, got prose` };
}

/** Steps that say nothing about their id go on behind those that there are. */
function readOptions({ soFar }: ReplanRules) {
  return { findJson, earlier: soFar.steps.map(({ id }) => id) };
}

function judged(text: string, rules: ReplanRules): Validated<Replanned> {
  const { soFar, planSteps } = rules;
  const plan = parsePlan(text, readOptions(rules));
  const revision = revisePlan(soFar, taskStepsOf(plan.steps));
  const others = plan.steps.filter(({ kind }) => kind !== "task");
  const steps = orderTasks(revision.steps, soFar.ended);
  const read = { steps: [...others, ...steps], unread: plan.unread };
  const problems = [
    ...leadsNowhere(revision, rules),
    ...(read.steps.length === 0
      ? []
      : validatePlan(read, [], { planSteps, kind: "task", earlier: [...soFar.ended] }).map(
          ({ message }) => message,
        )),
  ];
  return problems.length > 0
    ? { ok: false, problem: problems.join("\n") }
    : { ok: true, value: { action: "continue", steps } };
}

function leadsNowhere(
  { steps, repeated }: Revision,
  { failed, rejected, soFar }: ReplanRules,
): string[] {
  const again = repeated.filter((id) => failed.has(id));
  if (again.length > 0) {
    const tasks = soFar.steps.filter(({ id }) => again.includes(id)).map(({ task }) => `"${task}"`);
    return [
      `expected another way than ${tasks.join(", ")}, which failed: write a different task, or respond`,
    ];
  }
  if (steps.length === 0) {
    const got = repeated.length === 0 ? "none" : `only ${repeated.join(", ")}, which is done`;
    return [`expected steps that still need doing, got ${got}; respond if nothing is missing`];
  }
  const isRejected = rejected.includes(canonicalPlan(steps));
  return isRejected ? ["expected another plan than the one that a person rejected"] : [];
}
