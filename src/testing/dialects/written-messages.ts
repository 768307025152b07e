import type { Dialect, WireMessage } from "../dialect.js";
import { onMessages } from "./on-messages.js";

const isEmpty = ({ content }: WireMessage): boolean => (content ?? "") === "";

const hasText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The message whose thoughts and text are the parts of a list. */
function inParts({ reasoning_content: thought, content, ...message }: WireMessage): WireMessage {
  const parts = [
    ...(hasText(thought)
      ? [{ type: "thinking", thinking: [{ type: "text", text: thought }] }]
      : []),
    ...(hasText(content) ? [{ type: "text", text: content }] : []),
  ];
  if (parts.length > 0) return { ...message, content: parts };
  return content === undefined ? message : { ...message, content };
}

/** Servers that write a message, or what comes with it, otherwise. */
export const writtenMessages = {
  "same-reply-id": {
    description: "Servers with a fixed id: every reply has the same one.",
    options: { sameId: true },
  },
  "content-null": {
    description: "vLLM, Mistral: content is null wherever there is no text, streamed too.",
    rewrite: onMessages((message) => (isEmpty(message) ? { ...message, content: null } : message)),
  },
  "content-missing": {
    description: "Servers that leave out what is null: there is no content where there is no text.",
    rewrite: onMessages(({ content, ...message }) =>
      isEmpty({ content }) ? message : { ...message, content },
    ),
  },
  "content-parts": {
    description:
      "Mistral's API with Magistral and newer Large: content is a list of parts, thoughts among them, streamed too.",
    rewrite: onMessages(inParts),
  },
  "empty-tool-calls": {
    description: "vLLM: a message without tool calls has an empty list of them.",
    rewrite: onMessages((message) => ({ tool_calls: [], ...message })),
  },
  "usage-null": {
    description: "SGLang in 2024, and proxies: usage is null, also where it was asked for.",
    options: { reportUsage: false },
    rewrite: (completion) => ({ usage: null, ...completion }),
  },
} satisfies Record<string, Dialect>;
