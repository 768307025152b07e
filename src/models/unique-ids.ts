import {
  type AIMessage,
  AIMessageChunk,
  type BaseMessage,
  isAIMessage,
} from "@langchain/core/messages";

import { messageLike } from "./message.js";

/**
 * A reply with ids that no earlier call or message has: some servers repeat ids or give none. `known` are ids of calls
 * that the conversation may not show.
 */
export function withUniqueIds(
  reply: AIMessage,
  earlier: readonly BaseMessage[],
  known: readonly string[] = [],
): AIMessage {
  const shown = earlier
    .filter(isAIMessage)
    .flatMap(({ tool_calls: calls }) => (calls ?? []).map(({ id }) => id ?? ""));
  const taken = new Set([...shown, ...known]);
  const calls = (reply.tool_calls ?? []).map((call) => {
    const id = freeId(call.id ?? "", taken);
    taken.add(id);
    return { ...call, id };
  });
  const isSame = calls.every(({ id }, at) => id === reply.tool_calls?.[at]?.id);
  const isTaken = earlier.some(({ id }) => id !== undefined && id === reply.id);
  if (isSame && !isTaken && !AIMessageChunk.isInstance(reply)) return reply;
  // The provider's own copy of the calls would restore the old ids.
  const { tool_calls: _calls, ...kwargs } = reply.additional_kwargs;
  return messageLike(reply, {
    additional_kwargs: kwargs,
    tool_calls: calls,
    invalid_tool_calls: [],
    id: isTaken ? undefined : reply.id,
  });
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  // Objects are keyed by call id: no id may be the name of an inherited property.
  const base = wanted === "" || wanted in {} ? "call" : wanted;
  if (base === wanted && !taken.has(base)) return base;
  for (let n = taken.size + 1; ; n += 1) {
    const id = `${base}_${n}`;
    if (!taken.has(id)) return id;
  }
}
