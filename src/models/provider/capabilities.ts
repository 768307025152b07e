import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

import { isRecord } from "../../json/json.js";
import type { MissingCapability } from "../../state/capability.js";

/** The ways to call tools: by choice of the model's support, natively, or as JSON in text. */
export const protocols = ["auto", "native", "json"] as const;

/** How tools are called. */
export type Protocol = (typeof protocols)[number];

/** Clients whose `invoke` does not take `response_format`. */
const withoutResponseFormat: ReadonlySet<string> = new Set([
  "anthropic",
  "ollama",
  "googlegenerativeai",
  "vertexai",
  "chat_bedrock_converse",
]);

/** The fields of profiles about readable content. */
const inputs = [
  ["imageInputs", "no_images"],
  ["audioInputs", "no_audio"],
  ["videoInputs", "no_video"],
  ["pdfInputs", "no_files"],
] as const;

/** The capabilities that a model is known to lack, by its profile and client. */
export function knownMissing(model: BaseChatModel): Set<MissingCapability> {
  const missing = new Set<MissingCapability>();
  const profile: unknown = Reflect.get(model, "profile");
  const says = (field: string) => (isRecord(profile) ? profile[field] : undefined);
  if (model.bindTools === undefined || says("toolCalling") === false) missing.add("json_calls");
  if (model.bindTools === undefined || says("toolChoice") === false) missing.add("no_forced_tool");
  for (const [field, capability] of inputs) if (says(field) === false) missing.add(capability);
  if (says("structuredOutput") === false) missing.add("no_json_schema");
  if (withoutResponseFormat.has(model._llmType())) {
    missing.add("no_json_schema").add("no_json_mode");
  }
  return missing;
}
