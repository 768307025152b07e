import { isAIMessage, isToolMessage } from "@langchain/core/messages";

import { type Call, callsOf } from "./calls.js";
import type { FaultRun } from "./fault-run.js";

/** What holds of every run, whatever goes wrong in it: tells what does not. */
type Invariant = (run: FaultRun, calls: readonly Call[]) => readonly string[];

const hasOutcome: Invariant = ({ result, error }) => {
  if (result === undefined) return [`the run threw: ${String(error)}`];
  const { outcome, answer = "" } = result;
  return [
    ...(outcome === undefined ? ["the run has no outcome"] : []),
    ...(answer.trim() === "" ? ["the run has no answer"] : []),
  ];
};

/** One authority decides on further attempts: a failing call costs what its fault asks for, every other one call. */
const neverMultiplies: Invariant = (_, calls) =>
  calls
    .filter(
      ({ made, expected }) =>
        made.calls !== expected.calls || made.fallbacks !== expected.fallbacks,
    )
    .map(
      ({ side, place, made, expected }) =>
        `${side} ${place}: expected ${expected.calls}+${expected.fallbacks} calls, made ${made.calls}+${made.fallbacks}`,
    );

/** Before each further attempt it is waited once, as long as the server asks. */
const waitsAsAsked: Invariant = ({ sleeps, setup }, calls) => {
  const retries = calls
    .filter(({ handling }) => handling === "retried")
    .reduce((sum, { expected }) => sum + expected.calls - 1, 0);
  const { waitMs } = setup.model ?? setup.tool ?? {};
  return [
    ...(sleeps.length === retries ? [] : [`waited ${sleeps.length} times, expected ${retries}`]),
    ...sleeps
      .filter((ms) => (waitMs === undefined ? ms <= 0 || ms > 1_000 : ms !== waitMs))
      .map((ms) => `waited ${ms} ms`),
  ];
};

/** Each tool call of the conversation is followed by its result, in the order called. */
const pairsCalls: Invariant = ({ result }) => {
  const messages = result?.messages ?? [];
  return messages.flatMap((message, at) => {
    const asked = isAIMessage(message) ? (message.tool_calls ?? []).map(({ id }) => id) : [];
    const results = messages.slice(at + 1, at + 1 + asked.length);
    const told = results.map((each) => (isToolMessage(each) ? each.tool_call_id : each.type));
    return told.join() === asked.join()
      ? []
      : [`calls ${asked.join()} have results ${told.join()}`];
  });
};

/** Where nothing is lost the answer comes, and is whole unless words passed for a result. */
const answersWhereItCan: Invariant = ({ result }, calls) => {
  const isTaken = calls.some(({ handling }) => handling === "taken");
  const isLost = calls.some(({ expected }) => expected.isLost);
  const { answer, outcome } = result ?? {};
  const isGood = isTaken ? outcome?.status === "answered" : isWhole(result);
  return isLost || isGood ? [] : [`nothing was lost, and yet: ${outcome?.status}, ${answer}`];
};

/** What nothing came of is named, unless the whole answer was found another way; of an answer that stays cut there is the limit. */
const namesLosses: Invariant = ({ result }, calls) => {
  const lost = calls.filter(({ expected }) => expected.isLost && !isWhole(result));
  const { answer = "", outcome } = result ?? {};
  const isCut = outcome?.limit === "outputTokens";
  return lost
    .filter(({ side, handling }) => !(isCut && side === "model" && handling === "sent back"))
    .filter(({ says }) => says?.test(answer) !== true)
    .map(({ side, place }) => `${side} ${place} failed, and the answer says: ${answer}`);
};

/** Whether an answer holds the result that needs all others. */
function isWhole(result: FaultRun["result"]): boolean {
  const { answer = "", outcome } = result ?? {};
  return outcome?.status === "answered" && answer.includes("total of");
}

const countsCalls: Invariant = ({ result, requests, executions }) => {
  const { modelCalls, toolCalls } = result?.usage ?? {};
  // A step of a plan that asks the model is a call as well.
  const thoughts = requests.some(({ place }) => place === "think") ? 1 : 0;
  const ran = new Set(executions).size + thoughts;
  return [
    ...(modelCalls === requests.length
      ? []
      : [`${requests.length} requests, counted ${modelCalls}`]),
    ...(toolCalls === ran ? [] : [`${ran} tools ran, counted ${toolCalls}`]),
  ];
};

const leavesNothing: Invariant = ({ openRequests, left, rejections }) => [
  ...(openRequests === 0 ? [] : [`${openRequests} requests were left open`]),
  ...left.map((kind) => `left: ${kind}`),
  ...rejections.map((reason) => `nobody heard of ${String(reason)}`),
];

const invariants: readonly Invariant[] = [
  hasOutcome,
  neverMultiplies,
  waitsAsAsked,
  pairsCalls,
  answersWhereItCan,
  namesLosses,
  countsCalls,
  leavesNothing,
];

/** All that does not hold of a run and should. */
export function violationsOf(run: FaultRun): string[] {
  const calls = callsOf(run);
  return invariants.flatMap((invariant) => invariant(run, calls));
}
