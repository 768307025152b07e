import type { ChatRequest, ChatRequestMessage } from "../chat-request.js";
import type { Dialect } from "../dialect.js";
import { llamaCppRefusal, olderVllmRefusal, vllmRefusal } from "./provider-errors.js";
import { instructs } from "./request-parts.js";

const callsOf = ({ tool_calls: calls }: ChatRequestMessage) => calls ?? [];

/** The conversation without the instructions it may begin with. */
function conversation({ messages }: ChatRequest): readonly ChatRequestMessage[] {
  const [first] = messages;
  return first && instructs(first) ? messages.slice(1) : messages;
}

/** Whether user and anybody else take turns, the user first. */
const alternates = (messages: readonly ChatRequestMessage[]): boolean =>
  messages.every(({ role }, index) => (role === "user") === (index % 2 === 0));

const isPlainTurn = (message: ChatRequestMessage): boolean =>
  message.role === "user" || (message.role === "assistant" && callsOf(message).length === 0);

/** Servers whose chat template raises an exception at certain histories. */
export const refusedHistories = {
  "one-call-per-message": {
    description:
      "vLLM with the chat template of Llama 3: refuses a history in which one message has several tool calls with 400.",
    // vLLM adds the cause of an exception to its text, and here that is the same text.
    refuses: ({ messages }) =>
      messages.some((message) => callsOf(message).length > 1)
        ? vllmRefusal(
            "This model only supports single tool-calls at once! This model only supports single tool-calls at once!",
          )
        : undefined,
  },
  "no-system-message": {
    description:
      "vLLM until 2025 with the chat template of Gemma 2: refuses a system message with 400, in a body whose message OpenAI's client does not read.",
    refuses: ({ messages }) =>
      messages.some(instructs) ? olderVllmRefusal("System role not supported") : undefined,
  },
  "system-message-first": {
    description:
      "llama.cpp with the chat template of Qwen 3.5 and later: refuses every system message but the first message with 500.",
    refuses: (request) =>
      conversation(request).some(instructs)
        ? llamaCppRefusal("System message must be at the beginning.")
        : undefined,
  },
  "alternating-roles": {
    description:
      "llama.cpp with the chat template of Devstral: refuses two turns of one side in a row with 500; tool calls and their results do not count.",
    refuses: (request) =>
      alternates(conversation(request).filter(isPlainTurn))
        ? undefined
        : llamaCppRefusal(
            "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
          ),
  },
  "strictly-alternating-roles": {
    description:
      "vLLM until 2025 with the chat template of Mistral 7B or Gemma: refuses two turns of one side in a row with 400, and with that every result of a tool, in a body whose message OpenAI's client does not read.",
    refuses: (request) =>
      alternates(conversation(request))
        ? undefined
        : olderVllmRefusal("Conversation roles must alternate user/assistant/user/assistant/..."),
  },
} satisfies Record<string, Dialect>;
