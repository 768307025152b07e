import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { getEnvironmentVariable } from "@langchain/core/utils/env";

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

/** The fields of profiles, with the capability that a model lacks where they say no. */
const fields = [
  ["toolCalling", "json_calls"],
  ["toolChoice", "no_forced_tool"],
  ["structuredOutput", "no_json_schema"],
  ["imageInputs", "no_images"],
  ["audioInputs", "no_audio"],
  ["videoInputs", "no_video"],
  ["pdfInputs", "no_files"],
] as const;

/** The capabilities that a model is known to lack, by its profile and client. */
export function knownMissing(model: BaseChatModel): Set<MissingCapability> {
  const missing = new Set<MissingCapability>();
  const says = profileOf(model);
  for (const [field, capability] of fields) if (says(field) === false) missing.add(capability);
  if (model.bindTools === undefined) missing.add("json_calls").add("no_forced_tool");
  if (withoutResponseFormat.has(model._llmType())) {
    missing.add("no_json_schema").add("no_json_mode");
  }
  return missing;
}

function profileOf(model: BaseChatModel): (field: string) => unknown {
  const profile: unknown = Reflect.get(model, "profile");
  return (field) => (isRecord(profile) ? profile[field] : undefined);
}

/**
 * Whether a model takes a JSON schema for its answer beside tools: OpenAI's own do. Other servers with their interface,
 * such as llama.cpp, hold every reply to the schema, so that the model never calls a tool and makes up its answer; some
 * call their models by OpenAI's names.
 */
export function takesAnswerForm(model: BaseChatModel): boolean {
  return profileOf(model)("structuredOutput") === true && isOfOpenAi(model);
}

/** How many tools one request to a model's server may have; undefined where no limit is known. */
export function toolLimit(model: BaseChatModel): number | undefined {
  return isOfOpenAi(model) ? 128 : undefined;
}

/** Whether OpenAI or Azure serve the model, and not another server with their interface. */
function isOfOpenAi(model: BaseChatModel): boolean {
  if (model._llmType() !== "openai") return false;
  const config: unknown = Reflect.get(model, "clientConfig");
  const given = isRecord(config) ? config["baseURL"] : undefined;
  const url = given ?? getEnvironmentVariable("OPENAI_BASE_URL");
  if (typeof url !== "string") return true;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return /(^|\.)openai\.(com|azure\.com)$/.test(host);
}
