import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

import { isRecord } from "../../plan/json.js";

/** How tools are called: by the provider's own means, as JSON in text, or whichever the model takes. */
export type Protocol = "native" | "json" | "auto";

/** Something that a model, or the server before it, does not take. Known beforehand, or learned from a refusal. */
export type Quirk =
  /** Takes no tools, or writes its calls as text: they are asked for as JSON. */
  | "json_calls"
  | "no_json_schema"
  /** Takes a JSON schema, but not `strict`. */
  | "no_strict"
  | "no_forced_tool"
  | "no_json_mode"
  | "no_system"
  /** Wants user and assistant to take turns. */
  | "alternating"
  /** Takes one tool call in a message only. */
  | "single_calls"
  | "no_stop"
  | "no_stream_usage";

/** Clients whose `invoke` knows no `response_format`. */
const withoutResponseFormat: ReadonlySet<string> = new Set([
  "anthropic",
  "ollama",
  "googlegenerativeai",
  "vertexai",
  "chat_bedrock_converse",
]);

/** What is known of a model before it is asked: by its profile and by its client. */
export function knownQuirks(model: BaseChatModel): Set<Quirk> {
  const quirks = new Set<Quirk>();
  const profile: unknown = Reflect.get(model, "profile");
  const says = (field: string) => (isRecord(profile) ? profile[field] : undefined);
  if (model.bindTools === undefined || says("toolCalling") === false) quirks.add("json_calls");
  if (model.bindTools === undefined || says("toolChoice") === false) quirks.add("no_forced_tool");
  if (says("structuredOutput") === false) quirks.add("no_json_schema");
  if (withoutResponseFormat.has(model._llmType())) {
    quirks.add("no_json_schema").add("no_json_mode");
  }
  return quirks;
}
