import type { Conversation, ConversationState, SoloCall } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import type { Writes } from "../state/writes.js";
import { withoutFence } from "../tools/fence.js";
import { refused } from "../tools/observe-call.js";
import { personRequests } from "../tools/read-decisions.js";
import type { CallEnd, PersonRequest } from "../tools/tool-call.js";
import { policyIn } from "../tools/toolbox.js";
import type { Run } from "./enter-run.js";
import type { Round } from "./rounds.js";
import { observationIn, type TurnContext, usageOf } from "./run-turn.js";
import { resultMessages, type Turn, waitingMessage } from "./turn.js";

/** What a superstep of a turn writes. */
export type TurnWrites = Writes<
  typeof ConversationState,
  "messages" | "observations" | "usage" | "run" | "soloCalls" | "decisions" | "outcome" | "answer"
>;

/** Turns what a superstep brought into state: the next calls that run alone, or the whole turn's results. */
export function closeRound(
  { results, waiting }: Round,
  turn: Turn,
  state: Conversation,
  context: TurnContext,
): TurnWrites {
  const { run } = context;
  const observed = results.flatMap(observationIn);
  const ends = results.flatMap((result) =>
    result.kind === "observed" ? (result.ends ?? []) : [],
  )[0];
  const solo = [
    ...results.flatMap((result) => (result.kind === "alone" ? [result.call] : [])),
    ...(state.soloCalls ?? []).slice(1),
  ];
  const base = {
    usage: usageOf(results),
    run: run.record(),
    ...(state.decisions === undefined ? {} : { decisions: undefined }),
  };
  if (waiting !== undefined) return { ...base, ...wait(turn, observed, waiting) };
  if (ends === undefined && solo.length > 0) {
    const soloCalls = inCallOrder(solo, turn);
    if (soloCalls[0] !== undefined) run.onRecord.add(soloCalls[0].callId);
    return {
      ...base,
      observations: observed,
      soloCalls,
    };
  }
  const observations = turnObservations(turn, [...state.observations, ...observed], context);
  return {
    ...base,
    observations,
    ...(state.soloCalls === undefined ? {} : { soloCalls: undefined }),
    messages: resultMessages(turn.calls, observations),
    ...ending(ends, turn, observations, context),
  };
}

/** The turn's observations in call order; a call the run has no time left for gets one that says so. */
function turnObservations(
  turn: Turn,
  known: readonly Observation[],
  context: TurnContext,
): Observation[] {
  const byId = new Map(known.map((observation) => [observation.callId, observation]));
  const open = new Set(turn.pending.map(({ id }) => id));
  return turn.calls.flatMap((call) => {
    const observation = byId.get(call.id);
    if (observation !== undefined) return [observation];
    return open.has(call.id)
      ? [refused(call, "cancelled", "not run: the run ended first.", context)]
      : [];
  });
}

/** The turn as far as it came, with stand-ins for what waits for a person. */
function wait(turn: Turn, observed: readonly Observation[], waiting: readonly PersonRequest[]) {
  const requests = personRequests(waiting);
  const answer = requests.action_requests.map(({ description }) => description).join("\n");
  const outcome: Outcome = { status: "needs_input", reason: answer, requests };
  const done = new Set(observed.map(({ callId }) => callId));
  const open = new Set(turn.pending.map(({ id }) => id).filter((id) => !done.has(id)));
  const messages = turn.calls.flatMap((call) => {
    const asked = waiting.find(({ callId }) => callId === call.id)?.action.description;
    return open.has(call.id) ? [waitingMessage(call, asked)] : resultMessages([call], observed);
  });
  return { observations: [...observed], soloCalls: undefined, messages, outcome, answer };
}

function ending(
  ends: CallEnd | undefined,
  turn: Turn,
  observations: readonly Observation[],
  { run, toolbox }: TurnContext,
): { outcome?: Outcome; answer?: string } {
  if (ends !== undefined) return endedBy(ends, observations, run);
  const [only, second] = observations;
  const isAlone = only !== undefined && second === undefined && turn.calls.length === 1;
  const direct = isAlone && only.ok && only.attempts > 0;
  if (direct && policyIn(toolbox)(only.tool).returnDirect === true) {
    return { outcome: { status: "answered" }, answer: withoutFence(only.content) };
  }
  return {};
}

function endedBy(ends: CallEnd, observations: readonly Observation[], run: Run) {
  if (ends === "handed_off") {
    const reason =
      observations.findLast(({ ok, tool }) => ok && tool === "hand_off")?.content ?? "";
    run.emit({ type: "handed_off", content: { reason } });
    const outcome: Outcome = { status: "handed_off", reason };
    return { outcome };
  }
  const limit =
    ends === "repeated" ? "repeatedCalls" : (run.ledger.reached("toolCalls") ?? "toolCalls");
  const outcome: Outcome = { status: "limit", limit };
  return { outcome };
}

function inCallOrder(calls: readonly SoloCall[], turn: Turn): SoloCall[] {
  const position = (call: SoloCall) => turn.calls.findIndex(({ id }) => id === call.callId);
  return calls.toSorted((left, right) => position(left) - position(right));
}
