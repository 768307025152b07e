import type { JsonObject } from "../json/json.js";

/** One call of a tool in a plan. */
export type ToolStep = {
  readonly kind: "tool";
  /** "E1", "E2", …; continues upwards across replans, never reused. */
  readonly id: string;
  /** Why this step is needed. */
  readonly thought?: string;
  /** A tool's name, or "llm" to reason over earlier evidence with the executor model. */
  readonly tool: string;
  /** May hold references to earlier steps: `{{E1}}` or `{{E1.items[0].name}}`. */
  readonly args: JsonObject;
  /** Ids that must finish first, beyond those the arguments refer to. */
  readonly after?: readonly string[];
};

/** One task in words, for an executor that chooses the tools. */
export type TaskStep = {
  readonly kind: "task";
  /** "S1", "S2", …; continues upwards across replans, never reused. */
  readonly id: string;
  readonly task: string;
  /** Ids that must finish first. */
  readonly after?: readonly string[];
  /** Its result is the answer, where it is the last step. */
  readonly final?: true;
};

/** A step of a plan, of either kind. */
export type Step = ToolStep | TaskStep;

/** A plan as it was read: nothing is judged, nothing is dropped. */
export type ReadPlan = {
  readonly steps: readonly Step[];
  /** The text that belongs to no step, in order, trimmed. */
  readonly unread: readonly string[];
  /** How many plans the text holds, where there is more than one: `steps` has the steps of all. */
  readonly plans?: number;
  /** What stands in thoughts although the form of a plan does not say so: prose before a call, comments. */
  readonly asides?: readonly string[];
};

/** Whether a text was the plan and nothing else: no prose around its steps, and none among them. */
export function isBarePlan({ unread, asides = [] }: ReadPlan): boolean {
  return unread.length === 0 && asides.length === 0;
}

/** The steps of a plan that are tasks in words. */
export function taskStepsOf(steps: readonly Step[]): TaskStep[] {
  return steps.filter((step) => step.kind === "task");
}

/** The steps of a plan that call tools. */
export function toolStepsOf(steps: readonly Step[]): ToolStep[] {
  return steps.filter((step) => step.kind === "tool");
}
