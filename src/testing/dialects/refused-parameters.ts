import type { Dialect } from "../dialect.js";
import {
  deepSeekRefusal,
  lmStudioRefusal,
  openAIRefusal,
  olderVllmRefusal,
} from "./provider-errors.js";
import { forcesTool, has, offersTools } from "./request-parts.js";

const unsupported = (param: string) =>
  openAIRefusal(`Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
    code: "unsupported_parameter",
  });

/** Servers that refuse a parameter, or a value of one. */
export const refusedParameters = {
  "no-forced-tools": {
    description:
      "DeepSeek's deepseek-reasoner: refuses a tool_choice that names a tool, or is required, with 400.",
    refuses: (request) =>
      forcesTool(request)
        ? deepSeekRefusal("deepseek-reasoner does not support this tool_choice")
        : undefined,
  },
  "no-named-tool-choice": {
    description: "LM Studio: refuses a tool_choice that names a tool with 400, and takes required.",
    refuses: (request) =>
      forcesTool(request) && request.tool_choice !== "required"
        ? lmStudioRefusal(
            "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
          )
        : undefined,
  },
  "no-parallel-tool-calls": {
    description: "OpenAI's o4-mini: refuses parallel_tool_calls with 400.",
    refuses: (request) =>
      has(request, "parallel_tool_calls") ? unsupported("parallel_tool_calls") : undefined,
  },
  "no-stop": {
    description: "OpenAI's reasoning models (o3, gpt-5): refuse stop with 400.",
    refuses: (request) => (has(request, "stop") ? unsupported("stop") : undefined),
  },
  "no-stream-options": {
    description: "Azure OpenAI in 2024, and proxies of it: refuses stream_options with 400.",
    refuses: (request) =>
      has(request, "stream_options")
        ? openAIRefusal(
            "Unrecognized request argument supplied: stream_options. Please contact us through an Azure support request at: https://go.microsoft.com/fwlink/?linkid=2213926 for further questions.",
          )
        : undefined,
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
    refuses: (request) =>
      offersTools(request) && !forcesTool(request) && request.tool_choice !== "none"
        ? olderVllmRefusal(
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
          )
        : undefined,
  },
} satisfies Record<string, Dialect>;
