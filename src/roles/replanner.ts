import { findJson } from "../json/find-json.js";
import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import {
  fittingJson,
  type JsonOutputSchema,
  type ReplyOutputSchema,
  type Validated,
  valueText,
  wholeJson,
} from "../models/structured-output.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { orderTasks } from "../plan/plan-order.js";
import { canonicalPlan } from "../plan/print-plan.js";
import { type PlanSoFar, revisePlan, type Revision } from "../plan/revise-plan.js";
import { isBarePlan, nextStepId, type TaskStep, taskStepsOf, withExecutors } from "../plan/step.js";
import { validatePlan, writtenTaskIssues } from "../plan/validate-plan.js";
import { taskList, taskReport } from "../prompts/plan-report.js";
import type { Observation } from "../state/observation.js";
import { isUnquoted } from "./plan-reading.js";
import { cutPlan, maxSteps, quotedPlan, severalPlans } from "./planner.js";
import { taskSchema } from "./task-planner.js";

/** The default instructions of a replanner. */
export const defaultReplannerInstructions =
  "You look at what the steps of a plan have brought so far. Either you answer the user's question from the " +
  "results, or you say which steps still need doing. You know no figures, names or dates yourself.";

/** The content of the replanner's reply, for the request. */
export const replanTask =
  'Write {"action": "respond", "response": "…"} to give the answer, or {"action": "continue", "steps": […]} ' +
  "with the steps that still need doing.";

/** The same, with a word to the user about the plan that goes on. */
export const reportTask =
  'Write {"action": "respond", "report": "…", "response": "…"} to give the answer, or {"action": "continue", "report": "…", ' +
  '"steps": […]} with the steps that still need doing; "report" is one short sentence to the user: what was found out, ' +
  "and what comes next.";

/** The state of a plan. */
type PlanStanding = {
  readonly objective: string;
  readonly steps: readonly TaskStep[];
  readonly observations: readonly Observation[];
  /** Why the plan must change, if a person said so. */
  readonly feedback?: string | undefined;
  /** Ids that no new step may have. */
  readonly removed?: readonly string[];
};

/** Asks for the answer from a plan's results, or for the steps that are still needed. */
export function replannerPrompt({
  objective,
  steps,
  observations,
  feedback,
  removed = [],
}: PlanStanding): string {
  const ended = new Set(observations.map(({ callId }) => callId));
  const open = steps.filter(({ id }) => !ended.has(id));
  const report = taskReport(steps, observations);
  return [
    report === "" ? "There are no results so far." : report,
    open.length === 0 ? "No step is left." : `Still to be done:\n${taskList(open)}`,
    ...(feedback === undefined ? [] : [`A person does not want this plan: ${feedback}`]),
    `The question: ${objective}`,
    advice(open.length > 0, nextStepId([...steps.map(({ id }) => id), ...removed], "task")),
  ].join("\n\n");
}

function advice(isOpen: boolean, nextId: string): string {
  const next =
    "If something is missing, continue with the steps that still need doing and no others: never one that is " +
    `done, and in place of one that failed another way of finding the same thing out. New steps begin at ${nextId}.`;
  const answer =
    "If the results hold the answer, respond with it, in one or two sentences with the figures and units of " +
    "the results and nothing else.";
  const keep = "Steps that stay as they are keep their id and their words.";
  return isOpen ? `${answer} ${next} ${keep}` : `${answer} ${next}`;
}

/** The replanner's decision: the answer, or the steps that are still needed. */
export type Replanned =
  | { readonly action: "respond"; readonly response: string }
  | {
      readonly action: "continue";
      readonly steps: readonly TaskStep[];
      /** A word to the user. */
      readonly report?: string;
    };

/** The limits of a replanner's decision. */
export type ReplanRules = {
  readonly soFar: PlanSoFar;
  /** The ids of the steps that failed. */
  readonly failed: ReadonlySet<string>;
  /** Canonical forms of plans that a person rejected. */
  readonly rejected: readonly string[];
  /** The largest number of open steps; `null` for no limit. */
  readonly planSteps: number | null;
  /** Whether steps may change anything outside. */
  readonly acts: boolean;
  /** The executors to which steps are assigned. */
  readonly executors?: readonly string[];
  /** Whether the user hears how the plan goes on. */
  readonly reports?: boolean;
};

/**
 * The output schema of a replan. Repeated open steps keep their ids. A decision without effect (no step, only ended
 * steps, a failed step again, a rejected plan) does not fit.
 */
export function replanOutput(rules: ReplanRules): ReplyOutputSchema<Replanned> {
  const { soFar, planSteps } = rules;
  const steps = {
    type: "array",
    maxItems: planSteps ?? maxSteps,
    items: taskSchema(rules.executors ?? []),
  };
  const isExhausted = soFar.steps.every(({ id }) => soFar.ended.has(id));
  const output: JsonOutputSchema<Replanned> = {
    name: "replan",
    schema: objectSchema(
      {
        action: { enum: ["respond", "continue"] },
        response: { type: "string" },
        ...(rules.reports === true ? { report: { type: "string", maxLength: 300 } } : {}),
        steps,
      },
      ["action", ...(rules.reports === true ? ["report"] : [])],
    ),
    answer: { field: "response", when: { field: "action", is: "respond" } },
    read: (value) => readReplan(value, rules),
  };
  return {
    ...output,
    readReply: async (text, isCut, isRepair) => {
      // Prose about a reply that was sent back is not an answer.
      const isAnswer = isExhausted && !isRepair;
      const readText = () => (isCut ? cutPlan : readReplanText(text, isAnswer, rules));
      const read = await fittingJson(text, isCut, { ...output, readText });
      if (!read.ok || read.value.action !== "continue") return read;
      if (decisionsIn(text) > 1) return severalPlans;
      return rules.acts && !standsAlone(text) ? quotedPlan : read;
    },
  };
}

function decisionsIn(text: string): number {
  return findJson(text).found.filter(({ value }) => isRecord(value) && "action" in value).length;
}

/** Whether a reply is only the plan. */
function standsAlone(text: string): boolean {
  return isUnquoted(text) && (wholeJson(text).ok || isBarePlan(parsePlan(text)));
}

const wanted =
  'expected {"action": "respond", "response"} or {"action": "continue", "steps": [{"id", "task", "after"}]}';

function readReplan(value: unknown, rules: ReplanRules): Validated<Replanned> {
  if (!isRecord(value)) return { ok: false, problem: `${wanted}, got ${JSON.stringify(value)}` };
  const { action, response, steps, report } = value;
  const named = typeof action === "string" ? action.trim().toLowerCase() : undefined;
  if (named === "continue") {
    return judged(JSON.stringify({ steps: steps ?? [] }), rules, valueText(report));
  }
  if (named !== "respond") {
    return { ok: false, problem: `${wanted}, got the action ${JSON.stringify(action) ?? "none"}` };
  }
  const text = valueText(response);
  return text === ""
    ? { ok: false, problem: `${wanted}, got no response` }
    : { ok: true, value: { action: "respond", response: text } };
}

/** Prose is the answer when nothing is left to do, and a list of steps is the new plan; everything else is sent back. */
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

/** Steps without an id get the next free ids. */
function readOptions({ soFar }: ReplanRules) {
  return { earlier: soFar.steps.map(({ id }) => id) };
}

function judged(text: string, rules: ReplanRules, report = ""): Validated<Replanned> {
  const { soFar, planSteps, executors = [] } = rules;
  const plan = parsePlan(text, readOptions(rules));
  const revision = revisePlan(soFar, withExecutors(taskStepsOf(plan.steps), executors));
  const others = plan.steps.filter(({ kind }) => kind !== "task");
  const steps = orderTasks(revision.steps, soFar.ended);
  const read = { steps: [...others, ...steps], unread: plan.unread };
  const problems = [
    ...leadsNowhere(revision, rules),
    ...(read.steps.length === 0
      ? []
      : [
          ...validatePlan(read, [], {
            planSteps,
            kind: "task",
            earlier: [...soFar.ended],
            executors,
          }),
          ...writtenTaskIssues(steps, executors),
        ].map(({ message }) => message)),
  ];
  return problems.length > 0
    ? { ok: false, problem: problems.join("\n") }
    : { ok: true, value: { action: "continue", steps, ...(report === "" ? {} : { report }) } };
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
