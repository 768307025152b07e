import { isLocale } from "../dates/calendar.js";
import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { WrapModelCall } from "../models/model-hook.js";
import {
  asList,
  type Environment,
  modelFor,
  type ModelHandle,
  type ModelOrSpec,
  type ModelRole,
  type Models,
} from "../models/model.js";
import { checkModels, openModel } from "../models/open-model.js";
import { type Protocol, protocols } from "../models/provider/capabilities.js";
import { priceOf, type Prices } from "../models/usage.js";
import type { EventLevel } from "../observe/events.js";
import { processEnvironment } from "../platform.js";
import { checkNames, type NamesOf, shown } from "../run/check-names.js";
import { type Clock, isTimeZone, systemClock } from "../run/clock.js";
import { type Limits, limitsOfPart, type ResolvedLimits, resolveLimits } from "../run/limits.js";
import type { HandOffCause } from "../state/outcome.js";
import type { WrapToolCall } from "../tools/wrap-tool-call.js";
import { parseRunContext, type RunContextFields } from "./context.js";

/** What every graph can be told about how it runs. */
export type RunOptions = {
  /** One model or models by role; default: `PLANGRAPH_MODEL` and its kin. A run for which nothing names one throws `missing_model`. */
  readonly models?: Models | undefined;
  readonly limits?: Limits | undefined;
  /** At a limit: "generate" (default) asks the model once more for an answer from what is known; "force" says a fixed sentence. */
  readonly earlyStopping?: "generate" | "force" | undefined;
  /**
   * How models call tools. "native": by the provider's tool calling. "json": as one JSON object a
   * turn, for models without it. "auto" (default): native, until a server refuses tools or a model
   * writes its calls as text; from then on JSON for that model.
   */
  readonly protocol?: Protocol | undefined;
  /** Wraps every model call, as `wrapModelCall` of LangChain's middleware does; of several the first is outermost. */
  readonly wrapModelCall?: WrapModelCall | readonly (WrapModelCall | undefined)[] | undefined;
  /** IANA zone of "today"; default: the machine's. */
  readonly timeZone?: string | undefined;
  /**
   * BCP 47 tag, such as "en-GB": whether 03/04 is in April or in March, and the language of a date in words that
   * does not tell its own. Default: none, so that 03/04 is refused as it may be either.
   */
  readonly locale?: string | undefined;
  /** How many tokens the model can read; default: what its profile says, else no bound. */
  readonly contextTokens?: number | undefined;
  /** US dollars for a million tokens, by model; needed for the `costUsd` limit. */
  readonly prices?: Prices | undefined;
  /** A model call without a sign of life is given up after this many milliseconds; default 120 000. */
  readonly modelIdleMs?: number | undefined;
  /** Whether events carry message content; default "full". */
  readonly events?: EventLevel | undefined;
  /** How many tool calls or steps run at once; default 8. */
  readonly concurrency?: number | undefined;
  /** Hooks around every tool call, the first outermost; those of LangChain's agent middleware fit. */
  readonly wrapToolCall?: WrapToolCall | readonly (WrapToolCall | undefined)[] | undefined;
  /**
   * For what a person takes a run over although no tool says so. Default: all where the graph has the `hand_off` tool,
   * so that there is a person; else nothing, and such a run ends as it would.
   */
  readonly handOffOn?: readonly HandOffCause[] | undefined;
  /** Time and chance; a test hands in its own. */
  readonly clock?: Clock | undefined;
  /** Whether a decision must name its request by id, or be bound to it by interrupt or checkpoint; default false. */
  readonly requireDecisionIds?: boolean | undefined;
  /** Where model specs and keys are looked up; default `process.env`. */
  readonly environment?: Environment | undefined;
};

/** How one run goes: the graph's options with the run's context over them. */
export type RunSettings = {
  readonly limits: ResolvedLimits;
  readonly earlyStopping: "generate" | "force";
  readonly protocol: Protocol;
  readonly wrapModelCall: readonly WrapModelCall[];
  readonly timeZone: string | undefined;
  readonly locale: string | undefined;
  readonly contextTokens: number | undefined;
  readonly prices: Prices;
  readonly modelIdleMs: number;
  readonly events: EventLevel;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly handOffOn: readonly HandOffCause[];
  readonly requireDecisionIds: boolean;
  /** Who answers what the run asks, where a decision does not say so itself. */
  readonly decidedBy: string | undefined;
  readonly wrapToolCall: readonly WrapToolCall[];
  /** The models of a role: the first is asked first, the others are its fallbacks. */
  readonly models: (role: ModelRole) => Promise<readonly ModelHandle[]>;
};

/** Opened models by spec or instance, kept for the life of a graph: those used last. */
export type ModelCache = Map<ModelOrSpec, Promise<ModelHandle>>;

/** How many opened models a graph keeps; a run's context may name any. */
const maxModels = 100;

/** What a run does where neither the options nor its context say. */
export const runDefaults = {
  earlyStopping: "generate",
  protocol: "auto",
  timeZone: undefined,
  locale: undefined,
  contextTokens: undefined,
  prices: {},
  modelIdleMs: 120_000,
  events: "full",
  concurrency: 8,
  clock: systemClock,
  handOffOn: [],
  requireDecisionIds: false,
  decidedBy: undefined,
} satisfies Omit<RunSettings, "limits" | "models" | "wrapModelCall" | "wrapToolCall">;

/**
 * Lays a run's context over the graph's options. A run that works for another one (`isPart`) keeps within the
 * limits that its graph sets. Throws for what does not fit, naming its path.
 */
export function resolveSettings(
  options: RunOptions,
  context: unknown,
  cache: ModelCache,
  isPart: boolean,
): RunSettings {
  const fields = parseRunContext(context);
  const resolve = isPart ? limitsOfPart : resolveLimits;
  const limits = resolve(options.limits, fields.limits);
  const environment = options.environment ?? processEnvironment();
  const chosen = { ...runDefaults, ...given(options), ...given(fields) };
  const models = async (role: ModelRole) => {
    const like = modelFor(role, [...givenModels(fields), options.models], environment);
    const handles = await Promise.all(asList(like).map((one) => opened(one, environment, cache)));
    if (limits.costUsd !== null) checkPrices(handles, chosen.prices);
    return handles;
  };
  const wrapModelCall = [options.wrapModelCall].flat().filter((hook) => hook !== undefined);
  const wrapToolCall = [options.wrapToolCall].flat().filter((hook) => hook !== undefined);
  return { ...chosen, limits, models, wrapModelCall, wrapToolCall };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are set; `undefined` means not set. */
function given<T extends object>(fields: T): Given<T>;
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function givenModels({ models, model }: RunContextFields): (Models | undefined)[] {
  const byRole = Object.entries(models ?? {}).filter(([, spec]) => spec !== undefined);
  return [byRole.length === 0 ? undefined : Object.fromEntries(byRole), model];
}

function opened(
  like: ModelOrSpec,
  environment: Environment,
  cache: ModelCache,
): Promise<ModelHandle> {
  const handle = cache.get(like) ?? openModel(like, environment);
  cache.delete(like);
  cache.set(like, handle);
  const [oldest] = cache.keys();
  if (cache.size > maxModels && oldest !== undefined) cache.delete(oldest);
  handle.catch(() => cache.delete(like));
  return handle;
}

function checkPrices(handles: readonly ModelHandle[], prices: Prices): void {
  const unpriced = handles.find(({ name }) => priceOf(name, prices) === undefined);
  if (unpriced === undefined) return;
  throw new PlangraphError(
    "invalid_option",
    `limits.costUsd needs the price of "${unpriced.name}": give prices: { "${unpriced.name}": { input, output } } in US dollars for a million tokens.`,
  );
}

/** The names of the options that every graph has. */
export const runOptionNames: NamesOf<RunOptions> = {
  models: true,
  limits: true,
  earlyStopping: true,
  protocol: true,
  wrapModelCall: true,
  timeZone: true,
  locale: true,
  contextTokens: true,
  prices: true,
  modelIdleMs: true,
  events: true,
  concurrency: true,
  wrapToolCall: true,
  handOffOn: true,
  clock: true,
  requireDecisionIds: true,
  environment: true,
};

/** Finds at build time what no run could work with. Throws a `PlangraphError` that names the option. */
export function checkOptions(options: RunOptions): void {
  const { models, limits, timeZone, locale, concurrency, contextTokens, modelIdleMs } = options;
  checkHooks("wrapModelCall", options.wrapModelCall);
  checkHooks("wrapToolCall", options.wrapToolCall);
  checkChoice("protocol", protocols, options.protocol);
  checkChoice("earlyStopping", ["generate", "force"], options.earlyStopping);
  checkChoice("events", ["full", "metadata"], options.events);
  // Null comes from JSON, and from programs without types.
  if (models !== undefined && models !== null) checkModels(models);
  resolveLimits(limits);
  if (timeZone !== undefined) checkTimeZone(timeZone);
  if (locale !== undefined) checkLocale(locale);
  for (const [model, price] of Object.entries(options.prices ?? {})) checkPrice(model, price);
  for (const [name, value] of Object.entries({ concurrency, contextTokens, modelIdleMs })) {
    checkAmount(name, value);
  }
}

function checkAmount(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "number" && value >= 1)) return;
  throw new PlangraphError("invalid_option", `${name} must be 1 or more; it is ${shown(value)}.`);
}

/** A price that is no number would make no cost, and a limit on cost none. */
function checkPrice(model: string, price: unknown): void {
  const where = `prices["${model}"]`;
  checkNames(where, price, { input: true, output: true });
  for (const name of ["input", "output"]) {
    const value: unknown = isRecord(price) ? price[name] : undefined;
    if (typeof value === "number" && value >= 0) continue;
    const message = `${where}.${name}: expected US dollars for a million tokens, got ${shown(value)}.`;
    throw new PlangraphError("invalid_option", message);
  }
}

function checkTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return;
  const message = `timeZone: expected an IANA zone such as "Europe/Berlin", got "${timeZone}".`;
  throw new PlangraphError("invalid_option", message);
}

function checkLocale(locale: string): void {
  if (isLocale(locale)) return;
  const message = `locale: expected a BCP 47 tag such as "en-GB", got "${locale}".`;
  throw new PlangraphError("invalid_option", message);
}

function checkHooks(option: "wrapModelCall" | "wrapToolCall", hooks: unknown): void {
  const wrong = [hooks].flat().find((hook) => hook !== undefined && typeof hook !== "function");
  if (wrong === undefined) return;
  const message = `${option}: expected a function or a list of functions, such as the ${option} of LangChain's middleware, got ${typeof wrong}.`;
  throw new PlangraphError("invalid_option", message);
}

/** Throws `invalid_option` for what no run could be kept in, such as a checkpointer that was not awaited. */
export function checkCheckpointer(checkpointer: unknown): void {
  if (checkpointer === undefined || checkpointer === null || typeof checkpointer === "boolean")
    return;
  if (typeof checkpointer === "object" && "getTuple" in checkpointer) return;
  const expected = "expected a checkpointer of LangGraph's, true or false";
  throw new PlangraphError(
    "invalid_option",
    `checkpointer: ${expected}, got ${shown(checkpointer)}.`,
  );
}

/** Throws `invalid_option` for a choice that there is not. */
export function checkChoice(
  option: string,
  choices: readonly string[],
  chosen: string | undefined,
): void {
  if (chosen === undefined || choices.includes(chosen)) return;
  const message = `${option}: expected ${choices.map((name) => `"${name}"`).join(", ")}, got "${chosen}".`;
  throw new PlangraphError("invalid_option", message);
}
