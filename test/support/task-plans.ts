import { type BaseMessage, HumanMessage } from "@langchain/core/messages";

import { createPlanExecuteGraph, type PlanExecuteOptions } from "../../src/index.js";
import { type ModelAnswer, type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "./counting-tools.js";

/** A task as a planner writes it; its id comes from its place unless one is given. */
export type PlannedTask =
  | string
  | {
      readonly id?: string;
      readonly task: string;
      readonly after?: readonly string[];
      readonly final?: boolean;
      readonly executor?: string;
    };

/** A plan of tasks as a planner writes it: plain texts stand as they are and follow one another. */
export function taskPlanText(...tasks: readonly PlannedTask[]): string {
  return JSON.stringify({ steps: withIds(tasks) });
}

function withIds(tasks: readonly PlannedTask[]) {
  return tasks.map((task, at) =>
    typeof task === "string" ? task : { id: `S${at + 1}`, after: [], ...task },
  );
}

/** A replanner's reply that ends the run. */
export function respondWith(response: string): string {
  return JSON.stringify({ action: "respond", response });
}

/** A replanner's reply with the steps that still need doing. */
export function continueWith(...tasks: readonly PlannedTask[]): string {
  return JSON.stringify({ action: "continue", steps: withIds(tasks) });
}

/** What a scripted executor does with a task: a call of the tool `price`, then an answer. */
export type Worker = (
  task: string,
  messages: readonly BaseMessage[],
) => ModelAnswer | Promise<ModelAnswer>;

/** The task that an executor was asked to carry out. */
export function taskIn(messages: readonly BaseMessage[]): string {
  const asked = messages.findLast(({ type }) => type === "human")?.text ?? "";
  return /Your task: ([^\n]*)/.exec(asked)?.[1] ?? asked;
}

/** A worker that looks an item up once, and then tells what it found. */
export const lookingUp: Worker = (task, messages) => {
  const found = messages.at(-1);
  return found?.type === "tool"
    ? `Found: ${found.text}`
    : { toolCalls: [{ name: "price", args: { item: task } }] };
};

/** What a test's graph is made of. */
export type TaskGraphOptions = Omit<PlanExecuteOptions, "models" | "tools"> & {
  /** What the planner and the replanner say, in this order. */
  readonly planning: readonly ModelReply[];
  readonly worker?: Worker;
};

/** A graph whose planner and replanner follow a script, while its executor does what `worker` says. */
export function taskGraph({ planning, worker = lookingUp, ...options }: TaskGraphOptions) {
  const planner = scriptedModel(planning);
  const executor = scriptedModel((messages) => worker(taskIn(messages), messages));
  const { runs, tools } = countingTools("price");
  const graph = createPlanExecuteGraph({ ...options, models: { planner, executor }, tools });
  return { graph, planner, executor, runs };
}

/** A question to a graph. */
export function asking(content: string) {
  return { messages: [new HumanMessage(content)] };
}
