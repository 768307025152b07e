import {
  type ChatRequest,
  type ChatRequestMessage,
  fieldOf,
  forcesTool,
  formatOf,
  has,
  instructs,
  offersTools,
} from "../chat-request.js";
import type { Dialect } from "../dialect.js";
import {
  deepSeekRefusal,
  llamaCppRefusal,
  lmStudioRefusal,
  mistralRefusal,
  olderVllmRefusal,
  openAIRefusal,
  refuseIf,
  vllmRefusal,
} from "./provider-errors.js";

const says = ({ messages }: ChatRequest, word: string): boolean =>
  messages.some(({ content }) =>
    JSON.stringify(content ?? "")
      .toLowerCase()
      .includes(word),
  );

/** The first place of `strict` in a request, and its value. */
function strictIn({ response_format, tools }: ChatRequest) {
  const ofFormat = fieldOf(fieldOf(response_format, "json_schema"), "strict");
  if (ofFormat !== undefined)
    return { place: ["response_format", "json_schema", "strict"], input: ofFormat };
  const index = (tools ?? []).findIndex((tool) => tool.function.strict !== undefined);
  const input = tools?.[index]?.function.strict;
  return input === undefined ? undefined : { place: ["tools", index, "function", "strict"], input };
}

const unsupported = (param: string) =>
  openAIRefusal(`Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
    code: "unsupported_parameter",
  });

const callsOf = ({ tool_calls: calls }: ChatRequestMessage) => calls ?? [];

/** The conversation without leading instructions. */
function conversation({ messages }: ChatRequest): readonly ChatRequestMessage[] {
  const [first] = messages;
  return first && instructs(first) ? messages.slice(1) : messages;
}

/** Whether user and others alternate, the user first. */
const alternates = (messages: readonly ChatRequestMessage[]): boolean =>
  messages.every(({ role }, index) => (role === "user") === (index % 2 === 0));

const isPlainTurn = (message: ChatRequestMessage): boolean =>
  message.role === "user" || (message.role === "assistant" && callsOf(message).length === 0);

/** Servers that refuse a form of JSON output, a parameter or one of its values, or certain histories. */
export const refusals = {
  "no-json-schema": {
    description:
      "DeepSeek's API: refuses the response format json_schema with 400, and takes json_object.",
    refuses: refuseIf(
      (request) => formatOf(request) === "json_schema",
      deepSeekRefusal("This response_format type is unavailable now"),
    ),
  },
  "no-json-object": {
    description: "LM Studio: refuses the response format json_object with 400, takes json_schema.",
    refuses: refuseIf(
      (request) => formatOf(request) === "json_object",
      lmStudioRefusal("'response_format.type' must be 'json_schema' or 'text'"),
    ),
  },
  "json-word-needed": {
    description:
      "OpenAI's and DeepSeek's API: refuse json_object with 400 unless a message says the word json.",
    refuses: refuseIf(
      (request) => formatOf(request) === "json_object" && !says(request, "json"),
      deepSeekRefusal(
        "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
      ),
    ),
  },
  "no-response-format": {
    description: "OpenAI's models before gpt-4-1106: refuse response_format with 400.",
    refuses: refuseIf(
      has("response_format"),
      openAIRefusal("Unrecognized request argument supplied: response_format"),
    ),
  },
  "no-strict": {
    description:
      "A server that takes no field it does not know: refuses strict, in tools and in json_schema, with the 422 of Mistral's API.",
    refuses: (request) => {
      const strict = strictIn(request);
      return strict && mistralRefusal(strict.place, strict.input);
    },
  },
  "no-forced-tools": {
    description:
      "DeepSeek's deepseek-reasoner: refuses a tool_choice that names a tool, or is required, with 400.",
    refuses: refuseIf(
      forcesTool,
      deepSeekRefusal("deepseek-reasoner does not support this tool_choice"),
    ),
  },
  "no-named-tool-choice": {
    description: "LM Studio: refuses a tool_choice that names a tool with 400, and takes required.",
    refuses: refuseIf(
      (request) => forcesTool(request) && request.tool_choice !== "required",
      lmStudioRefusal(
        "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
      ),
    ),
  },
  "no-parallel-tool-calls": {
    description: "OpenAI's o4-mini: refuses parallel_tool_calls with 400.",
    refuses: refuseIf(has("parallel_tool_calls"), unsupported("parallel_tool_calls")),
  },
  "no-stop": {
    description: "OpenAI's reasoning models (o3, gpt-5): refuse stop with 400.",
    refuses: refuseIf(has("stop"), unsupported("stop")),
  },
  "no-stream-options": {
    description: "Azure OpenAI in 2024, and proxies of it: refuses stream_options with 400.",
    refuses: refuseIf(
      has("stream_options"),
      openAIRefusal(
        "Unrecognized request argument supplied: stream_options. Please contact us through an Azure support request at: https://go.microsoft.com/fwlink/?linkid=2213926 for further questions.",
      ),
    ),
  },
  "no-tools": {
    description: "Ollama with a model whose template knows no tools: refuses tools with 400.",
    refuses: (request) => {
      const message = `registry.ollama.ai/library/${request.model} does not support tools`;
      const error = { message, type: "api_error", param: null, code: null };
      return offersTools(request) ? { status: 400, body: { error } } : undefined;
    },
  },
  "no-auto-tools": {
    description:
      "vLLM without --enable-auto-tool-choice: refuses tools with 400 unless the tool_choice is none or forces one.",
    refuses: refuseIf(
      (request) => offersTools(request) && !forcesTool(request) && request.tool_choice !== "none",
      olderVllmRefusal(
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      ),
    ),
  },
  "one-call-per-message": {
    description:
      "vLLM with the chat template of Llama 3: refuses a history in which one message has several tool calls with 400.",
    // vLLM appends the cause of an exception to its text; here both are the same text.
    refuses: refuseIf(
      ({ messages }) => messages.some((message) => callsOf(message).length > 1),
      vllmRefusal(
        "This model only supports single tool-calls at once! This model only supports single tool-calls at once!",
      ),
    ),
  },
  "no-system-message": {
    description:
      "vLLM until 2025 with the chat template of Gemma 2: refuses a system message with 400, in a body whose message OpenAI's client does not read.",
    refuses: refuseIf(
      ({ messages }) => messages.some(instructs),
      olderVllmRefusal("System role not supported"),
    ),
  },
  "system-message-first": {
    description:
      "llama.cpp with the chat template of Qwen 3.5 and later: refuses every system message but the first message with 500.",
    refuses: refuseIf(
      (request) => conversation(request).some(instructs),
      llamaCppRefusal("System message must be at the beginning."),
    ),
  },
  "alternating-roles": {
    description:
      "llama.cpp with the chat template of Devstral: refuses two turns of one side in a row with 500; tool calls and their results do not count.",
    refuses: refuseIf(
      (request) => !alternates(conversation(request).filter(isPlainTurn)),
      llamaCppRefusal(
        "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
      ),
    ),
  },
  "strictly-alternating-roles": {
    description:
      "vLLM until 2025 with the chat template of Mistral 7B or Gemma: refuses two turns of one side in a row with 400, and with that every result of a tool, in a body whose message OpenAI's client does not read.",
    refuses: refuseIf(
      (request) => !alternates(conversation(request)),
      olderVllmRefusal("Conversation roles must alternate user/assistant/user/assistant/..."),
    ),
  },
} satisfies Record<string, Dialect>;
