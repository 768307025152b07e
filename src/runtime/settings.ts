import { PlangraphError } from "../errors.js";
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
import { systemClock } from "../run/clock.js";
import { limitsOfPart, type ResolvedLimits, resolveLimits } from "../run/limits.js";
import type { WrapToolCall } from "../tools/wrap-tool-call.js";
import { parseRunContext, type RunContextFields, type RunOptions } from "./options.js";

/** What a run does where neither the options nor its context say. */
export const runDefaults = {
  earlyStopping: "generate",
  protocol: "auto",
  prices: {},
  modelIdleMs: 120_000,
  events: "full",
  concurrency: 8,
  clock: systemClock,
  handOffOn: [],
  requireDecisionIds: false,
} satisfies RunOptions;

/** How one run goes: the graph's options with the run's context over them. */
export type RunSettings = {
  readonly [Name in keyof typeof runDefaults]: Exclude<RunOptions[Name], undefined>;
} & Pick<RunOptions, "timeZone" | "locale" | "contextTokens"> &
  Pick<RunContextFields, "decidedBy"> & {
    readonly limits: ResolvedLimits;
    readonly wrapModelCall: readonly WrapModelCall[];
    readonly wrapToolCall: readonly WrapToolCall[];
    /** The models of a role: the first is asked first, the others are its fallbacks. */
    readonly models: (role: ModelRole) => Promise<readonly ModelHandle[]>;
  };

/** Opened models by spec or instance, kept for the life of a graph: those used last. */
export type ModelCache = Map<ModelOrSpec, Promise<ModelHandle>>;

/** How many opened models a graph keeps; a run's context may name any. */
const maxModels = 100;

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
