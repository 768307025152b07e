import type { CompleteCall, CompleteReply } from "../complete-reply.js";
import type { Dialect } from "../dialect.js";
import { splitText } from "../split-text.js";
import { forcesTool } from "./request-parts.js";

/** The reply whose calls are `written` into the text instead. */
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

// Not through JSON.stringify as a whole: arguments that are no JSON stay as they are.
const asJson = ({ name, text }: CompleteCall): string =>
  `{"name": ${JSON.stringify(name)}, "arguments": ${text}}`;

const withId = (id: string) => (reply: CompleteReply) => ({
  ...reply,
  calls: reply.calls.map((call) => ({ ...call, id })),
});

/** Servers that write tool calls otherwise, or not as tool calls. */
export const writtenCalls = {
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
} satisfies Record<string, Dialect>;
