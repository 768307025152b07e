import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import type { TaskStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { taskList, taskReport } from "./task-report.js";

/** What an executor is told when the caller says nothing else. */
export const defaultExecutorInstructions =
  "You carry out one task, which is a step of a plan, with the help of tools. You know no figures, names or " +
  "dates yourself: take them from the results of earlier steps, or call a tool for each that is missing, one " +
  "thing at a time. Do not repeat a call that you already made. Do only your task. When it is done, say its " +
  "result in one sentence, with figures and units; say so when it could not be found out.";

/** Begins the report of a step that changes what the plan goes by. */
const changeMark = "PLAN CHANGE:";

/** What an executor is given for one step: the objective and the plan, then the results so far and its task. */
export function executorPrompt(
  step: TaskStep,
  objective: string,
  steps: readonly TaskStep[],
  observations: readonly Observation[],
): BaseMessage[] {
  const around = [
    `The question that the plan is to answer: ${objective}`,
    `The plan:\n${taskList(steps)}`,
    step.final === true
      ? "Your task is the last step: its result is the answer that the user reads, so answer the whole question."
      : `If what you find out makes other steps of the plan wrong or needless, begin your result with "${changeMark}" and say why.`,
  ];
  const report = taskReport(steps, observations);
  const asked = [...(report === "" ? [] : [report]), `Your task: ${step.task}`];
  return [new SystemMessage(around.join("\n\n")), new HumanMessage(asked.join("\n\n"))];
}

/** Whether a step's report says that the plan has to change. */
export function saysPlanChange(report: string): boolean {
  return /^[\s*_"'#>]*plan change\b[\s*_]*[:：]/i.test(report);
}
