import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

import { optionalPackage, PlangraphError } from "../errors.js";
import { defined, isRecord } from "../json/json.js";
import { errorLine, keepSecret, keepSecrets } from "../observe/redact.js";
import { hintAt, shown } from "../run/check-names.js";
import {
  type Environment,
  isChatModel,
  isModelLike,
  type ModelHandle,
  type ModelOrSpec,
  modelRoles,
  type Models,
} from "./model.js";
import { oncePerObject } from "./once-per-object.js";
import { knownMissing } from "./provider/capabilities.js";

/** Retries of models that plangraph builds itself: two, after half a second and a second. */
const specRetry = { attempts: 3, baseMs: 500 };
const noRetry = { attempts: 1, baseMs: 0 };

const specForms =
  '"openai:NAME", "ollama:NAME", "PROVIDER:NAME" (any provider of LangChain) or "offline"';

/**
 * Makes a model ready to be called. Throws `invalid_model` for anything but a chat model or a spec, `missing_key` and
 * `missing_package` for a spec without its key or package.
 */
export async function openModel(like: ModelOrSpec, environment: Environment): Promise<ModelHandle> {
  if (typeof like !== "string") {
    const handle = instanceHandle(like);
    keepSecrets(environment, like);
    return handle;
  }
  const [provider, name] = splitSpec(like);
  const model = await builtModel(provider, name, environment);
  keepSecrets(environment, model);
  const missing = knownMissing(model);
  return { name: like, model, provider, retry: specRetry, missing, ...contextOf(model) };
}

/** Splits a spec into provider and name. Throws `invalid_model` with the known forms. */
export function splitSpec(spec: string): readonly [provider: string, name: string] {
  const [, provider, name] = /^([a-z][\w-]*):(\S(?:.*\S)?)$/i.exec(spec.trim()) ?? [];
  if (spec.trim() === "offline") return ["offline", ""];
  if (provider === undefined || name === undefined) {
    throw new PlangraphError("invalid_model", `"${spec}" is no model spec. Expected ${specForms}.`);
  }
  return [provider.toLowerCase(), name];
}

/** A chat model instance, ready to be called. Throws `invalid_model` for anything else. */
export function instanceHandle(model: BaseChatModel): ModelHandle {
  if (isChatModel(model)) return handleOf(model);
  throw new PlangraphError(
    "invalid_model",
    `Expected a LangChain chat model or a spec (${specForms}), got ${typeof model}.`,
  );
}

/** One handle for each instance: a capability learned in one place holds wherever the instance is used. */
const handleOf = oncePerObject((model: BaseChatModel): ModelHandle => {
  const named: unknown = Reflect.get(model, "model") ?? Reflect.get(model, "modelName");
  const name = typeof named === "string" ? named : model._llmType();
  keepKey(model);
  const known = { ...providerOf(model), ...contextOf(model) };
  return { name, model, retry: noRetry, missing: knownMissing(model), ...known };
});

/** Registers the key of a model instance as a secret, where LangChain's clients keep it. */
function keepKey(model: BaseChatModel): void {
  const key: unknown = Reflect.get(model, "apiKey");
  if (typeof key === "string") keepSecret(key, model);
}

/** The provider of an instance, by the name that LangSmith shows. */
function providerOf(model: BaseChatModel): Pick<ModelHandle, "provider"> {
  try {
    const { ls_provider: provider } = model.getLsParams({});
    return defined({ provider });
  } catch {
    return {};
  }
}

function contextOf(model: BaseChatModel): Pick<ModelHandle, "contextTokens"> {
  const profile: unknown = Reflect.get(model, "profile");
  const tokens = isRecord(profile) ? profile["maxInputTokens"] : undefined;
  return typeof tokens === "number" ? { contextTokens: tokens } : {};
}

function builtModel(
  provider: string,
  name: string,
  environment: Environment,
): Promise<BaseChatModel> {
  if (provider === "offline") return openOffline();
  if (provider === "openai") return openOpenAI(name, environment);
  if (provider === "ollama") return openOllama(name, environment);
  return openProvider(provider, name);
}

async function openOffline(): Promise<BaseChatModel> {
  const { OfflineChatModel } = await import("./offline/offline-chat-model.js");
  return new OfflineChatModel({});
}

async function openOpenAI(name: string, environment: Environment): Promise<BaseChatModel> {
  const apiKey = environment["OPENAI_API_KEY"];
  if (apiKey === undefined || apiKey === "") {
    throw new PlangraphError(
      "missing_key",
      `The model "openai:${name}" needs a key: set OPENAI_API_KEY (any text for a local server that OPENAI_BASE_URL names).`,
    );
  }
  const model = await openCompatible(name, apiKey, environment["OPENAI_BASE_URL"]);
  keepSecret(apiKey, model);
  return model;
}

function openOllama(name: string, environment: Environment): Promise<BaseChatModel> {
  const baseURL = environment["OLLAMA_BASE_URL"];
  const isSet = baseURL !== undefined && baseURL !== "";
  return openCompatible(name, "ollama", isSet ? baseURL : "http://127.0.0.1:11434/v1");
}

async function openCompatible(
  model: string,
  apiKey: string,
  baseURL: string | undefined,
): Promise<BaseChatModel> {
  const { ChatOpenAI } = await import("@langchain/openai");
  const configuration = baseURL === undefined || baseURL === "" ? {} : { baseURL };
  return new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration });
}

async function openProvider(provider: string, name: string): Promise<BaseChatModel> {
  const { initChatModel } = await optionalPackage(
    () => import("langchain/chat_models/universal"),
    `A "${provider}:" model needs the package "langchain": npm install langchain.`,
  );
  try {
    const model: unknown = await initChatModel(name, {
      modelProvider: provider,
      maxRetries: 0,
    });
    // `initChatModel` wraps the model to make it configurable; the inner model is the one that runs.
    const inner: unknown = isRecord(model) ? await innerModel(model) : undefined;
    if (isChatModel(inner)) return inner;
    throw new Error("LangChain gave no chat model for it");
  } catch (error) {
    throw unusable(provider, name, error);
  }
}

async function innerModel(model: Record<string, unknown>): Promise<unknown> {
  const inner: unknown = model["_getModelInstance"];
  return typeof inner === "function" ? await inner.call(model) : model;
}

function unusable(provider: string, name: string, error: unknown): PlangraphError {
  const reason = errorLine(error);
  const spec = `"${provider}:${name}"`;
  if (/api[- ]?key|credential/i.test(reason)) {
    return new PlangraphError("missing_key", `The model ${spec} needs a key: ${reason}`, {
      cause: error,
    });
  }
  const missing = /(@langchain\/[\w-]+)/.exec(reason)?.[1];
  if (missing !== undefined && !/supported providers/i.test(reason)) {
    return new PlangraphError(
      "missing_package",
      `The model ${spec} needs the package "${missing}": npm install ${missing}.`,
      { cause: error },
    );
  }
  return new PlangraphError("invalid_model", `The model ${spec} cannot be used: ${reason}`, {
    cause: error,
  });
}

/**
 * Checks models without opening them. Throws `invalid_model` for a value that is not a model, a spec, a list of these
 * or models by role, for an unknown role and a bad spec.
 */
export function checkModels(models: Models): void {
  if (isModelLike(models)) return checkModel(models, "models");
  if (!isRecord(models) || "invoke" in models || "modelId" in models) {
    throw wrong(
      `models: expected a LangChain chat model, a spec, a list of these, or models by role; got ${described(models)}.`,
    );
  }
  const roles: readonly string[] = modelRoles;
  for (const [role, model] of Object.entries(models)) {
    if (!roles.includes(role)) {
      const known = modelRoles.join(", ");
      throw wrong(`models.${role} is no role.${hintAt(role, modelRoles)} The roles are ${known}.`);
    }
    if (model !== undefined) checkModel(model, `models.${role}`);
  }
}

/** Checks the model of one role, or a list of them, without opening it. Throws `invalid_model` with the place. */
export function checkModel(model: unknown, where: string): void {
  const models: readonly unknown[] = Array.isArray(model) ? model : [model];
  if (models.length === 0) throw wrong(`${where}: expected at least one model, got an empty list.`);
  checkEach(models, where);
}

/** Checks the models of one role; programs without types pass anything. */
function checkEach(models: readonly unknown[], where: string): void {
  for (const one of models) {
    if (typeof one === "string") splitSpec(one);
    else if (!isChatModel(one)) {
      const expected = "expected a LangChain chat model, a spec or a list of these";
      throw wrong(`${where}: ${expected}; got ${described(one)}.`);
    }
  }
}

function described(models: unknown): string {
  if (!isRecord(models)) return shown(models);
  if ("modelId" in models) {
    return `a model of the AI SDK (${String(models["modelId"])}): LangChain's package for its provider has one that fits`;
  }
  if (!("invoke" in models)) return shown(models);
  return `a ${models.constructor.name} (a model with tools bound to it cannot be used: give the model itself)`;
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_model", message);
}
