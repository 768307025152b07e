import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";

import { markedImages } from "../models/provider/media.js";
import { resultsIn } from "../prompts/earlier-results.js";
import { insideFence } from "../prompts/fence.js";
import { imagesIntroduction } from "../prompts/image-text.js";
import type { Observation } from "../state/observation.js";
import { trustedTexts } from "../tools/check-arguments.js";
import type { ToolCall } from "../tools/tool-call.js";
import { maxImages } from "../tools/tool-result.js";
import type { Run } from "./enter-run.js";

/** The calls of the last model turn, and which of them still need to be made. */
export type Turn = {
  readonly calls: readonly ToolCall[];
  /** Calls without a result, in call order. */
  readonly pending: readonly ToolCall[];
};

const waitingMark = "plangraph_waiting";
const subRunMark = "plangraph_sub_run";
const groundlessMark = "plangraph_groundless";

/** Reads the turn that a conversation stands in: a call is done when it has a result message or an observation. */
export function openTurn(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): Turn {
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

/** Whether a call of the last model turn was refused because it had been made before. */
export function isGoingRound(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): boolean {
  const refused = observations.filter(({ error }) => error?.kind === "repeated");
  const { calls } = openTurn(messages, observations);
  return calls.some(({ id }) => refused.some(({ callId }) => callId === id));
}

/** Whether arguments may be taken from the words of a result: a trusted tool returned them. */
export function isKnown(observation: Observation): boolean {
  return observation.run === undefined && trustedTexts([observation]).length > 0;
}

/** The results of a turn as messages, in call order. Calls whose message is already there are left out. */
export function resultMessages(
  calls: readonly ToolCall[],
  observations: readonly Observation[],
): ToolMessage[] {
  const byId = new Map(observations.map((observation) => [observation.callId, observation]));
  return calls.flatMap(({ id, name }) => {
    const observation = byId.get(id);
    if (observation === undefined) return [];
    const { content, images, unread, ok } = observation;
    const status = ok ? "success" : "error";
    return [
      new ToolMessage({
        id: messageId(id),
        content: images === undefined ? content : [{ type: "text", text: content }, ...images],
        tool_call_id: id,
        name,
        status,
        additional_kwargs: {
          ...(ok && !isKnown(observation) ? { [groundlessMark]: true } : {}),
          ...(images === undefined ? {} : markedImages(unread !== undefined)),
        },
      }),
    ];
  });
}

/** The observations of calls without a result message so far: a message keeps its images, the observation does not. */
export function unreportedInTurn(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): Observation[] {
  const results = afterLastCalls(messages).filter(isToolMessage);
  const told = new Set(results.filter((each) => !isWaiting(each)).map((each) => each.tool_call_id));
  return observations.filter(({ callId }) => !told.has(callId));
}

/** An observation whose images a message has. */
export function withoutImages({ images: _images, ...observation }: Observation): Observation {
  return observation;
}

/** The observations that no result message tells of: those of a plan's steps. */
export function unreported(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): Observation[] {
  const told = new Set(messages.filter(isToolMessage).map((result) => result.tool_call_id));
  return observations.filter(({ callId }) => !told.has(callId));
}

/** What stands in for the result of a call that waits for a person; the result takes its place. */
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

/** Whether a conversation ended with calls that wait for a person. */
export function hasWaitingCalls(messages: readonly BaseMessage[]): boolean {
  const after = afterLastCalls(messages);
  return after.some(isWaiting) && !after.some(isHumanMessage);
}

/** Whether the last calls have no result at all: a person has written them in the model's place. */
export function hasOpenCalls(messages: readonly BaseMessage[]): boolean {
  const last = messages.findLast(isAIMessage);
  const asked = last !== undefined && isAIMessage(last) ? (last.tool_calls ?? []) : [];
  return asked.length > 0 && afterLastCalls(messages).length === 0;
}

/** The ids of the last calls whose sub-runs wait. */
export function waitingSubRunIds(messages: readonly BaseMessage[]): string[] {
  return afterLastCalls(messages)
    .filter(isToolMessage)
    .filter((message) => isWaiting(message) && message.additional_kwargs[subRunMark] === true)
    .map((message) => message.tool_call_id);
}

function afterLastCalls(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const asked = messages.findLastIndex(
    (message) => isAIMessage(message) && (message.tool_calls ?? []).length > 0,
  );
  return messages.slice(asked + 1);
}

/** Whether a message stands in for the result of a call that waits for a person. */
function isWaiting(message: BaseMessage): boolean {
  return isToolMessage(message) && message.additional_kwargs[waitingMark] === true;
}

function messageId(callId: string): string {
  return `result:${callId}`;
}

/** What the user wrote and trusted tools returned, in this run and before; `known` where the question is a model's. */
export function knownTexts(
  messages: readonly BaseMessage[],
  { known }: Pick<Run, "known">,
): readonly string[] {
  if (known !== undefined) return known();
  return messages.flatMap((message) => {
    const kept = resultsIn(message).flatMap(({ content, isKnown: isGround }) =>
      isGround === true ? [content] : [],
    );
    const isGround = isHumanMessage(message) || (isToolMessage(message) && isTrusted(message));
    return isGround ? [message.text, ...kept] : kept;
  });
}

/** Whether a result tells what a trusted tool returned; a fence tells so where a client left the mark out. */
function isTrusted(message: ToolMessage): boolean {
  const { status, additional_kwargs: marks, text } = message;
  const isTool = marks[groundlessMark] !== true && insideFence(text).before === "";
  return isTool && status !== "error" && !isWaiting(message);
}

/** What the user asked last; empty where nothing was asked. */
export function lastQuestion(messages: readonly BaseMessage[]): string {
  return messages.findLast(isHumanMessage)?.text ?? "";
}

/** Whether a conversation may hold the answer already: of a first question there is nothing but the question. */
export function isFollowUp(messages: readonly BaseMessage[]): boolean {
  return messages.filter(({ type }) => type !== "system").length > 1;
}

const clarifying = "question:";

/** The id of the message in which a run asks the user, for the nth time, what the question is about. */
export function clarifyingId(runId: string, nth: number): string {
  return `${clarifying}${runId}:${nth}`;
}

/** What the user asked last, with what the user was asked of it and answered. */
export function clarifiedQuestion(messages: readonly BaseMessage[]): string {
  const at = messages.findLastIndex(isHumanMessage);
  const before = messages[at - 1];
  if (before?.id?.startsWith(clarifying) !== true) return lastQuestion(messages);
  const asked = clarifiedQuestion(messages.slice(0, at - 1));
  return [asked, before.text, lastQuestion(messages)].join("\n");
}

/** The task that is a whole question; a question without words, an image say, has some too. */
export function wholeTask(question: string): string {
  return question.trim() === "" ? "Answer the user's message." : question;
}

/** What the messages reducer makes `after` of `before` with: what is new, what has changed, and what is gone. */
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

/** The images of a plan's results, the latest where they are many, in a message for who answers from the results. */
export function shownImages(observations: readonly Observation[]): HumanMessage[] {
  let left = maxImages;
  const shown = observations.toReversed().flatMap((observation) => {
    const images = (observation.images ?? []).slice(0, left);
    left -= images.length;
    return images.length === 0 ? [] : [{ ...observation, images }];
  });
  if (shown.length === 0) return [];
  const content = shown.toReversed().flatMap(({ callId, tool, content: text, images }) => {
    const isUntrusted = insideFence(text).before !== "";
    return [
      { type: "text", text: imagesIntroduction(tool, callId, isUntrusted) } as const,
      ...images,
    ];
  });
  const isWordless = shown.some(({ unread }) => unread !== undefined);
  return [new HumanMessage({ content, additional_kwargs: markedImages(isWordless) })];
}
