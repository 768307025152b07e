import type { TaskStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { evidenceLines } from "./evidence-lines.js";
import { resultText } from "./result-text.js";

/** What came of a plan's tasks that have ended, as the models read it: the task, then its result under its id. */
export function taskReport(
  steps: readonly TaskStep[],
  observations: readonly Observation[],
): string {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  const told = steps.flatMap(({ id, task }) => {
    const observation = byId.get(id);
    if (observation === undefined) return [];
    const remark = `(${task.replaceAll(/\s+/g, " ")})`;
    return [`${remark}\n${evidenceLines([{ id, value: resultText(observation, steps.length) }])}`];
  });
  return told.length === 0 ? "" : `Results so far:\n${told.join("\n")}`;
}

/** Tasks in a row, by id; in a form that is not taken for results. */
export function taskList(steps: readonly TaskStep[]): string {
  return steps.map(({ id, task }) => `- [${id}] ${task}`).join("\n");
}
