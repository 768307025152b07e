import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  isToolMessage,
  ToolMessage,
} from "@langchain/core/messages";

import { messageLike } from "./message.js";

/** Replaces a missing result. */
const noResult = "This call was interrupted; its result is not known.";

/**
 * Makes a history valid for model servers: each tool call is followed by its result, in call order. A missing result
 * becomes an error; results without a call, raw unreadable calls and made-up results are removed. A valid history is
 * returned unchanged.
 */
export function sanitizeHistory(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  if (isSane(messages)) return messages;
  const results = resultsByCaller(messages);
  return messages.flatMap((message) => {
    if (isToolMessage(message)) return [];
    if (hasRawCalls(message)) return withoutRawCalls(message);
    const own = results.get(message);
    return [message, ...callIds(message).map((id) => own?.get(id) ?? missingResult(id))];
  });
}

type ResultsById = Map<string, ToolMessage>;

/** The results of each message's calls. Ids may repeat: a result belongs to the latest call before it. */
function resultsByCaller(messages: readonly BaseMessage[]): Map<BaseMessage, ResultsById> {
  const byCaller = new Map<BaseMessage, ResultsById>();
  const latest = new Map<string, ResultsById>();
  const early: ResultsById = new Map();
  for (const message of messages) {
    if (isToolMessage(message)) {
      const { tool_call_id: id } = message;
      if (!isMadeUp(message)) (latest.get(id) ?? early).set(id, message);
      continue;
    }
    const own: ResultsById = new Map();
    byCaller.set(message, own);
    for (const id of callIds(message)) {
      const result = early.get(id);
      if (result !== undefined) own.set(id, result);
      early.delete(id);
      latest.set(id, own);
    }
  }
  return byCaller;
}

/** Whether agent-chat-ui made up the result of a pending call when the user wrote again: nobody ran that call. */
function isMadeUp({ id }: ToolMessage): boolean {
  return id?.startsWith("do-not-render-") === true;
}

/** A message without readable calls whose client kept the raw calls: it would send them again. */
function hasRawCalls(message: BaseMessage): message is AIMessage {
  if (!isAIMessage(message) || (message.tool_calls ?? []).length > 0) return false;
  const raw = message.additional_kwargs.tool_calls;
  return raw !== undefined && raw.length > 0;
}

function withoutRawCalls(message: AIMessage): AIMessage[] {
  if (message.text.trim() === "") return [];
  const { tool_calls: _calls, ...kwargs } = message.additional_kwargs;
  return [messageLike(message, { additional_kwargs: kwargs, invalid_tool_calls: [] })];
}

function isSane(messages: readonly BaseMessage[]): boolean {
  let awaited: string[] = [];
  for (const message of messages) {
    if (isToolMessage(message)) {
      if (awaited.shift() !== message.tool_call_id || isMadeUp(message)) return false;
    } else {
      if (awaited.length > 0 || hasRawCalls(message)) return false;
      awaited = callIds(message);
    }
  }
  return awaited.length === 0;
}

function callIds(message: BaseMessage): string[] {
  if (!isAIMessage(message)) return [];
  return (message.tool_calls ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
}

function missingResult(id: string): ToolMessage {
  return new ToolMessage({
    content: noResult,
    tool_call_id: id,
    status: "error",
  });
}
