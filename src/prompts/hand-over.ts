import { type Step, taskStepsOf } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { openLines } from "./open-lines.js";
import { callLines } from "./result-lines.js";

/** What there is to tell a person who takes a run over. */
export type HandOver = {
  readonly question: string;
  readonly observations: readonly Observation[];
  /** The plan, in graphs that have one. */
  readonly steps: readonly Step[];
  readonly reason: string;
};

/** The longest that a question gets, in characters. */
const maxQuestionChars = 1_000;

/** Sums a run up for the person who takes it over: what was asked, what came of it, what is open, and why. */
export function handOverSummary({ question, observations, steps, reason }: HandOver): string {
  const tasks = new Map(taskStepsOf(steps).map(({ id, task }) => [id, task]));
  const done = callLines(observations, (callId) => tasks.get(callId));
  const open = openLines(steps, observations);
  const parts = [
    ["Asked:", cut(question === "" ? "(nothing in words)" : question)],
    ["Done:", ...(done.length === 0 ? ["- nothing yet"] : done)],
    ...(open.length === 0 ? [] : [["Still open:", ...open]]),
    ["Why a person is needed:", reason],
  ];
  return parts.map((lines) => lines.join("\n")).join("\n");
}

function cut(text: string): string {
  return text.length > maxQuestionChars ? `${text.slice(0, maxQuestionChars)}…` : text;
}

/** What the user reads when a person takes over. */
export function handOffSentence(reason: string): string {
  return `A person takes over from here: ${reason}`;
}
