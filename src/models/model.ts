import type { BaseChatModel } from "@langchain/core/language_models/chat_models";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { RetryPolicy } from "../run/retry.js";
import type { MissingCapability } from "../state/capability.js";

/** A chat model of LangChain's, or a spec such as "openai:gpt-5" or "ollama:qwen3". */
export type ModelOrSpec = BaseChatModel | string;

/** A model, a spec, or a list of these: the later ones are fallbacks. */
export type ModelLike = ModelOrSpec | readonly ModelOrSpec[];

/** The roles of models. A role without a model of its own inherits the model of the next role in its row. */
const roles = [
  ["planner"],
  ["executor"],
  ["replanner", "planner"],
  ["joiner", "planner"],
  ["solver", "executor"],
  ["router", "executor"],
  ["rewriter", "executor"],
  ["repairer", "executor"],
  ["reranker", "executor"],
] as const;

/** What models are used for. */
export type ModelRole = (typeof roles)[number][0];

/** All roles. */
export const modelRoles: readonly ModelRole[] = roles.map(([role]) => role);

/** One model for everything, or models by role. */
export type Models = ModelLike | { readonly [Role in ModelRole]?: ModelLike };

/** Environment variables as a program gets them. */
export type Environment = { readonly [name: string]: string | undefined };

/**
 * The model for a role: the first that `given` names (a run's context before the graph's options), then the environment
 * (`PLANGRAPH_EXECUTOR_MODEL`, …, then `PLANGRAPH_MODEL`). If only a planner or only an executor is named, it also
 * serves the other's roles, before a `PLANGRAPH_MODEL` that is "offline": the offline model never replaces another one.
 * Throws `missing_model` if none is named.
 */
export function modelFor(
  role: ModelRole,
  given: readonly (Models | null | undefined)[],
  environment: Environment,
): ModelLike {
  const inheritance: readonly ModelRole[] = roles.find(([name]) => name === role) ?? [role];
  const other: ModelRole = inheritance.includes("planner") ? "executor" : "planner";
  const forAll = specOf(environment, "PLANGRAPH_MODEL");
  const model =
    namedFor(inheritance, given, environment) ??
    (forAll === "offline" ? undefined : forAll) ??
    namedFor([other], given, environment) ??
    forAll;
  if (model !== undefined) return model;
  throw new PlangraphError(
    "missing_model",
    `No model is named for the role "${role}". Expected PLANGRAPH_MODEL in the environment, \`--model\` at the command line, \`model\` in the file of an agent, \`models\` in the graph's options (a LangChain chat model, a spec such as "openai:gpt-5-mini", or models by role), or a model in the run's context; got none of these. To try it without a key, name "offline", which is not a neural network.`,
  );
}

/** The environment with the offline model as default, for programs that say so to the user. */
export function withOfflineDefault(environment: Environment): Environment {
  const PLANGRAPH_MODEL = specOf(environment, "PLANGRAPH_MODEL") ?? "offline";
  return { ...environment, PLANGRAPH_MODEL };
}

function namedFor(
  inheritance: readonly ModelRole[],
  given: readonly (Models | null | undefined)[],
  environment: Environment,
): ModelLike | undefined {
  for (const models of given) {
    const model =
      models === undefined || models === null ? undefined : firstOf(inheritance, models);
    if (model !== undefined) return model;
  }
  return inheritance
    .map((name) => specOf(environment, `PLANGRAPH_${name.toUpperCase()}_MODEL`))
    .find((spec) => spec !== undefined);
}

function specOf(environment: Environment, variable: string): string | undefined {
  const spec = environment[variable]?.trim();
  return spec === "" ? undefined : spec;
}

/** The models in order: the first, then its fallbacks. Throws for an empty list. */
export function asList(models: ModelLike): readonly ModelOrSpec[] {
  if (!isList(models)) return [models];
  if (models.length > 0) return models;
  throw new PlangraphError("invalid_model", "Expected at least one model, got an empty list.");
}

function firstOf(inheritance: readonly ModelRole[], models: Models): ModelLike | undefined {
  if (isModelLike(models)) return models;
  return inheritance.map((name) => models[name]).find((model) => model !== undefined);
}

/** Whether this is one model or a list, not models by role. */
export function isModelLike(models: Models): models is ModelLike {
  return typeof models === "string" || isList(models) || isChatModel(models);
}

function isList(models: unknown): models is readonly ModelOrSpec[] {
  return Array.isArray(models);
}

/** Whether a value can be called as a chat model. */
export function isChatModel(value: unknown): value is BaseChatModel {
  return isRecord(value) && typeof value["invoke"] === "function" && "_llmType" in value;
}

/** A model ready to be called. */
export type ModelHandle = {
  /** Its spec, or the name of an instance. */
  readonly name: string;
  readonly model: BaseChatModel;
  /** Its provider, as in a spec; absent where the client does not say. */
  readonly provider?: string;
  /** Plangraph's policy for models built from a spec; one attempt for an instance, which keeps its client's retries. */
  readonly retry: RetryPolicy;
  /** How many tokens fit, if known. */
  readonly contextTokens?: number;
  /** The capabilities that the model or its server lacks; refusals add more. */
  readonly missing: Set<MissingCapability>;
};
