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
  ["repairer", "executor"],
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
 * The model for a role: the first that says anything of `given` (a run's context before the graph's
 * options), then the environment (`PLANGRAPH_EXECUTOR_MODEL`, …, then `PLANGRAPH_MODEL`). Where only a
 * planner or only an executor is named, it serves the other's roles too, before a `PLANGRAPH_MODEL` that is
 * "offline": the offline model never replaces another one. Throws `missing_model` where nothing names one.
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
    `No model is named for the role "${role}". Expected \`models\` in the graph's options (a LangChain chat model, a spec such as "openai:gpt-5-mini", or models by role), a model in the run's context, or PLANGRAPH_MODEL in the environment; got none of these. For the offline model, which is not a neural network, say models: "offline".`,
  );
}

/** The environment with the offline model where it names no model for all: for programs that say so to who runs them. */
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

/** The models in order: the first is asked first, the others are its fallbacks. Throws for an empty list. */
export function asList(models: ModelLike): readonly ModelOrSpec[] {
  if (!isList(models)) return [models];
  if (models.length > 0) return models;
  throw new PlangraphError("invalid_model", "Expected at least one model, got an empty list.");
}

function firstOf(inheritance: readonly ModelRole[], models: Models): ModelLike | undefined {
  if (isModelLike(models)) return models;
  return inheritance.map((name) => models[name]).find((model) => model !== undefined);
}

/** Whether this is one model or list, rather than models by role. */
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

/** A model ready to be called, with what is known of it. */
export type ModelHandle = {
  /** Its spec, or the name an instance goes by. */
  readonly name: string;
  readonly model: BaseChatModel;
  /** Ours for models built from a spec; one attempt for an instance, which keeps its client's retries. */
  readonly retry: RetryPolicy;
  /** How many tokens fit, where that is known. */
  readonly contextTokens?: number;
  /** What the model, or its server, does not take: known at first, more is learned from its refusals. */
  readonly missing: Set<MissingCapability>;
};
