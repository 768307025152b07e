import type { StructuredOutputMethodOptions } from "@langchain/core/language_models/base";
import {
  createContentParser,
  createFunctionCallingParser,
} from "@langchain/core/language_models/structured_output";
import type { BaseLLMOutputParser } from "@langchain/core/output_parsers";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { SerializableSchema } from "@langchain/core/utils/standard_schema";
import type { InteropZodType } from "@langchain/core/utils/types";

import type { ScriptedCallOptions } from "./scripted-call.js";

/** A schema for structured output: zod, any standard schema, or JSON Schema. */
export type OutputSchema<Output> =
  InteropZodType<Output> | SerializableSchema<Output> | Record<string, unknown>;

/** How structured output is asked for, and how the answer is read. */
export type StructuredRequest<Output> = {
  readonly options: Partial<ScriptedCallOptions>;
  readonly parser: BaseLLMOutputParser<Output>;
};

/** Asks as the OpenAI client does: by a forced tool call unless the method says otherwise. */
export function structuredRequest<Output extends Record<string, unknown>>(
  schema: OutputSchema<Output>,
  config: StructuredOutputMethodOptions<boolean> = {},
): StructuredRequest<Output> {
  const parameters: Record<string, unknown> = toJsonSchema(schema);
  const { title, description } = parameters;
  const name = config.name ?? (typeof title === "string" ? title : "extract");
  if (config.method === "jsonMode") {
    const options = { response_format: { type: "json_object" } };
    return { options, parser: createContentParser<Output>(schema) };
  }
  if (config.method === "jsonSchema") {
    const json_schema = { name, schema: parameters };
    const options = { response_format: { type: "json_schema", json_schema } };
    return { options, parser: createContentParser<Output>(schema) };
  }
  const options = {
    tools: [{ type: "function", function: { name, description, parameters } }],
    tool_choice: { type: "function", function: { name } },
  };
  return { options, parser: createFunctionCallingParser<Output>(schema, name) };
}
