import {
  type BaseMessage,
  isAIMessage,
  isToolMessage,
  ToolMessage,
} from "@langchain/core/messages";

import { changeInFence, insideFence } from "../prompts/fence.js";
import { messageTokens } from "./estimate-tokens.js";

/** Lengths, in characters, that old tool results are shortened to, step by step. */
const steps = [2_000, 500, 120];

/** A note in place of a result's middle. */
const gap = " … [shortened to fit the model's context] … ";

/**
 * Fits a history to `maxTokens` (estimated): the oldest tool results are shortened first, the latest
 * last; then the oldest messages are left out, a call always together with its results, an answer
 * with its question. System messages, the last human message and the last message (with its call) are
 * kept. The same list comes back when it fits.
 */
export function fitHistory(
  messages: readonly BaseMessage[],
  maxTokens: number,
): readonly BaseMessage[] {
  const sizes = messages.map(messageTokens);
  let excess = sum(sizes) - maxTokens;
  if (excess <= 0) return messages;
  const fitted = [...messages];
  for (const chars of steps) {
    for (const [at, message] of fitted.entries()) {
      if (excess <= 0) return fitted;
      const short = shortened(message, chars);
      if (short === message) continue;
      const size = messageTokens(short);
      excess -= (sizes[at] ?? 0) - size;
      sizes[at] = size;
      fitted[at] = short;
    }
  }
  return excess <= 0 ? fitted : withoutOldest(fitted, sizes, excess);
}

function shortened(message: BaseMessage, chars: number): BaseMessage {
  if (!isToolMessage(message)) return message;
  const content = textOf(message);
  if (content === undefined || insideFence(content).text.length <= chars + gap.length) {
    return message;
  }
  const head = Math.ceil(chars * 0.7);
  return new ToolMessage({
    ...message.lc_kwargs,
    content: changeInFence(
      content,
      (text) => `${start(text, head)}${gap}${end(text, chars - head)}`,
    ),
    tool_call_id: message.tool_call_id,
  });
}

/** A result that is text and nothing else. */
function textOf({ content, text }: ToolMessage): string | undefined {
  if (typeof content === "string") return content;
  return content.every(({ type }) => type === "text") ? text : undefined;
}

/** The first characters; a pair of surrogates is not parted. */
function start(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** The last characters; a pair of surrogates is not parted. */
function end(text: string, chars: number): string {
  return text.slice(-chars).replace(/^[\udc00-\udfff]/, "");
}

/** Leaves out whole units, oldest first: a question, an answer, or a call with all its results. */
function withoutOldest(
  messages: readonly BaseMessage[],
  sizes: readonly number[],
  excess: number,
): BaseMessage[] {
  const lastQuestion = messages.findLastIndex((message) => message.type === "human");
  const dropped = new Set<number>();
  let left = excess;
  for (const unit of unitsOf(messages)) {
    if (left <= 0 && !isAnswerBefore(lastQuestion, unit, messages)) break;
    const isKept = unit.some((at) => at === lastQuestion || messages[at]?.type === "system");
    if (isKept || unit.includes(messages.length - 1)) continue;
    for (const at of unit) {
      dropped.add(at);
      left -= sizes[at] ?? 0;
    }
  }
  return messages.filter((_, at) => !dropped.has(at));
}

/** Whether this is the answer, or a step towards it, of a question before the last one. */
function isAnswerBefore(
  lastQuestion: number,
  [head = 0]: readonly number[],
  messages: readonly BaseMessage[],
): boolean {
  return head < lastQuestion && messages[head]?.type !== "human";
}

/** Positions of messages that belong together. */
function unitsOf(messages: readonly BaseMessage[]): number[][] {
  const units: number[][] = [];
  for (const [at, message] of messages.entries()) {
    const unit = units.at(-1);
    const head = unit?.[0] === undefined ? undefined : messages[unit[0]];
    if (unit !== undefined && isToolMessage(message) && head !== undefined && isAIMessage(head)) {
      unit.push(at);
    } else {
      units.push([at]);
    }
  }
  return units;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
