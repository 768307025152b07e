import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";

import { defined } from "../json/json.js";
import { markedMedia } from "../models/provider/media.js";
import { resultsIn } from "../prompts/earlier-results.js";
import { insideFence } from "../prompts/fence.js";
import { mediaIntroduction } from "../prompts/media-text.js";
import { groundlessMark, withoutSteps } from "../prompts/shown-steps.js";
import type { RunScope } from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import { trustedTexts } from "../tools/check-arguments.js";
import type { ToolCall } from "../tools/tool-call.js";
import { maxMedia } from "../tools/read-media.js";

/** The calls of the last model turn, and which of them are open. */
export type Turn = {
  readonly calls: readonly ToolCall[];
  /** Calls without a result, in call order. */
  readonly pending: readonly ToolCall[];
};

const waitingMark = "plangraph_waiting";
const subRunMark = "plangraph_sub_run";

/** Reads the current turn of a conversation. A call is done when it has a result message or an observation. */
export function openTurn(
  conversation: readonly BaseMessage[],
  observations: readonly Observation[],
): Turn {
  const messages = withoutSteps(conversation);
  const at = messages.findLastIndex(isAIMessage);
  const last = messages[at];
  const asked = last !== undefined && isAIMessage(last) ? (last.tool_calls ?? []) : [];
  const calls = asked.map(({ id = "", name, args }) => ({ id, name, args }));
  const results = messages.slice(at + 1).filter(isToolMessage);
  const isDone = (id: string) =>
    results.some((result) => result.tool_call_id === id && !isWaiting(result)) ||
    observations.some(({ callId }) => callId === id);
  return { calls, pending: calls.filter(({ id }) => !isDone(id)) };
}

/** The observations of a question by the model turn that made their calls; those whose turn is no message any more come first. */
export function callTurns(
  conversation: readonly BaseMessage[],
  observations: readonly Observation[],
): Observation[][] {
  const turns = withoutSteps(conversation)
    .filter(isAIMessage)
    .map(({ tool_calls: calls = [] }) => new Set(calls.map(({ id }) => id)))
    .map((ids) => observations.filter(({ callId }) => ids.has(callId)));
  const placed = new Set(turns.flat());
  const others = observations.filter((observation) => !placed.has(observation));
  return [others, ...turns].filter((turn) => turn.length > 0);
}

/** Whether a call of the last model turn was refused because it had been made before. */
export function isGoingRound(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): boolean {
  const refused = observations.filter(({ error }) => error?.kind === "repeated");
  const { calls } = openTurn(messages, observations);
  return calls.some(({ id }) => refused.some(({ callId }) => callId === id));
}

/** Whether the words of a result may ground arguments: a trusted tool returned them. */
export function isKnown(observation: Observation): boolean {
  return observation.run === undefined && trustedTexts([observation]).length > 0;
}

/** The results of a turn as messages, in call order. A call without an observation has none. */
export function resultMessages(
  calls: readonly ToolCall[],
  observations: readonly Observation[],
): ToolMessage[] {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  return calls.flatMap(({ id, name }) => {
    const observation = byId.get(id);
    if (observation === undefined) return [];
    const { content, media, artifact, unread, ok } = observation;
    const status = ok ? "success" : "error";
    return [
      new ToolMessage({
        id: messageId(id),
        content: media === undefined ? content : [{ type: "text", text: content }, ...media],
        tool_call_id: id,
        name,
        status,
        ...defined({ artifact }),
        additional_kwargs: {
          ...(ok && !isKnown(observation) ? { [groundlessMark]: true } : {}),
          ...(media === undefined ? {} : markedMedia(unread !== undefined)),
        },
      }),
    ];
  });
}

/** The observations of the turn that have no result message yet. A message keeps media and artifact, an observation does not. */
export function unreportedInTurn(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): Observation[] {
  const results = afterLastCalls(messages).filter(isToolMessage);
  const told = new Set(results.filter((each) => !isWaiting(each)).map((each) => each.tool_call_id));
  return observations.filter(({ callId }) => !told.has(callId));
}

/** The observation without its media and its artifact, which a message has. */
export function withoutMessageParts({
  media: _media,
  artifact: _artifact,
  ...observation
}: Observation): Observation {
  return observation;
}

/** Whether an observation has parts that belong into a message. */
export function hasMessageParts({ media, artifact }: Observation): boolean {
  return media !== undefined || artifact !== undefined;
}

/** The observations without a result message: those of a plan's steps. */
export function unreported(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): Observation[] {
  const told = new Set(messages.filter(isToolMessage).map((result) => result.tool_call_id));
  return observations.filter(({ callId }) => !told.has(callId));
}

/** A placeholder for the result of a call that waits for a person; the result replaces it. */
export function waitingMessage(
  { id, name }: ToolCall,
  asked: string | undefined,
  isSubRun: boolean,
): ToolMessage {
  return new ToolMessage({
    id: messageId(id),
    content: `Not run yet: this waits for a person. ${asked ?? ""}`.trim(),
    tool_call_id: id,
    name,
    additional_kwargs: { [waitingMark]: true, ...(isSubRun ? { [subRunMark]: true } : {}) },
  });
}

/** Whether a conversation ends with calls that wait for a person. */
export function hasWaitingCalls(messages: readonly BaseMessage[]): boolean {
  const after = afterLastCalls(messages);
  return after.some(isWaiting) && !after.some(isHumanMessage);
}

/** Whether the last calls have no results at all: a person wrote them. */
export function hasOpenCalls(messages: readonly BaseMessage[]): boolean {
  const last = withoutSteps(messages).findLast(isAIMessage);
  const asked = last !== undefined && isAIMessage(last) ? (last.tool_calls ?? []) : [];
  return asked.length > 0 && afterLastCalls(messages).length === 0;
}

/** The ids of the last calls with waiting sub-runs. */
export function waitingSubRunIds(messages: readonly BaseMessage[]): string[] {
  return afterLastCalls(messages)
    .filter(isToolMessage)
    .filter((message) => isWaiting(message) && message.additional_kwargs[subRunMark] === true)
    .map((message) => message.tool_call_id);
}

function afterLastCalls(conversation: readonly BaseMessage[]): readonly BaseMessage[] {
  const messages = withoutSteps(conversation);
  const asked = messages.findLastIndex(
    (message) => isAIMessage(message) && (message.tool_calls ?? []).length > 0,
  );
  return messages.slice(asked + 1);
}

/** Whether a message is such a placeholder. */
function isWaiting(message: BaseMessage): boolean {
  return isToolMessage(message) && message.additional_kwargs[waitingMark] === true;
}

function messageId(callId: string): string {
  return `result:${callId}`;
}

/**
 * The texts that may ground arguments: what the user wrote, trusted tools returned, in this run and before, and the
 * application knows; `known` where a model wrote the question.
 */
export function knownTexts(
  messages: readonly BaseMessage[],
  {
    known,
    memory,
  }: { readonly known: (() => readonly string[]) | undefined } & Pick<RunScope, "memory">,
): readonly string[] {
  if (known !== undefined) return [...known(), ...(memory?.grounds() ?? [])];
  const texts = withoutSteps(messages).flatMap((message) => {
    const kept = resultsIn(message).flatMap(({ content, isKnown: isGround }) =>
      isGround === true ? [content] : [],
    );
    const isGround = isOfUser(message) || (isToolMessage(message) && isTrusted(message));
    return isGround ? [message.text, ...kept] : kept;
  });
  return [...texts, ...(memory?.grounds() ?? [])];
}

/** Whether the user wrote a message: no model as a summary, and no untrusted tool in a Command. */
function isOfUser(message: BaseMessage): boolean {
  return (
    isHumanMessage(message) &&
    !isSummary(message) &&
    message.additional_kwargs[groundlessMark] !== true
  );
}

/** Whether LangChain's `summarizationMiddleware` wrote a message in place of earlier ones. */
function isSummary({ additional_kwargs: { lc_source: source } }: BaseMessage): boolean {
  return source === "summarization";
}

/** A message that a tool's Command adds. What an untrusted tool writes as a user grounds no arguments. */
export function addedMessage(message: BaseMessage, observation: Observation): BaseMessage {
  if (!isHumanMessage(message) || isKnown(observation)) return message;
  const { id, lc_kwargs: rest, additional_kwargs: more } = message;
  const marked = { ...more, [groundlessMark]: true };
  return new HumanMessage({ ...rest, ...defined({ id }), additional_kwargs: marked });
}

/** Whether a result comes from a trusted tool. Where a client dropped the mark, a fence shows that it does not. */
function isTrusted(message: ToolMessage): boolean {
  const { status, additional_kwargs: marks, text } = message;
  const isTool = marks[groundlessMark] !== true && insideFence(text).before === "";
  return isTool && status !== "error" && !isWaiting(message);
}

/** The user's last question, or the summary that replaced it; empty where there is none. */
export function lastQuestion(messages: readonly BaseMessage[]): string {
  const asked = messages.filter(isHumanMessage);
  return (asked.findLast((message) => !isSummary(message)) ?? asked.at(-1))?.text ?? "";
}

/** Whether a conversation may hold the answer already: it has more than the first question. */
export function isFollowUp(messages: readonly BaseMessage[]): boolean {
  return withoutSteps(messages).filter(({ type }) => type !== "system").length > 1;
}

const clarifying = "question:";

/** The id of the message that asks the user, for the nth time, what the question means. */
export function clarifyingId(runId: string, nth: number): string {
  return `${clarifying}${runId}:${nth}`;
}

/** The user's last question, with the clarifying questions and answers that belong to it. */
export function clarifiedQuestion(messages: readonly BaseMessage[]): string {
  const at = messages.findLastIndex(isHumanMessage);
  const before = messages[at - 1];
  if (before?.id?.startsWith(clarifying) !== true) return lastQuestion(messages);
  const asked = clarifiedQuestion(messages.slice(0, at - 1));
  return [asked, before.text, lastQuestion(messages)].join("\n");
}

/** The whole question as a task, also for a question without words, such as an image. */
export function wholeTask(question: string): string {
  return question.trim() === "" ? "Answer the user's message." : question;
}

/** What turns `before` into `after` in the messages reducer: new, changed and removed messages. */
export function messageChanges(
  before: readonly BaseMessage[],
  after: readonly BaseMessage[],
): BaseMessage[] {
  const earlier = new Map(before.map((message) => [message.id, message]));
  const left = new Set(after.map(({ id }) => id));
  const gone = before.flatMap(({ id }) =>
    id === undefined || left.has(id) ? [] : [new RemoveMessage({ id })],
  );
  return [...gone, ...after.filter((message) => !isSame(earlier.get(message.id), message))];
}

function isSame(left: BaseMessage | undefined, right: BaseMessage): boolean {
  return left === right || (left !== undefined && said(left) === said(right));
}

function said({ content, additional_kwargs: more }: BaseMessage): string {
  return JSON.stringify([content, more]);
}

/** The images and files of a plan's results in one message; the latest, where they are too many. */
export function shownMedia(observations: readonly Observation[]): HumanMessage[] {
  let left = maxMedia;
  const shown = observations.toReversed().flatMap((observation) => {
    const media = (observation.media ?? []).slice(0, left);
    left -= media.length;
    return media.length === 0 ? [] : [{ ...observation, media }];
  });
  if (shown.length === 0) return [];
  const content = shown.toReversed().flatMap(({ callId, tool, content: text, media }) => {
    const isUntrusted = insideFence(text).before !== "";
    return [
      { type: "text", text: mediaIntroduction(tool, callId, isUntrusted) } as const,
      ...media,
    ];
  });
  const isWordless = shown.some(({ unread }) => unread !== undefined);
  return [new HumanMessage({ content, additional_kwargs: markedMedia(isWordless) })];
}
