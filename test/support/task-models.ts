import type { BaseMessage } from "@langchain/core/messages";

import type { ModelAnswer, ModelReply } from "../../src/testing/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { taskIn } from "./task-plans.js";

/** A call of a tool with the parameter `item`. */
export function itemCall(name: string, item: string) {
  return { name, args: { item }, id: `${name}-${item}` };
}

/** A turn that calls one tool with the parameter `item`. */
export function calling(name: string, item: string) {
  return { toolCalls: [itemCall(name, item)] };
}

/** What the executor's model answers, turn by turn, when it carries out a task. */
export type TaskTurns = { readonly [task: string]: readonly ModelAnswer[] };

/** An executor's model: what it answers goes by the task, and by how many turns there were. */
export function executorModel(turns: TaskTurns, model = "executor") {
  return scriptedModel(
    (messages) => {
      const answer = turnOf(turns, messages);
      if (answer === undefined) throw new Error(`no further turn for "${taskIn(messages)}"`);
      return answer;
    },
    { model },
  );
}

/** The next turn of the task that these messages give, where the script has one. */
export function turnOf(
  turns: TaskTurns,
  messages: readonly BaseMessage[],
): ModelAnswer | undefined {
  const at = messages.findLastIndex(({ type }) => type === "human");
  const turn = messages.slice(at).filter(({ type }) => type === "ai").length;
  return turns[taskIn(messages)]?.[turn];
}

/** The models of a plan-and-execute run: scripts of the planner and the replanner, and what each task takes. */
export function taskModels(
  plans: readonly ModelReply[],
  turns: TaskTurns,
  replans: readonly ModelReply[] = [],
) {
  return {
    planner: scriptedModel(plans, { model: "planner" }),
    executor: executorModel(turns),
    replanner: scriptedModel(replans, { model: "replanner" }),
  };
}
