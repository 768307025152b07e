import type { JsonObject } from "../json/json.js";
import { nearestFirst } from "./nearest.js";
import { issue, listed, type PlanIssue, quoted } from "./plan-issue.js";
import { orderIssues } from "./plan-order.js";
import {
  nextStepId,
  type ReadPlan,
  type Step,
  type TaskStep,
  taskStepsOf,
  type ToolStep,
  toolStepsOf,
  unreadableReferencesIn,
} from "./step.js";

/** A tool that a plan may call; also `"llm"` where steps may reason over earlier results. */
export type PlanTool = {
  readonly name: string;
  /** The problems in arguments, in words for a model; a reference in them may have any value. */
  readonly check: (args: JsonObject) => readonly string[];
};

/** The rules for a plan. */
export type PlanRules = {
  /** Maximum number of steps; `null` for no maximum. */
  readonly planSteps: number | null;
  /** Ids of earlier plans: references to them are allowed, reusing them is not. */
  readonly earlier?: readonly string[];
  /** The only allowed kind of steps. */
  readonly kind?: Step["kind"];
  /** The executors that a task may name. */
  readonly executors?: readonly string[];
};

/**
 * All problems of a plan, in words for the model that wrote it: what was expected, and what came. Empty for a plan that
 * can run. Prose around the steps is not a problem; text that looks like a step but was not read as one is.
 */
export function validatePlan(
  { steps, unread }: ReadPlan,
  tools: readonly PlanTool[],
  { planSteps, earlier = [], kind, executors = [] }: PlanRules,
): PlanIssue[] {
  return [
    ...sizeIssues(steps, unread, planSteps),
    ...idIssues(steps, new Set(earlier)),
    // For a call in a plan of tasks, this message is enough.
    ...(kind === "task" ? [] : toolStepsOf(steps)).flatMap((step) => toolIssues(step, tools)),
    ...kindIssues(steps, kind),
    ...taskStepsOf(steps).flatMap((step) => executorIssues(step, executors)),
    ...orderIssues(steps, new Set(earlier)),
    ...unread.filter((text) => looksLikeStep(text, tools)).map((text) => unreadIssue(text)),
  ];
}

function sizeIssues(
  steps: readonly Step[],
  unread: readonly string[],
  planSteps: number | null,
): PlanIssue[] {
  const [text] = unread;
  if (steps.length === 0) {
    const got = text === undefined ? "none" : `only this text: ${quoted(text)}`;
    return [issue("no-steps", `expected a plan with at least one step, got ${got}`)];
  }
  if (planSteps === null || steps.length <= planSteps) return [];
  return [issue("too-many-steps", `expected at most ${planSteps} steps, got ${steps.length}`)];
}

function idIssues(steps: readonly Step[], earlier: ReadonlySet<string>): PlanIssue[] {
  const all = new Set([...earlier, ...steps.map(({ id }) => id)]);
  const seen = new Set<string>();
  return steps.flatMap(({ id, kind }) => {
    const isEarlier = earlier.has(id);
    const isTwice = seen.has(id);
    seen.add(id);
    if (!isEarlier && !isTwice) return [];
    const why = isEarlier ? "an earlier plan has used it" : "another step has it";
    const next = nextStepId(all, kind);
    all.add(next);
    return [
      issue(
        "duplicate-id",
        `expected an id of its own, got ${quoted(id)}: ${why}; ${next} is free`,
        id,
      ),
    ];
  });
}

function toolIssues({ id, tool, args }: ToolStep, tools: readonly PlanTool[]): PlanIssue[] {
  const known = tools.find(({ name }) => name === tool);
  const unreadable = unreadableReferencesIn(args).map((text) =>
    issue(
      "unreadable-reference",
      `${id}: expected a reference such as {{E1}} or {{E1.items[0]}}, got ${quoted(text)}`,
      id,
    ),
  );
  if (known === undefined) {
    const names = nearestFirst(
      tool,
      tools.map(({ name }) => name),
    );
    const expected = names.length === 0 ? "no tool at all" : `one of the tools ${listed(names)}`;
    return [
      issue("unknown-tool", `${id}: expected ${expected}, got ${quoted(tool)}`, id),
      ...unreadable,
    ];
  }
  const problems = known.check(args);
  if (problems.length === 0) return unreadable;
  return [issue("arguments", `${id}, ${tool}: ${problems.join("; ")}`, id), ...unreadable];
}

function executorIssues({ id, executor }: TaskStep, executors: readonly string[]): PlanIssue[] {
  if (executor === undefined || executors.includes(executor)) return [];
  const names = nearestFirst(executor, executors);
  const expected = names.length === 0 ? "no executor" : `one of the executors ${listed(names)}`;
  return [issue("unknown-executor", `${id}: expected ${expected}, got ${quoted(executor)}`, id)];
}

/** The problems of tasks that a model wrote: nobody carries one out, or one stands there again and again. */
export function writtenTaskIssues(
  steps: readonly TaskStep[],
  executors: readonly string[],
): PlanIssue[] {
  return [...unassignedIssues(steps, executors), ...repeatedTaskIssues(steps)];
}

/** Tasks without an executor, in a plan that must name them. */
function unassignedIssues(steps: readonly TaskStep[], executors: readonly string[]): PlanIssue[] {
  if (executors.length === 0) return [];
  const expected = `one of the executors ${listed(executors)} as "executor"`;
  return steps
    .filter(({ executor }) => executor === undefined)
    .map(({ id }) => issue("unknown-executor", `${id}: expected ${expected}, got none`, id));
}

/** How often a plan may have one task in the same words: a small model may write its last one for ever. */
const maxSameTasks = 2;

function repeatedTaskIssues(steps: readonly TaskStep[]): PlanIssue[] {
  const words = steps.map((step) => wordsOf(step));
  return steps.flatMap(({ id, task }, at) => {
    const [, ...again] = steps.filter((_, other) => words[other] === words[at]);
    if (again.length < maxSameTasks || words.indexOf(words[at] ?? "") < at) return [];
    const ids = listed(again.map((step) => step.id));
    const message = `expected each task once, got ${quoted(task)} in ${id} and again in ${ids}`;
    return [issue("repeated-task", message, again[0]?.id)];
  });
}

/** The words of a task, and who carries it out. */
function wordsOf({ task, executor = "" }: TaskStep): string {
  return `${executor}: ${task.trim().toLowerCase().replaceAll(/\s+/g, " ")}`;
}

function kindIssues(steps: readonly Step[], kind: Step["kind"] | undefined): PlanIssue[] {
  const others = steps.filter((step) => kind !== undefined && step.kind !== kind);
  return others.map((step) => {
    const message =
      step.kind === "tool"
        ? `${step.id}: expected a task in words, got a call of ${step.tool}`
        : `expected a call of a tool in every step, got only words: ${quoted(step.task)}`;
    return issue("wrong-kind", message, step.id);
  });
}

/** Whether a text was meant as a step: prose around a plan is not. */
function looksLikeStep(text: string, tools: readonly PlanTool[]): boolean {
  if (/[#＃]\s?E\d+\s*[=＝:：]|["'](?:tool|task|args)["']\s*:/.test(text)) return true;
  return tools.some(({ name }) => {
    const parts = text.split(name);
    return parts.some((before, at) => {
      const after = parts[at + 1];
      const isCall = after !== undefined && /^\s?[([（［【]/.test(after) && !/[\w.-]$/.test(before);
      return isCall || (after !== undefined && /\|\s*$/.test(before) && /^\s*\|/.test(after));
    });
  });
}

function unreadIssue(text: string): PlanIssue {
  return issue(
    "unread",
    `expected every step in the asked form, got text that is none: ${quoted(text)}`,
  );
}
