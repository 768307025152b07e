import { canonicalJson } from "../json/json.js";
import { type Step, taskStepsOf } from "../plan/step.js";
import { type LimitName, limitWords, type ReachedLimit } from "../state/limits.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import { callLines, openLines } from "./results.js";

/** The findings of a run, a line each. */
export type Known = {
  readonly results?: readonly string[];
  readonly failures?: readonly string[];
  /** Steps of a plan that were not carried out. */
  readonly open?: readonly string[];
};

/** Asks for the rest of a reply that was cut at the provider's limit on its length. */
export const continuePrompt =
  "Your reply was cut off because it became too long. Continue it exactly where it stopped, with the next " +
  "character. Do not repeat what you wrote and add no remark about it.";

/** Asks for the best answer without another step; `known` is what the conversation does not show. */
export function finalAnswerPrompt(limit: LimitName, known: Known = {}): string {
  return [
    ...listed(known).map((list) => `${list}\n\n`),
    `Stop here: the limit on ${limitWords(limit)} was reached and no tool can be called any more. `,
    "Answer now: first what the results so far tell about the question, then what is still missing ",
    "for a full answer. Do not make anything up.",
  ].join("");
}

/** The content of the decision for a run that repeats itself, for the request. */
export const evidenceTask =
  'Write {"action": "finish", "answer": "…"} if the results answer the question, or ' +
  '{"action": "replan", "feedback": "…"} if something is missing, and say what.';

/** Asks whether the results answer the question, in a run that only repeats calls. */
export function evidencePrompt(question: string, results: readonly string[]): string {
  return [
    `All results:\n${results.join("\n")}`,
    `The question: ${question}`,
    "No tool can be called any more, because calls were repeated without progress. Put the results together: " +
      "if the answer follows from them, finish with it, in one or two sentences, with their figures and units " +
      "and nothing else.",
  ].join("\n\n");
}

/** The answer at a limit when no model is asked: the limit, the results, what failed and what is open. */
export function stoppedSentence(limit: ReachedLimit, known: Known = {}): string {
  const stopped = `I had to stop before I was done: the limit on ${limitWords(limit)} was reached.`;
  const isEmpty = (known.results ?? []).length === 0;
  const [first, ...rest] = [...(isEmpty ? ["There are no results yet."] : []), ...listed(known)];
  return [`${stopped} ${first}`, ...rest].join("\n");
}

/** The answer of a failed run: why, the results, what else failed and what is open. */
export function failedSentence(reason: string, known: Known = {}): string {
  return [`I could not finish: ${reason}`, ...listed(known)].join("\n");
}

/** Lines under their headings, where there are any. */
function listed({ results = [], failures = [], open = [] }: Known): string[] {
  const lists = [
    ["Results so far:", ...results],
    ["What failed:", ...failures],
    ["Not done:", ...open],
  ];
  return lists.filter((list) => list.length > 1).map((list) => list.join("\n"));
}

/** What a person who takes over needs to know. */
type HandOver = {
  readonly question: string;
  readonly observations: readonly Observation[];
  /** The plan, in graphs that have one. */
  readonly steps: readonly Step[];
  readonly reason: string;
};

/** The longest part of a question, in characters. */
const maxQuestionChars = 1_000;

/** Summarises a run for the person who takes over: the question, the results, what is open, and why. */
export function handOverSummary({ question, observations, steps, reason }: HandOver): string {
  const tasks = new Map(taskStepsOf(steps).map(({ id, task }) => [id, task]));
  const done = withoutRecalled(observations).flatMap((seen) => [
    ...callLines([seen], (callId) => tasks.get(callId)),
    ...failuresInside(seen).map((line) => `  ${line}`),
  ]);
  const open = openLines(steps, observations);
  const parts = [
    ["Asked:", cut(question === "" ? "(nothing in words)" : question)],
    ["Done:", ...(done.length === 0 ? ["- nothing yet"] : done)],
    ...(open.length === 0 ? [] : [["Still open:", ...open]]),
    ["Why a person is needed:", reason],
  ];
  return parts.map((lines) => lines.join("\n")).join("\n");
}

/** The calls that failed in the run of a task. */
function failuresInside({ run }: Observation): readonly string[] {
  const calls = withoutRecalled(run?.observations ?? []);
  const lines = callLines(
    calls.filter(({ ok }) => !ok),
    () => undefined,
  );
  return [...lines, ...calls.flatMap(failuresInside)];
}

/** The calls without those that were answered from memory: a person has read their result. */
function withoutRecalled(observations: readonly Observation[]): readonly Observation[] {
  const made = new Set(observations.filter(({ attempts }) => attempts > 0).map(callKey));
  return observations.filter((one) => one.attempts > 0 || !made.has(callKey(one)));
}

function callKey({ tool, args, fromMemory = {} }: Observation): string {
  return canonicalJson([tool, args, fromMemory]);
}

function cut(text: string): string {
  return text.length > maxQuestionChars ? `${text.slice(0, maxQuestionChars)}…` : text;
}

/** The user's message when a person takes over. */
export function handOffSentence(reason: string): string {
  return `A person takes over from here: ${reason}`;
}

/** What a model reads about a graph it called as a tool, and whether that is a result. */
export type SubRunResult = { readonly ok: boolean; readonly text: string };

/** Describes how a sub-run ended: an answer as it is, everything else with its status. */
export function subRunResult(
  name: string,
  answer: string,
  { status, limit, reason = "" }: Outcome,
  asked: readonly string[],
): SubRunResult {
  if (status === "answered") return { ok: true, text: answer };
  if (status === "limit") {
    const what = limit === undefined ? "its work" : limitWords(limit);
    const remark = `(${name} was stopped before it was done: the limit on ${what} was reached. This is what it found out.)`;
    return { ok: true, text: `${answer}\n${remark}` };
  }
  const ends = {
    needs_input: `${name} needs a person and cannot ask one here: ${asked.join(" ")}`,
    handed_off: `${name} gave its task back, for a person to take over: ${reason}`,
    refused: `${name} gave no answer: ${reason}`,
    failed: `${name} failed: ${answer.includes(reason) ? answer : reason}`,
  };
  return { ok: false, text: `Error: ${ends[status]}` };
}
