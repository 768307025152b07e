import { forcesTool } from "../chat-request.js";
import { type Dialect, onMessages, type WireMessage } from "../dialect.js";
import { type CompleteCall, type CompleteReply, splitText } from "../reply.js";

/** The reply with its calls `written` into the text. */
function spoken(reply: CompleteReply, written: (call: CompleteCall) => string): CompleteReply {
  const { calls, text, finishReason } = reply;
  if (calls.length === 0) return reply;
  const whole = [text, ...calls.map(written)].filter((part) => part !== "").join("\n");
  return {
    ...reply,
    text: whole,
    pieces: splitText(whole),
    calls: [],
    finishReason: finishReason === "tool_calls" ? "stop" : finishReason,
  };
}

// Not one JSON.stringify for all: arguments that are not JSON stay unchanged.
const asJson = ({ name, text }: CompleteCall): string =>
  `{"name": ${JSON.stringify(name)}, "arguments": ${text}}`;

const withId = (id: string) => (reply: CompleteReply) => ({
  ...reply,
  calls: reply.calls.map((call) => ({ ...call, id })),
});

const isEmpty = ({ content }: WireMessage): boolean => (content ?? "") === "";

const hasText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The message with its thoughts and text as a list of parts. */
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

/** Servers with other forms of tool calls, of messages or of their metadata. */
export const written = {
  "object-arguments": {
    description:
      "Hugging Face TGI, llama.cpp of March 2026: the arguments of a tool call are an object and no text, streamed in one piece.",
    reshape: (reply) => ({
      ...reply,
      calls: reply.calls.map((call) => ({ ...call, sent: call.args ?? call.text })),
    }),
  },
  "same-call-index": {
    description:
      "LiteLLM before Ollama: every streamed tool call comes in one piece and has the index 0.",
    reshape: (reply) => ({
      ...reply,
      calls: reply.calls.map((call) => ({ ...call, sent: call.text, index: 0 })),
    }),
  },
  "calls-finish-with-stop": {
    description:
      "OpenAI and older vLLM with a forced tool, LiteLLM before Ollama when streaming: the finish reason of a reply with tool calls is stop.",
    reshape: (reply) =>
      reply.finishReason === "tool_calls" ? { ...reply, finishReason: "stop" } : reply,
  },
  "same-call-id": {
    description: "Servers that do not tell calls apart: every tool call has the id call_0.",
    reshape: withId("call_0"),
  },
  "empty-call-id": {
    description:
      "Proxies of Gemini and StepFun, whose calls have no id: every tool call has an empty id.",
    reshape: withId(""),
  },
  "calls-as-fenced-text": {
    description:
      "llama.cpp, or vLLM with the parser for Hermes, and Qwen 2.5 Coder: a tool call is a fenced block of JSON in the answer.",
    reshape: (reply) => spoken(reply, (call) => `\`\`\`json\n${asJson(call)}\n\`\`\``),
  },
  "calls-as-tagged-text": {
    description:
      "Ollama, vLLM or LM Studio when nothing parses the calls of Hermes or Qwen: a tool call is JSON between <tool_call> tags in the answer.",
    reshape: (reply) => spoken(reply, (call) => `<tool_call>\n${asJson(call)}\n</tool_call>`),
  },
  "forced-tools-ignored": {
    description:
      "Ollama: a forced tool_choice changes nothing. A reply with tool calls to such a request comes as its text alone, or without one as its arguments in JSON.",
    reshape: (reply, request) =>
      forcesTool(request) ? spoken(reply, ({ text }) => (reply.text === "" ? text : "")) : reply,
  },
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
