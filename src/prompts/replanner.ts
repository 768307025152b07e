import { nextStepId, type TaskStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { taskList, taskReport } from "./task-report.js";

/** What a replanner is told when the caller says nothing else. */
export const defaultReplannerInstructions =
  "You look at what the steps of a plan have brought so far. Either you answer the user's question from the " +
  "results, or you say which steps still need doing. You know no figures, names or dates yourself.";

/** What the replanner's reply is to hold, for the request that asks for it. */
export const replanTask =
  'Write {"action": "respond", "response": "…"} to give the answer, or {"action": "continue", "steps": […]} ' +
  "with the steps that still need doing.";

/** How a plan stands. */
export type PlanStanding = {
  readonly objective: string;
  readonly steps: readonly TaskStep[];
  readonly observations: readonly Observation[];
  /** Why the plan is to be changed, where a person said it. */
  readonly feedback?: string | undefined;
  /** Ids that no new step gets. */
  readonly dropped?: readonly string[];
};

/** Asks for the answer from what a plan has brought, or for the steps that still need doing. */
export function replannerPrompt({
  objective,
  steps,
  observations,
  feedback,
  dropped = [],
}: PlanStanding): string {
  const ended = new Set(observations.map(({ callId }) => callId));
  const open = steps.filter(({ id }) => !ended.has(id));
  const report = taskReport(steps, observations);
  return [
    report === "" ? "There are no results so far." : report,
    open.length === 0 ? "No step is left." : `Still to be done:\n${taskList(open)}`,
    ...(feedback === undefined ? [] : [`A person does not want this plan: ${feedback}`]),
    `The question: ${objective}`,
    advice(open.length > 0, nextStepId([...steps.map(({ id }) => id), ...dropped], "task")),
  ].join("\n\n");
}

function advice(isOpen: boolean, nextId: string): string {
  const next =
    "If something is missing, continue with the steps that still need doing and no others: never one that is " +
    `done, and in place of one that failed another way of finding the same thing out. New steps begin at ${nextId}.`;
  const answer =
    "If the results hold the answer, respond with it, in one or two sentences with the figures and units of " +
    "the results and nothing else.";
  const keep = "Steps that stay as they are keep their id and their words.";
  return isOpen ? `${answer} ${next} ${keep}` : `${answer} ${next}`;
}
