import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { isFinal, type TaskStep } from "../plan/step.js";
import { earlierResults } from "../prompts/earlier-results.js";
import { taskList, taskReport } from "../prompts/plan-report.js";
import { resultLines } from "../prompts/results.js";
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
    ...(isFinal(step, steps) ? [] : [changeRule]),
    `The question that the plan is to answer: ${objective}`,
    `The plan:\n${taskList(steps)}`,
  ];
  const report = taskReport(steps, observations);
  const remark = isFinal(step, steps) ? finalRemark(objective) : ownRemark;
  const task = `Your task: ${step.task}\n${remark}`;
  const facts = factLines(observations, report);
  const asked = [facts, report, task].filter((part) => part !== "");
  const text = asked.join("\n\n");
  const media = mediaOf(messages);
  const content = media.length === 0 ? text : [{ type: "text", text }, ...media];
  return [
    new SystemMessage(around.join("\n\n")),
    ...earlierResults(messages),
    new HumanMessage({ content }),
  ];
}

/** The longest result of a tool that is told beside what a task said of it, in characters, and how many are told. */
const maxFactChars = 300;
const maxFacts = 20;

/** What tools gave in earlier tasks: what a task said of it, in the report, may lack what a later one needs. */
function factLines(observations: readonly Observation[], report: string): string {
  const made = observations.flatMap(({ run }) => run?.observations ?? []);
  const short = made.filter(
    ({ content, trust }) =>
      content.length <= maxFactChars && trust === undefined && !report.includes(content),
  );
  const lines = [...new Set(resultLines(short))].slice(-maxFacts);
  return lines.length === 0 ? "" : `What tools gave so far:\n${lines.join("\n")}`;
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
