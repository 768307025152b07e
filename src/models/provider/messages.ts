import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  SystemMessage,
  type ToolCall,
} from "@langchain/core/messages";

import type { MissingCapability } from "../../state/capability.js";
import { withMediaBehind, withNotes } from "./media.js";

/** Messages for the model's server: one system message first, the rest adapted to the missing capabilities. */
export function shapeMessages(
  messages: readonly BaseMessage[],
  missing: ReadonlySet<MissingCapability>,
): readonly BaseMessage[] {
  let shaped = withOneSystemMessage(withMediaBehind(withNotes(messages, missing)));
  if (missing.has("single_calls")) shaped = withSingleCalls(shaped);
  if (missing.has("no_system")) shaped = withoutSystemMessage(shaped);
  return missing.has("alternating") ? takingTurns(shaped) : shaped;
}

function isSystem(message: BaseMessage): boolean {
  return message.type === "system";
}

function withOneSystemMessage(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const system = messages.filter(isSystem);
  const isFirst = messages[0] === system[0];
  if (system.length === 0 || (system.length === 1 && isFirst)) return messages;
  const text = system.map((message) => message.text).join("\n\n");
  return [new SystemMessage(text), ...messages.filter((message) => !isSystem(message))];
}

/** Moves the system message into the beginning of the first user message. */
function withoutSystemMessage(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const [first, ...rest] = messages;
  if (first === undefined || !isSystem(first)) return messages;
  const at = rest.findIndex((message) => isHumanMessage(message));
  const asked = rest[at];
  if (asked === undefined) return [new HumanMessage(first.text), ...rest];
  return rest.with(at, joined(new HumanMessage(first.text), asked));
}

/** Each call in its own message, followed by its result. */
function withSingleCalls(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  return messages.flatMap((message, at) => {
    if (isToolMessage(message)) return [];
    if (!isAIMessage(message)) return [message];
    const { tool_calls: calls = [] } = message;
    if (calls.length === 0) return [message];
    const results = messages.slice(at + 1).filter(isToolMessage);
    return calls.flatMap((call, index) => [
      calls.length === 1 ? message : withCall(message, call, index === 0),
      ...results.filter(({ tool_call_id: id }) => id === call.id).slice(0, 1),
    ]);
  });
}

/** A message with one of its calls; the first keeps the text and thoughts. */
function withCall(message: AIMessage, call: ToolCall, isFirst: boolean): AIMessage {
  if (!isFirst) return new AIMessage({ content: "", tool_calls: [call] });
  const { content, additional_kwargs: kwargs } = message;
  const { tool_calls: _calls, ...rest } = kwargs;
  return new AIMessage({ content, additional_kwargs: rest, tool_calls: [call] });
}

/** Merges consecutive messages of one side. */
function takingTurns(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const turns: BaseMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last !== undefined && last.type === message.type && isPlain(last) && isPlain(message)) {
      turns[turns.length - 1] = joined(last, message);
    } else turns.push(message);
  }
  return turns;
}

function isPlain(message: BaseMessage): boolean {
  return (
    isHumanMessage(message) || (isAIMessage(message) && (message.tool_calls ?? []).length === 0)
  );
}

/** Two messages of one side as one, with all content blocks. */
function joined(left: BaseMessage, right: BaseMessage): BaseMessage {
  const { content: first } = left;
  const { content: second } = right;
  const content =
    typeof first === "string" && typeof second === "string"
      ? `${first}\n\n${second}`
      : [...blocksOf(left), ...blocksOf(right)];
  return isAIMessage(right) ? new AIMessage({ content }) : new HumanMessage({ content });
}

function blocksOf({ content }: BaseMessage) {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
