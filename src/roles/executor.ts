import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import type { TaskStep } from "../plan/step.js";
import { earlierResults } from "../prompts/earlier-results.js";
import { taskList, taskReport } from "../prompts/plan-report.js";
import type { Observation } from "../state/observation.js";

const done =
  "Do only your task. When it is done, say its result in one sentence, with figures and units; say so when it " +
  "could not be found out.";

/** The default instructions of an executor with these tools. */
export function executorInstructions(tools: readonly unknown[]): string {
  if (tools.length === 0) return `You carry out one task, which is a step of a plan. ${done}`;
  return (
    "You carry out one task, which is a step of a plan, with the help of tools. You know no figures, names or " +
    "dates yourself: take them from the results of earlier steps, or call a tool for each that is missing. Do " +
    `not repeat a call that you already made. ${done}`
  );
}

/** The beginning of the line with which a step reports that the plan has to change. */
const changeMark = "PLAN CHANGE:";

/** This comes first, because a small model answers what it reads last. */
const changeRule = `When a tool has shown that later steps of the plan are wrong, say why in a last line that begins with "${changeMark}".`;

/** Asks the last step for the user's answer: a small model gives a bare figure unless it reads this last. */
const finalRemark = (objective: string) =>
  `(This is the last step. With its result, answer the whole question in one sentence: ${objective.replaceAll(/\s+/g, " ")})`;

/** A small model answers the whole question as soon as it can, without facts. */
const ownRemark =
  "(Only this task: say its result alone, in one sentence, from the results above or from what a tool gives.)";

/** The prompt for one step: objective, plan, earlier results, task, and the question's images and files. */
export function executorPrompt(
  step: TaskStep,
  objective: string,
  steps: readonly TaskStep[],
  observations: readonly Observation[],
  messages: readonly BaseMessage[],
): BaseMessage[] {
  const around = [
    ...(step.final === true ? [] : [changeRule]),
    `The question that the plan is to answer: ${objective}`,
    `The plan:\n${taskList(steps)}`,
  ];
  const report = taskReport(steps, observations);
  const remark = step.final === true ? finalRemark(objective) : ownRemark;
  const task = `Your task: ${step.task}\n${remark}`;
  const asked = [...(report === "" ? [] : [report]), task];
  const text = asked.join("\n\n");
  const media = mediaOf(messages);
  const content = media.length === 0 ? text : [{ type: "text", text }, ...media];
  return [
    new SystemMessage(around.join("\n\n")),
    ...earlierResults(messages),
    new HumanMessage({ content }),
  ];
}

/** The last user message without its text, if it has images or files: a later question may be about them. */
function mediaOf(messages: readonly BaseMessage[]) {
  const sent = messages.filter(({ type }) => type === "human").map(({ content }) => content);
  const media = sent.map((content) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type !== "text"),
  );
  return media.findLast(({ length }) => length > 0) ?? [];
}

/** Whether a step's report says that the plan has to change. */
export function saysPlanChange(report: string): boolean {
  return /^(?:[^\S\n\r\u2028\u2029]|[*_"'#>])*plan change\b[\s*_]*[:：]/im.test(report);
}
