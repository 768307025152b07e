import type { Budget } from "../run/budget.js";
import {
  type Conversation,
  type ConversationState,
  type IsolatedCall,
  nothingPending,
  type Pending,
  type Writes,
} from "../state/conversation.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import { type LimitName } from "../state/limits.js";
import type { Planning } from "../state/plan.js";
import { personRequests } from "../tools/human-input.js";
import { type PersonRequest, refused, type ToolCallResult } from "../tools/tool-call.js";
import { committedCall, endingIn, type ToolBatch } from "./call-batch.js";
import type { Run } from "./enter-run.js";
import { askedAt } from "./interrupts.js";
import {
  resultMessages,
  type Turn,
  unreportedInTurn,
  waitingMessage,
  withoutImages,
} from "./messages.js";
import { callIdOf, observationIn, type TurnContext } from "./run-calls.js";

/** What a superstep of calls writes. */
export type BatchWrites = Writes<
  typeof ConversationState,
  "observations" | "usage" | "run" | "pending" | "decisions" | "outcome" | "answer"
>;

/** What a superstep of a turn writes. */
export type TurnWrites = BatchWrites & Writes<typeof ConversationState, "messages">;

/** Turns what a superstep brought into state: the next calls that run isolated, or the whole turn's results. */
export function closeBatch(
  batch: ToolBatch,
  turn: Turn,
  state: Conversation,
  context: TurnContext,
): TurnWrites {
  const { results, waiting } = batch;
  const observed = results.flatMap(observationIn);
  const ending = endingIn(results);
  const base = batchWrites(batch, state, context.run);
  const pending = pendingAfter(batch, state, context.run);
  if (waiting !== undefined) {
    return { ...base, ...waitingTurn(turn, state, { results, waiting, pending }, context.run) };
  }
  const done = new Set(observed.map(({ callId }) => callId));
  if (ending === undefined && turn.pending.some(({ id }) => !done.has(id))) {
    return { ...base, observations: observed, pending };
  }
  const known = [...state.observations, ...observed];
  const observations = turnObservations(turn, known, pending, context);
  return {
    ...base,
    observations: observations.map(withoutImages),
    ...withPending(nothingPending, state),
    messages: resultMessages(turn.calls, unreportedInTurn(state.messages, observations)),
    ...endOfTurn(ending ?? results[0], { turn, state, observations }, context),
  };
}

/** What every superstep of calls writes; decisions are used up. */
export function batchWrites({ usage }: ToolBatch, { decisions }: Conversation, run: Run) {
  return { usage, run: run.record(), ...(decisions === undefined ? {} : { decisions: undefined }) };
}

/** What is pending after a superstep. The next call is about to start: this superstep's end puts it on record. */
export function pendingAfter(batch: ToolBatch, state: Conversation, run: Run): Pending {
  const subRuns = waitingSubRuns(batch.results, state);
  if (batch.waiting !== undefined) return { calls: callsKept(batch, state), subRuns };
  const pending = { calls: batch.isolated ?? [], subRuns };
  const next = committedCall(pending.calls);
  if (next !== undefined) run.committed.add(next.callId);
  return pending;
}

/**
 * Where the run ends to wait: the call that is on record stays so, and what people decided of others is kept. Calls
 * that have not begun are found again; on record, they would pass for ones that have.
 */
function callsKept({ results, isolated = [] }: ToolBatch, state: Conversation): IsolatedCall[] {
  const begun = committedCall(state.pending?.calls);
  const isMade = results.some((result) => callIdOf(result) === begun?.callId);
  return isolated.flatMap((call): IsolatedCall[] => {
    if (call.callId === begun?.callId && !isMade) return [begun];
    return call.decided === undefined ? [] : [{ ...call, waits: true }];
  });
}

/** The sub-runs that wait after this superstep, by call id. */
function waitingSubRuns(results: readonly ToolCallResult[], { pending }: Conversation) {
  const after = { ...pending?.subRuns };
  for (const { callId } of results.flatMap(observationIn)) delete after[callId];
  for (const result of results) {
    if (result.kind === "waits") after[result.subRun.callId] = result.subRun;
  }
  return after;
}

/** Writes what is pending, where anything is or was. */
export function withPending(pending: Pending, before: Pick<Conversation, "pending">) {
  const isEmpty = pending.calls.length === 0 && Object.keys(pending.subRuns).length === 0;
  if (!isEmpty) return { pending };
  return before.pending === undefined ? {} : { pending: undefined };
}

/** The turn's observations in call order; a call the run has no time left for gets one that says so. */
function turnObservations(
  turn: Turn,
  known: readonly Observation[],
  { subRuns }: Pending,
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
export function waitingEnd(
  waiting: readonly PersonRequest[],
  run: Run,
): {
  readonly outcome: Outcome;
  readonly answer: string;
} {
  const requests = personRequests(waiting, askedAt(run));
  const answer = requests.action_requests.map(({ description }) => description).join("\n");
  return { outcome: { status: "needs_input", reason: answer, requests }, answer };
}

/** The turn as far as it came, with stand-ins for what waits. */
function waitingTurn(
  turn: Turn,
  state: Conversation,
  {
    results,
    waiting,
    pending,
  }: Required<Pick<ToolBatch, "results" | "waiting">> & {
    readonly pending: Pending;
  },
  run: Run,
) {
  const observed = results.flatMap(observationIn);
  const known = [...state.observations, ...observed];
  const done = new Set(observed.map(({ callId }) => callId));
  const open = new Set(turn.pending.map(({ id }) => id).filter((id) => !done.has(id)));
  const untold = unreportedInTurn(state.messages, known);
  const messages = turn.calls.flatMap((call) => {
    const asked = waiting.find(({ callId }) => callId === call.id)?.action.description;
    if (!open.has(call.id)) return resultMessages([call], untold);
    return [waitingMessage(call, asked, pending.subRuns[call.id] !== undefined)];
  });
  return {
    ...withPending(pending, state),
    observations: known
      .filter((each) => each.images !== undefined || observed.includes(each))
      .map(withoutImages),
    messages,
    ...waitingEnd(waiting, run),
  };
}

/** A turn that is complete. In graphs that plan, one without steps found no plan. */
type TurnDone = {
  readonly turn: Turn;
  readonly state: Conversation & Partial<Planning>;
  readonly observations: readonly Observation[];
};

/** How the run ends with this turn, if it does: by the result that ends it, or with the only one. */
function endOfTurn(
  last: ToolCallResult | undefined,
  { turn, state, observations }: TurnDone,
  context: TurnContext,
): { outcome?: Outcome; answer?: string } {
  const end = endOfRun(last, context);
  if (end.outcome !== undefined) return end;
  const direct = last?.kind === "observed" ? last.direct : undefined;
  if (direct !== undefined && turn.calls.length === 1) {
    return { outcome: { status: "answered" }, answer: direct };
  }
  const unread = unreadEnd(observations, context.run);
  if (unread.outcome !== undefined) return unread;
  const wasTold = state.observations.length > 0 || state.steps?.length === 0;
  return noToolEnd([...state.observations, ...observations], wasTold, context.run);
}

/** How the run ends with a result that ends it: handed off, or at a limit. */
export function endOfRun(
  last: ToolCallResult | undefined,
  { run }: TurnContext,
): { outcome?: Outcome } {
  if (last?.kind !== "observed") return {};
  const { ends, handedOver } = last;
  if (ends === "handed_off") return { outcome: { status: "handed_off", ...handedOver } };
  if (ends !== undefined) {
    const limit = ends === "repeated" ? "repeatedCalls" : (limitAt(run.budget) ?? "toolCalls");
    return { outcome: { status: "limit", limit } };
  }
  return {};
}

/** How the run ends with a result that no model can be given, where a person takes over for that. */
export function unreadEnd(
  observations: readonly Observation[],
  { settings }: Run,
): { outcome?: Outcome } {
  const result = observations.find(
    (each) => each.unread !== undefined && each.images === undefined,
  );
  const { tool, unread } = result ?? {};
  if (unread === undefined || !settings.handOffOn.includes("unsupported_input")) return {};
  const what = { image: "an image", audio: "audio", video: "a video", file: "a file" }[unread];
  const reason = `The result of ${tool} is ${what}, which the model cannot read.`;
  return { outcome: failedOutcome(reason, "unsupported_input") };
}

/** The limit that stands against any further call: a step of a plan counts no tool call. */
export function limitAt(budget: Budget): LimitName | undefined {
  return budget.reached("toolCalls") ?? budget.reached("modelCalls");
}

/** What comes of asking for a tool that does not exist, and of asking again. */
const nothing: ReadonlySet<ErrorKind> = new Set(["unknown_tool", "repeated"]);

/**
 * Whether nothing that a graph has covers the case: all that its model asked for are tools that do not exist, although
 * it had been told which ones there are (`wasTold`: by an earlier refusal, or by what was wrong with its plans), and
 * nothing else came of the run.
 */
export function hasNoTool(observations: readonly Observation[], wasTold: boolean): boolean {
  const calls = observations.flatMap(callsIn);
  return (
    wasTold &&
    calls.length > 0 &&
    calls.every(({ error }) => error !== undefined && nothing.has(error.kind))
  );
}

/** How the run ends where nothing covers it and a person takes over for that. */
export function noToolEnd(
  observations: readonly Observation[],
  wasTold: boolean,
  { settings }: Run,
): { outcome?: Outcome } {
  if (!settings.handOffOn.includes("no_tool") || !hasNoTool(observations, wasTold)) return {};
  const names = new Set(observations.flatMap(callsIn).map(({ tool }) => `"${tool}"`));
  const reason = `No tool covers this: what was asked for does not exist (${[...names].join(", ")}).`;
  return { outcome: failedOutcome(reason, "no_tool") };
}

/** A call, or the calls that it consists of. */
function callsIn(observation: Observation): readonly Observation[] {
  const { observations = [] } = observation.run ?? {};
  return observations.length === 0 ? [observation] : observations.flatMap(callsIn);
}
