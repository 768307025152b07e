import { type ChatRequest, fieldOf, forcesTool } from "../chat-request.js";
import { type Dialect, onMessages } from "../dialect.js";
import { type CompleteReply, splitText } from "../reply.js";
import { deepSeekRefusal, refuseIf } from "./provider-errors.js";

/** The reply with a thought; a neutral one if the script has none. */
const thoughtful = (reply: CompleteReply): CompleteReply =>
  reply.reasoning === "" ? { ...reply, reasoning: "Let me see what is asked here." } : reply;

const thoughtAloud =
  (opening: string) =>
  (reply: CompleteReply): CompleteReply => {
    const { reasoning, text, pieces, ...rest } = thoughtful(reply);
    const aloud = `${opening}${reasoning}\n</think>\n\n`;
    return { ...rest, reasoning: "", text: aloud + text, pieces: [...splitText(aloud), ...pieces] };
  };

/** Whether a request keeps the thinking of DeepSeek's V4 on. */
const thinks = ({ thinking, reasoning_effort: effort }: ChatRequest): boolean =>
  fieldOf(thinking, "type") !== "disabled" && effort !== "none";

const ifThinking = (reply: CompleteReply, request: ChatRequest): CompleteReply =>
  thinks(request) ? thoughtful(reply) : reply;

/** Servers whose model thinks before it answers. */
export const thinking = {
  "reasoning-content": {
    description: "DeepSeek, llama.cpp, SGLang: the thoughts come beside, as reasoning_content.",
    reshape: thoughtful,
  },
  reasoning: {
    description: "newer vLLM, OpenRouter, Ollama: the thoughts come beside, as reasoning.",
    reshape: thoughtful,
    rewrite: onMessages(({ reasoning_content: reasoning, ...message }) =>
      reasoning === undefined ? message : { ...message, reasoning },
    ),
  },
  "thinking-no-forced-tools": {
    description:
      "DeepSeek V4 (Qwen on DashScope in other words): sends reasoning_content, and refuses a forced tool_choice with 400 unless the request turns the thinking off.",
    refuses: refuseIf(
      (request) => thinks(request) && forcesTool(request),
      deepSeekRefusal("Thinking mode does not support this tool_choice"),
    ),
    reshape: ifThinking,
  },
  "reasoning-demanded-back": {
    description:
      "DeepSeek V4: sends reasoning_content, and refuses a history in which a message with tool calls has none with 400 unless the request turns the thinking off.",
    refuses: refuseIf(
      (request) =>
        thinks(request) &&
        request.messages.some(
          ({ tool_calls: calls, reasoning_content: reasoning }) =>
            (calls ?? []).length > 0 && typeof reasoning !== "string",
        ),
      deepSeekRefusal(
        "The `reasoning_content` in the thinking mode must be passed back to the API.",
      ),
    ),
    reshape: ifThinking,
  },
  "inline-thinking": {
    description:
      "vLLM without --reasoning-parser, older Ollama: the answer begins with the thoughts between <think> and </think>.",
    reshape: thoughtAloud("<think>\n"),
  },
  "inline-thinking-unopened": {
    description:
      "The same with a chat template that writes <think> into the prompt (DeepSeek R1, QwQ): only </think> comes.",
    reshape: thoughtAloud(""),
  },
} satisfies Record<string, Dialect>;
