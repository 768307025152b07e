import { withPolicy } from "../../src/index.js";
import { countingTools } from "./counting-tools.js";

/** A step as a planner writes it; its id comes from its place. */
export type PlannedStep = {
  readonly id?: string;
  readonly thought?: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly after?: readonly string[];
};

/** A plan as a planner writes it, with ids in order where none are given. */
export function planText(...steps: readonly PlannedStep[]): string {
  return JSON.stringify({
    steps: steps.map((step, at) => ({ id: `E${at + 1}`, thought: "Next.", ...step })),
  });
}

/** A step that calls a tool with the parameter `item`, after others if need be. */
export function stepOf(name: string, item: string, ...after: readonly string[]): PlannedStep {
  return { tool: name, args: { item }, ...(after.length === 0 ? {} : { after }) };
}

/** A joiner's reply that ends the run. */
export function finishWith(answer: string): string {
  return JSON.stringify({ action: "finish", answer });
}

/** A joiner's reply that asks for more steps. */
export function replanFor(feedback: string): string {
  return JSON.stringify({ action: "replan", feedback });
}

/** Counting tools that only read: their steps start while the plan is still written. */
export function readingTools(...names: readonly string[]) {
  const { tools, runs } = countingTools(...names);
  return { tools: tools.map((each) => withPolicy(each, { effect: "read" })), runs };
}
