import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
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
import { openModel } from "../models/open-model.js";
import { priceOf, type Prices } from "../models/usage.js";
import { processEnvironment } from "../platform.js";
import {
  type ContextSettings,
  inheritedSettings,
  type Prompts,
  type Settable,
  settingsIn,
} from "../run/context-fields.js";
import { limitsOfPart, loweredLimits, type ResolvedLimits } from "../run/limits.js";
import type { ParentRun } from "../run/scope.js";
import type { WrapToolCall } from "../tools/wrap-tool-call.js";
import { parseRunContext, type RunContextFields, runDefaults, type RunOptions } from "./options.js";

/** The settings of one run: the graph's options, overridden by the run's context. */
export type RunSettings = {
  readonly [Name in keyof typeof runDefaults]: Exclude<RunOptions[Name], undefined>;
} & Pick<
  RunOptions,
  "timeZone" | "locale" | "contextTokens" | "systemPrompt" | "history" | "redact" | "memory"
> &
  Pick<RunContextFields, "decidedBy"> & {
    readonly limits: ResolvedLimits;
    readonly wrapModelCall: readonly WrapModelCall[];
    readonly wrapToolCall: readonly WrapToolCall[];
    /** The models of a role, in order: the first, then its fallbacks. */
    readonly models: (role: ModelRole) => Promise<readonly ModelHandle[]>;
    /** The instructions that options and context set, by the name of the prompt. */
    readonly prompts: Prompts;
    /** What the context sets in place of options. */
    readonly set: ContextSettings;
  } & Pick<RunSetup, "holdsAnswer">;

/** A graph's options about its runs, with its prompts. */
export type RunSetup = RunOptions & {
  readonly prompts?: Prompts | undefined;
  /** What a run's context may set; default: what `contextFields` lists. */
  readonly settable?: Settable;
  /** An answer must pass a check or a person before anybody reads it. */
  readonly holdsAnswer?: boolean;
};

/** The same, with what a context may set. */
export type CheckedSetup = RunSetup & { readonly settable: Settable };

/** Opened models by spec or instance, kept for the life of a graph: the most recently used. */
export type ModelCache = Map<ModelOrSpec, Promise<ModelHandle>>;

/** How many opened models a graph keeps; contexts may name any number. */
const maxModels = 100;

/** What a run is called with. */
type Call = {
  readonly context: unknown;
  /** The context is that of the calling run, which passes on what it sets. */
  readonly isInherited: boolean;
  readonly parent: ParentRun | undefined;
};

/** Resolves a run's settings. Throws for a field that does not fit, with its path. */
export function resolveSettings(
  options: CheckedSetup,
  { context, isInherited, parent }: Call,
  cache: ModelCache,
): RunSettings {
  const fields = parseRunContext(context);
  const isPart = parent !== undefined;
  const set = isInherited
    ? inheritedSettings(parent?.set, options.settable)
    : settingsIn(context, options.settable);
  const resolve = isPart ? limitsOfPart : loweredLimits;
  const limits = resolve(options.limits, fields.limits);
  const environment = options.environment ?? processEnvironment();
  const { systemPrompt = options.systemPrompt } = set;
  const prompts = { ...options.prompts, ...defined(set.prompts ?? {}) };
  const chosen = {
    ...runDefaults,
    ...defined(options),
    ...defined(fields),
    systemPrompt,
    prompts,
    set,
  };
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

function givenModels({ models, model }: RunContextFields): (Models | undefined)[] {
  const byRole = defined(models ?? {});
  return [Object.keys(byRole).length === 0 ? undefined : byRole, model];
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
