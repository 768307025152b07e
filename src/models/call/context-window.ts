import {
  type BaseMessage,
  isAIMessage,
  isToolMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { isRecord } from "../../json/json.js";
import { changeInFence, insideFence } from "../../prompts/fence.js";
import { withoutMedia } from "../../prompts/media-text.js";
import { CallFailed, isTooLong } from "../model-failure.js";
import { toolForm } from "../model-request.js";
import { oncePerObject } from "../once-per-object.js";
import { toolLimit } from "../provider/capabilities.js";
import { mediaIn, mediaKind } from "../provider/media.js";
import { sanitizeHistory } from "../sanitize-history.js";
import { estimateTokens, messageTokens } from "../usage.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** Share of a model's context that is kept free for its reply. */
const replyShare = 0.15;

/** Sanitizes the history and trims it to the context window. A prompt that is still too long is trimmed once more. */
export const contextWindow: ModelStage = async (call, next) => {
  const known = call.contextTokens ?? call.model.contextTokens;
  checkTools(call, known);
  const prompt = promptOf(call, known);
  try {
    return await next({ ...call, prompt });
  } catch (error) {
    if (!isTooLong(error)) throw error;
    const shorter = promptOf(call, shorterContext(call, known));
    const isSame =
      shorter.length === prompt.length && shorter.every((one, at) => one === prompt[at]);
    if (isSame) throw error;
    return next({ ...call, prompt: shorter });
  }
};

/** Tools beyond what the model takes: trimming the history would not help. */
function checkTools({ tools: all = [], model, role }: ModelCall, contextTokens = Infinity): void {
  const most = toolLimit(model.model) ?? Infinity;
  const tools = all.filter((tool) => !isDeferred(tool));
  const tokens = sum(tools.map(toolTokens));
  const problems = [
    { is: tools.length > most, says: `its server takes at most ${most} in a request` },
    {
      is: tokens > contextTokens * (1 - replyShare),
      says: `they take about ${tokens} tokens of its ${contextTokens}`,
    },
  ];
  const found = problems.find(({ is }) => is);
  if (found === undefined) return;
  const reason = `The model ${model.name} (${role}) was not asked: it would get ${tools.length} tools, and ${found.says}. Let it find them: tools: searchable(tools).`;
  throw new CallFailed({ kind: "failed", reason, model: model.name });
}

/** The messages to send: the history trimmed to the space that tools and trailing messages leave. */
function promptOf(call: ModelCall, contextTokens: number | undefined): readonly BaseMessage[] {
  const { trailingMessages = [], tools = [] } = call;
  const messages = sanitizeHistory(call.messages);
  if (contextTokens === undefined) return [...messages, ...trailingMessages];
  const taken = sum(tools.map(toolTokens)) + sum(trailingMessages.map(messageTokens));
  return [...trimHistory(messages, contextTokens * (1 - replyShare) - taken), ...trailingMessages];
}

/** A context size that forces the messages to become shorter. */
function shorterContext(
  { messages, trailingMessages = [] }: ModelCall,
  known: number | undefined,
): number {
  return (
    Math.min(known ?? Infinity, sum([...messages, ...trailingMessages].map(messageTokens))) * 0.6
  );
}

const toolTokens = oncePerObject((tool: StructuredToolInterface) =>
  isDeferred(tool) ? 0 : estimateTokens(JSON.stringify(toolForm(tool))),
);

/** Whether the provider shows a tool to the model only when it has found it. */
function isDeferred(tool: StructuredToolInterface): boolean {
  const extras: unknown = Reflect.get(tool, "extras");
  return isRecord(extras) && extras["defer_loading"] === true;
}

/** Lengths, in characters, for shortening old tool results step by step; media of the last turn go last. */
const steps = [
  { chars: 2_000, keepsLastMedia: true },
  { chars: 500, keepsLastMedia: true },
  { chars: 120, keepsLastMedia: true },
  { chars: 120, keepsLastMedia: false },
];

/** Notes in place of a result's middle and of its media. */
const gap = " … [shortened to fit the model's context] … ";
const leftOut = "(left out to fit the model's context)";

/**
 * Trims a history to `maxTokens` (estimated): shortens the oldest tool results first, then leaves out the oldest
 * messages, a call with its results, an answer with its question. Keeps system messages, the last human message and the
 * last message with its call. Returns the same list if it fits.
 */
export function trimHistory(
  messages: readonly BaseMessage[],
  maxTokens: number,
): readonly BaseMessage[] {
  const sizes = messages.map(messageTokens);
  let excess = sum(sizes) - maxTokens;
  if (excess <= 0) return messages;
  const fitted = [...messages];
  const lastTurn = messages.findLastIndex(isAIMessage);
  for (const { chars, keepsLastMedia } of steps) {
    for (const [at, message] of fitted.entries()) {
      if (excess <= 0) return fitted;
      const short = shortened(message, chars, keepsLastMedia && at > lastTurn);
      if (short === message) continue;
      const size = messageTokens(short);
      excess -= (sizes[at] ?? 0) - size;
      sizes[at] = size;
      fitted[at] = short;
    }
  }
  return excess <= 0 ? fitted : withoutOldest(fitted, sizes, excess);
}

function shortened(message: BaseMessage, chars: number, keepsMedia: boolean): BaseMessage {
  if (!isToolMessage(message)) return message;
  const whole = textOf(message);
  if (whole === undefined) return message;
  const media = mediaOf(message);
  const left = keepsMedia ? media : [];
  const short = shortText(whole, chars);
  if (short === whole && left.length === media.length) return message;
  const gone = left.length === media.length ? [] : mediaIn([message]);
  const text = withoutMedia(short, gone, leftOut);
  return new ToolMessage({
    ...message.lc_kwargs,
    content: left.length === 0 ? text : [{ type: "text", text }, ...left],
    tool_call_id: message.tool_call_id,
  });
}

function shortText(whole: string, chars: number): string {
  if (insideFence(whole).text.length <= chars + gap.length) return whole;
  const head = Math.ceil(chars * 0.7);
  return changeInFence(whole, (text) => `${start(text, head)}${gap}${end(text, chars - head)}`);
}

function mediaOf({ content }: ToolMessage) {
  return typeof content === "string"
    ? []
    : content.filter((block) => mediaKind(block) !== undefined);
}

/** The text of a result of only text and media. */
function textOf({ content, text }: ToolMessage): string | undefined {
  if (typeof content === "string") return content;
  const isRead = content.every((block) => block.type === "text" || mediaKind(block) !== undefined);
  return isRead ? text : undefined;
}

/** The first characters; never splits a surrogate pair. */
function start(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}

/** The last characters; never splits a surrogate pair. */
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

/** Whether a unit is the answer, or a step towards it, to a question before the last one. */
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
