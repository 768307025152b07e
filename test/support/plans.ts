import { withPolicy } from "../../src/index.js";
import { countingTools } from "./counting-tools.js";

/** A step as a planner writes it, its id aside. */
export type PlannedStep = {
  readonly id?: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly after?: readonly string[];
};

/** A plan as a planner writes it; steps without an id are counted from E1. */
export function planOf(...steps: readonly PlannedStep[]): string {
  return JSON.stringify({
    steps: steps.map((step, at) => ({ id: `E${at + 1}`, thought: "Next.", ...step })),
  });
}

/** A step that calls one of the counting tools. */
export function stepOf(tool: string, item: string, more: Partial<PlannedStep> = {}): PlannedStep {
  return { tool, args: { item }, ...more };
}

/** A joiner's reply that ends the run. */
export function finishWith(answer: string): string {
  return JSON.stringify({ thought: "That is all.", action: "finish", answer });
}

/** A joiner's reply that asks for more steps. */
export function replanFor(feedback: string): string {
  return JSON.stringify({ thought: "Not yet.", action: "replan", feedback });
}

/** Counting tools that only read: their steps start while the plan is still written. */
export function readingTools(...names: readonly string[]) {
  const { tools, runs } = countingTools(...names);
  return { tools: tools.map((each) => withPolicy(each, { effect: "read" })), runs };
}
