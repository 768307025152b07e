import type { ChatRequest } from "../chat-request.js";
import type { Dialect } from "../dialect.js";
import {
  deepSeekRefusal,
  lmStudioRefusal,
  mistralRefusal,
  openAIRefusal,
} from "./provider-errors.js";
import { fieldOf, formatOf, has } from "./request-parts.js";

const says = ({ messages }: ChatRequest, word: string): boolean =>
  messages.some(({ content }) =>
    JSON.stringify(content ?? "")
      .toLowerCase()
      .includes(word),
  );

/** Where `strict` stands in a request first, and what it is. */
function strictIn({ response_format, tools }: ChatRequest) {
  const ofFormat = fieldOf(fieldOf(response_format, "json_schema"), "strict");
  if (ofFormat !== undefined)
    return { place: ["response_format", "json_schema", "strict"], input: ofFormat };
  const index = (tools ?? []).findIndex((tool) => tool.function.strict !== undefined);
  const input = tools?.[index]?.function.strict;
  return input === undefined ? undefined : { place: ["tools", index, "function", "strict"], input };
}

/** Servers that refuse a way of asking for JSON. */
export const refusedFormats = {
  "no-json-schema": {
    description:
      "DeepSeek's API: refuses the response format json_schema with 400, and takes json_object.",
    refuses: (request) =>
      formatOf(request) === "json_schema"
        ? deepSeekRefusal("This response_format type is unavailable now")
        : undefined,
  },
  "no-json-object": {
    description: "LM Studio: refuses the response format json_object with 400, takes json_schema.",
    refuses: (request) =>
      formatOf(request) === "json_object"
        ? lmStudioRefusal("'response_format.type' must be 'json_schema' or 'text'")
        : undefined,
  },
  "json-word-needed": {
    description:
      "OpenAI's and DeepSeek's API: refuse json_object with 400 unless a message says the word json.",
    refuses: (request) =>
      formatOf(request) === "json_object" && !says(request, "json")
        ? deepSeekRefusal(
            "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
          )
        : undefined,
  },
  "no-response-format": {
    description: "OpenAI's models before gpt-4-1106: refuse response_format with 400.",
    refuses: (request) =>
      has(request, "response_format")
        ? openAIRefusal("Unrecognized request argument supplied: response_format")
        : undefined,
  },
  "no-strict": {
    description:
      "A server that takes no field it does not know: refuses strict, in tools and in json_schema, with the 422 of Mistral's API.",
    refuses: (request) => {
      const strict = strictIn(request);
      return strict && mistralRefusal(strict.place, strict.input);
    },
  },
} satisfies Record<string, Dialect>;
