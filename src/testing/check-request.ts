import type { ChatRequest, ChatRequestMessage } from "./chat-request.js";
import { estimateTokens } from "./estimate-tokens.js";
import type { StatusOptions } from "./fault.js";

/** What a server checks before it answers. */
export type RequestChecks = {
  readonly contextTokens: number | undefined;
  readonly strictPairing: boolean;
};

/** What is wrong with a request, in the words of OpenAI's 400; `undefined` when nothing is. */
export function refusalOf(request: ChatRequest, checks: RequestChecks): StatusOptions | undefined {
  const pairing = checks.strictPairing ? unpairedCall(request.messages) : undefined;
  return pairing ?? oversize(request, checks.contextTokens);
}

function oversize(request: ChatRequest, limit = Infinity): StatusOptions | undefined {
  const tokens = estimateTokens(request);
  if (tokens <= limit) return undefined;
  return {
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    param: "messages",
    code: "context_length_exceeded",
  };
}

/** Walks the history with the calls that still wait for their tool message. */
function unpairedCall(messages: readonly ChatRequestMessage[]): StatusOptions | undefined {
  let known = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const stray = strayResult(message, index, known);
      if (stray) return stray;
      open.delete(message.tool_call_id ?? "");
    } else {
      if (open.size > 0) return unanswered(open, index);
      known = new Set(message.tool_calls?.map(({ id }) => id));
      open = new Set(known);
    }
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function strayResult(
  { tool_call_id: id = "" }: ChatRequestMessage,
  index: number,
  calls: ReadonlySet<string>,
): StatusOptions | undefined {
  if (calls.has(id)) return undefined;
  const none = calls.size === 0;
  return {
    // The spelling "preceeding" is OpenAI's.
    message: none
      ? "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      : `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
    param: `messages.[${index}].${none ? "role" : "tool_call_id"}`,
  };
}

function unanswered(open: ReadonlySet<string>, index: number): StatusOptions {
  return {
    message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
    param: `messages.[${index}].role`,
  };
}
