import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, isCommand, REMOVE_ALL_MESSAGES } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import { heldResult } from "../prompts/checks.js";
import { limitAt } from "../run/budget.js";
import type { Conversation, ConversationState, Draft, Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import { noKeys } from "../state/own-state.js";
import { type IsolatedCall, nothingPending, type Pending } from "../state/pending.js";
import type { Planning } from "../state/plan.js";
import { addUsage } from "../state/usage.js";
import { personRequests } from "../tools/human-input.js";
import type { CommandWrites } from "../tools/read-command.js";
import { type PersonRequest, refused, type ToolCallResult } from "../tools/tool-call.js";
import { committedCall, endingIn } from "./call-batch.js";
import type { Run } from "./enter-run.js";
import { askedAt } from "./interrupts.js";
import {
  hasMessageParts,
  addedMessage,
  resultMessages,
  type Turn,
  unreportedInTurn,
  waitingMessage,
  withoutMessageParts,
} from "./messages.js";
import { noToolEnd, toolFailuresEnd, unreadEnd } from "./hand-off-ends.js";
import { leaveGraph } from "./leave-graph.js";
import { answering } from "./reply-writes.js";
import { callIdOf, observationIn, type ToolBatch, type TurnContext } from "./run-calls.js";

/** The state update of a superstep of calls. */
export type BatchWrites = Writes<
  typeof ConversationState,
  "observations" | "usage" | "run" | "pending" | "decisions" | "outcome" | "answer"
> &
  // Of Commands, and of a turn.
  Partial<Writes<typeof ConversationState, "messages">>;

/** The state update of a superstep of a turn. */
export type TurnWrites = BatchWrites & Writes<typeof ConversationState, "messages">;

/** Turns the result of a superstep into a state update: pending calls, or all results of the turn. */
export function closeBatch(
  batch: ToolBatch,
  turn: Turn,
  state: Conversation,
  context: TurnContext,
): TurnWrites | Command {
  const writes = writesOf(batch, turn, state, context);
  return isCommand(writes) ? writes : withCommands(writes, batch, context.run);
}

function writesOf(
  batch: ToolBatch,
  turn: Turn,
  state: Conversation,
  context: TurnContext,
): TurnWrites | Command {
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
  const answers = resultMessages(turn.calls, unreportedInTurn(state.messages, observations));
  const { end } = pending;
  const last = ending ?? results[0];
  if (end !== undefined && "goto" in end && ending === undefined) {
    return leaveGraph(end, answers, addUsage(state.usage, batch.usage), context.run);
  }
  const over = endOfTurn(last, { turn, state, observations, pending }, context);
  const shown = over.draft === undefined ? answers : answers.map(withoutResult);
  return {
    ...base,
    observations: observations.map(withoutMessageParts),
    ...withPending(nothingPending, state),
    messages: [...shown, ...(pending.messages ?? [])],
    ...over,
  };
}

/** A result that is the answer, which must pass first. */
function withoutResult({ id, name = "", tool_call_id }: ToolMessage): ToolMessage {
  const of = { name, tool_call_id, ...defined({ id }) };
  return new ToolMessage({ ...of, content: heldResult, status: "success" });
}

/** The fields that every superstep of calls updates; decisions are used up. */
export function batchWrites({ usage }: ToolBatch, { decisions }: Conversation, run: Run) {
  return { usage, run: run.record(), ...(decisions === undefined ? {} : { decisions: undefined }) };
}

/** What is pending after a superstep. The next isolated call is about to start: the end of this superstep commits it. */
export function pendingAfter(batch: ToolBatch, state: Conversation, run: Run): Pending {
  const subRuns = waitingSubRuns(batch.results, state);
  const added = batch.results.flatMap((result) => messagesAddedBy(result, state));
  const messages = [...(state.pending?.messages ?? []), ...added];
  const end = state.pending?.end ?? batch.results.map(endIn).find((each) => each !== undefined);
  const kept = { subRuns, ...(messages.length === 0 ? {} : { messages }), ...defined({ end }) };
  if (batch.waiting !== undefined) return { calls: callsKept(batch, state), ...kept };
  const pending = { calls: batch.isolated ?? [], ...kept };
  const next = committedCall(pending.calls);
  if (next !== undefined) run.committed.add(next.callId);
  return pending;
}

/** The messages of a Command. Its tool has run, so that it may not end the run by removing what is not there. */
function messagesAddedBy(result: ToolCallResult, { messages }: Conversation): BaseMessage[] {
  if (result.kind !== "observed" || result.writes === undefined) return [];
  const { observation, writes } = result;
  const removable = new Set([REMOVE_ALL_MESSAGES, ...messages.map(({ id }) => id)]);
  return writes.messages
    .filter(({ type, id }) => type !== "remove" || removable.has(id))
    .map((message) => addedMessage(message, observation));
}

/** How a Command ends the run, once its turn is complete. */
function endIn(result: ToolCallResult): Pending["end"] {
  if (result.kind !== "observed" || result.writes === undefined) return undefined;
  const { direct = "", writes } = result;
  return writes.leave ?? (writes.isEnd === true ? { answer: direct } : undefined);
}

function commandWritesIn(result: ToolCallResult): CommandWrites | undefined {
  return result.kind === "observed" ? result.writes : undefined;
}

/**
 * A superstep's state update with the values of its tools' Commands, in call order. Of several values for a key that
 * only keeps one, the last one counts.
 */
export function withCommands<Update extends BatchWrites>(
  update: Update,
  { results }: ToolBatch,
  { ownKeys = noKeys }: Run,
): Update | Command {
  const values = results.flatMap((result) => commandWritesIn(result)?.values ?? []);
  if (values.length === 0) return update;
  const last = new Map(values.map((entry) => [entry[0], entry]));
  const counting = values.filter(
    (entry) => ownKeys.get(entry[0]) === "merges" || last.get(entry[0]) === entry,
  );
  const own = counting.map(([key, value]): [string, unknown] => [key, value]);
  return new Command({ update: [...Object.entries(update), ...own] });
}

/**
 * The isolated calls of a run that ends to wait: the committed call, and calls with a decision. Calls that have not
 * begun are left out, because they would pass for committed ones.
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
    // It has its answers, and goes on as the isolated call.
    if (result.kind === "isolated" && result.call.continues !== undefined)
      delete after[result.call.callId];
  }
  return after;
}

/** Updates what is pending, if anything is or was. */
export function withPending(pending: Pending, before: Pick<Conversation, "pending">) {
  const { calls, subRuns, messages = [], end } = pending;
  const count = calls.length + Object.keys(subRuns).length + messages.length;
  if (count > 0 || end !== undefined) return { pending };
  return before.pending === undefined ? {} : { pending: undefined };
}

/** The turn's observations in call order; a call that the run has no time for gets one that says so. */
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

/** The end of a run that cannot pause for its requests. */
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

/** The turn so far, with placeholders for waiting calls. */
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
      .filter((each) => hasMessageParts(each) || observed.includes(each))
      .map(withoutMessageParts),
    messages,
    ...waitingEnd(waiting, run),
  };
}

/** A complete turn. In graphs that plan, an empty `steps` means that there was no plan. */
type TurnDone = {
  readonly turn: Turn;
  readonly state: Conversation & Partial<Planning>;
  readonly observations: readonly Observation[];
  readonly pending: Pending;
};

/** How this turn ends the run, if it does: by the result that ends it, or by a direct result. */
function endOfTurn(
  last: ToolCallResult | undefined,
  { turn, state, observations, pending }: TurnDone,
  context: TurnContext,
): { outcome?: Outcome; answer?: string; draft?: Draft } {
  const end = endOfRun(last, context);
  if (end.outcome !== undefined) return end;
  const direct = pending.end === undefined ? directIn(last, turn) : answerIn(pending.end);
  if (direct !== undefined) {
    return { outcome: { status: "answered" }, ...answering(direct, context.run) };
  }
  const unread = unreadEnd(observations, context.run);
  if (unread.outcome !== undefined) return unread;
  const all = [...state.observations, ...observations];
  const failing = toolFailuresEnd(all, context.run);
  if (failing.outcome !== undefined) return failing;
  const wasTold = state.observations.length > 0 || state.steps?.length === 0;
  return noToolEnd(all, wasTold, context.run);
}

/** The result of the only call, if it goes to the user as it is. */
function directIn(last: ToolCallResult | undefined, { calls }: Turn): string | undefined {
  return calls.length === 1 && last?.kind === "observed" ? last.direct : undefined;
}

function answerIn(end: NonNullable<Pending["end"]>): string | undefined {
  return "answer" in end ? end.answer : undefined;
}

/** How a result ends the run: by a handoff, or at a limit. */
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
