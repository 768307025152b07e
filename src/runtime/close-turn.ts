import type { Conversation, ConversationState, SoloCall } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import type { Writes } from "../state/writes.js";
import { refused } from "../tools/observe-call.js";
import { personRequests } from "../tools/read-decisions.js";
import type { PersonRequest, ToolCallResult } from "../tools/tool-call.js";
import { endOfTurn } from "./end-of-turn.js";
import type { Run } from "./enter-run.js";
import { endingIn, type Round } from "./rounds.js";
import { observationIn } from "./book-result.js";
import type { TurnContext } from "./run-turn.js";
import { resultMessages, type Turn, waitingMessage } from "./turn.js";

/** What a superstep of a turn writes. */
export type TurnWrites = Writes<
  typeof ConversationState,
  | "messages"
  | "observations"
  | "usage"
  | "run"
  | "soloCalls"
  | "subRuns"
  | "decisions"
  | "outcome"
  | "answer"
>;

/** Turns what a superstep brought into state: the next calls that run alone, or the whole turn's results. */
export function closeRound(
  { results, usage, waiting }: Round,
  turn: Turn,
  state: Conversation,
  context: TurnContext,
): TurnWrites {
  const { run } = context;
  const observed = results.flatMap(observationIn);
  const ending = endingIn(results);
  const base = {
    usage,
    run: run.record(),
    ...(state.decisions === undefined ? {} : { decisions: undefined }),
  };
  if (waiting !== undefined) return { ...base, ...wait(turn, state, results, waiting) };
  const soloCalls = nextSoloCalls(results, turn.calls, state);
  if (ending === undefined && soloCalls.length > 0) {
    putOnRecord(soloCalls, run);
    return {
      ...base,
      observations: observed,
      soloCalls,
      ...withSubRuns(waitingSubRuns(results, state), state),
    };
  }
  const known = [...state.observations, ...observed];
  const observations = turnObservations(turn, known, waitingSubRuns(results, state), context);
  return {
    ...base,
    observations,
    ...(state.soloCalls === undefined ? {} : { soloCalls: undefined }),
    ...(state.subRuns === undefined ? {} : { subRuns: undefined }),
    messages: resultMessages(turn.calls, observations),
    ...endOfTurn(ending ?? results[0], { turn, state, observations }, context),
  };
}

/** The calls that run alone after this superstep, which made the first of the state's, in the order of `calls`. */
export function nextSoloCalls(
  results: readonly ToolCallResult[],
  calls: readonly { readonly id: string }[],
  { soloCalls = [] }: Pick<Conversation, "soloCalls">,
): SoloCall[] {
  const place = ({ callId }: SoloCall) => calls.findIndex(({ id }) => id === callId);
  return [...results.flatMap(soloCallIn), ...soloCalls.slice(1)].toSorted(
    (left, right) => place(left) - place(right),
  );
}

/** Notes that the next call is about to start: this superstep's end puts it on record. */
export function putOnRecord([next]: readonly SoloCall[], run: Run): void {
  if (next !== undefined) run.onRecord.add(next.callId);
}

/** The call as one that runs alone: so does a sub-run that waits for no person, but for a place to pause. */
function soloCallIn(result: ToolCallResult): SoloCall[] {
  if (result.kind === "alone") return [result.call];
  if (result.kind !== "waits") return [];
  const { callId, tool, args } = result.subRun;
  return [{ callId, tool, args, why: "pauses" }];
}

/** The sub-runs that wait after this superstep, by call id. */
export function waitingSubRuns(results: readonly ToolCallResult[], { subRuns }: Conversation) {
  const after = { ...subRuns };
  for (const { callId } of results.flatMap(observationIn)) delete after[callId];
  for (const result of results) {
    if (result.kind === "waits") after[result.subRun.callId] = result.subRun;
  }
  return after;
}

/** Writes them where there are any, or were. */
export function withSubRuns(after: ReturnType<typeof waitingSubRuns>, { subRuns }: Conversation) {
  if (Object.keys(after).length > 0) return { subRuns: after };
  return subRuns === undefined ? {} : { subRuns: undefined };
}

/** The turn's observations in call order; a call the run has no time left for gets one that says so. */
function turnObservations(
  turn: Turn,
  known: readonly Observation[],
  subRuns: ReturnType<typeof waitingSubRuns>,
  context: TurnContext,
): Observation[] {
  const byId = new Map(known.map((observation) => [observation.callId, observation]));
  const open = new Set(turn.pending.map(({ id }) => id));
  return turn.calls.flatMap((call) => {
    const observation = byId.get(call.id);
    if (observation !== undefined) return [observation];
    if (!open.has(call.id)) return [];
    const how = subRuns[call.id] === undefined ? "not run" : "begun, but not finished";
    return [refused(call, "cancelled", `${how}: the run ended first.`, context)];
  });
}

/** How a run ends that cannot pause for what people must answer. */
export function waitingEnd(waiting: readonly PersonRequest[]): {
  readonly outcome: Outcome;
  readonly answer: string;
} {
  const requests = personRequests(waiting);
  const answer = requests.action_requests.map(({ description }) => description).join("\n");
  return { outcome: { status: "needs_input", reason: answer, requests }, answer };
}

/** The turn as far as it came, with stand-ins for what waits. */
function wait(
  turn: Turn,
  state: Conversation,
  results: readonly ToolCallResult[],
  waiting: readonly PersonRequest[],
) {
  const observed = results.flatMap(observationIn);
  const known = [...state.observations, ...observed];
  const done = new Set(observed.map(({ callId }) => callId));
  const open = new Set(turn.pending.map(({ id }) => id).filter((id) => !done.has(id)));
  const subRuns = waitingSubRuns(results, state);
  const messages = turn.calls.flatMap((call) => {
    const asked = waiting.find(({ callId }) => callId === call.id)?.action.description;
    if (!open.has(call.id)) return resultMessages([call], known);
    return [waitingMessage(call, asked, subRuns[call.id] !== undefined)];
  });
  return {
    ...withSubRuns(subRuns, state),
    observations: observed,
    messages,
    ...waitingEnd(waiting),
  };
}
