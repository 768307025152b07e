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
import { limitsOfPart, loweredLimits, type ResolvedLimits } from "../run/limits.js";
import type { WrapToolCall } from "../tools/wrap-tool-call.js";
import { parseRunContext, type RunContextFields, runDefaults, type RunOptions } from "./options.js";

/** The settings of one run: the graph's options, overridden by the run's context. */
export type RunSettings = {
  readonly [Name in keyof typeof runDefaults]: Exclude<RunOptions[Name], undefined>;
} & Pick<RunOptions, "timeZone" | "locale" | "contextTokens" | "systemPrompt"> &
  Pick<RunContextFields, "decidedBy"> & {
    readonly limits: ResolvedLimits;
    readonly wrapModelCall: readonly WrapModelCall[];
    readonly wrapToolCall: readonly WrapToolCall[];
    /** The models of a role, in order: the first, then its fallbacks. */
    readonly models: (role: ModelRole) => Promise<readonly ModelHandle[]>;
  };

/** Opened models by spec or instance, kept for the life of a graph: the most recently used. */
export type ModelCache = Map<ModelOrSpec, Promise<ModelHandle>>;

/** How many opened models a graph keeps; contexts may name any number. */
const maxModels = 100;

/**
 * Resolves a run's settings. A sub-run (`isPart`) stays within the limits of its graph. Throws for a field that does
 * not fit, with its path.
 */
export function resolveSettings(
  options: RunOptions,
  context: unknown,
  cache: ModelCache,
  isPart: boolean,
): RunSettings {
  const fields = parseRunContext(context);
  const resolve = isPart ? limitsOfPart : loweredLimits;
  const limits = resolve(options.limits, fields.limits);
  const environment = options.environment ?? processEnvironment();
  const chosen = { ...runDefaults, ...defined(options), ...defined(fields) };
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
