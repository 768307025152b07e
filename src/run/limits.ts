import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { byLimit, type LimitName, limitNames } from "../state/limits.js";
import { hintAt, invalidOption, shown } from "./check-names.js";

/**
 * What a run may use. Absent or `undefined` takes the default, `null` removes the limit.
 *
 * | limit | unit | default |
 * | --- | --- | --- |
 * | `modelCalls` | requests to models, retries included; the final-answer call comes on top | 100 |
 * | `toolCalls` | tool calls carried out | 200 |
 * | `replans` | times a plan may be replaced | 3 |
 * | `planSteps` | steps in one plan | 50 |
 * | `seconds` | working time, the final-answer call included, people's answering time not | 600 |
 * | `tokens` | tokens in and out, looked at before each call | 1 000 000 |
 * | `costUsd` | US dollars by the graph's `prices`, looked at before each call | none |
 * | `repeatedCalls` | identical tool calls without progress: the last one is refused, one more ends the run | 3 |
 */
export type Limits = {
  readonly [Name in LimitName]?: number | null | undefined;
};

/** All limits with their values; `null` for none. */
export type ResolvedLimits = { readonly [Name in LimitName]: number | null };

/** The limits of a run that sets none. */
export const defaultLimits: ResolvedLimits = byLimit(({ unset }) => unset);

/** No limit at all. */
export const unlimited: ResolvedLimits = byLimit(() => null);

const isWhole = byLimit((row) => row.isWhole);

/**
 * Fills in the defaults; later arguments override earlier ones. Throws `invalid_option` for an unknown name, a negative
 * number or a fraction of a countable.
 */
export function resolveLimits(...given: readonly (Limits | undefined)[]): ResolvedLimits {
  const resolved: { [Name in LimitName]: number | null } = { ...defaultLimits };
  for (const limits of given) {
    if (limits !== undefined && !isRecord(limits)) {
      throw invalidOption(
        `limits: expected numbers by name, such as { seconds: 60 }, got ${shown(limits)}.`,
      );
    }
    const unknown = Object.keys(limits ?? {}).find((name) => !Object.hasOwn(defaultLimits, name));
    if (unknown !== undefined) {
      throw invalidOption(
        `Unknown limit "${unknown}".${hintAt(unknown, limitNames)} The limits are ${limitNames.join(", ")}.`,
      );
    }
    for (const name of limitNames) {
      const value = limits?.[name];
      if (value !== undefined) resolved[name] = checked(name, value);
    }
  }
  return resolved;
}

/**
 * The limits of a run: those of its graph, which the context may lower. Throws `invalid_context` for a limit that the
 * context raises or removes, because a client of a server sets the context.
 */
export function loweredLimits(own: Limits = {}, context: Limits = {}): ResolvedLimits {
  const most = resolveLimits(own);
  const wanted = resolveLimits(own, context);
  const raised = limitNames.find((name) => (wanted[name] ?? Infinity) > (most[name] ?? Infinity));
  if (raised === undefined) return wanted;
  const message = `context.limits.${raised}: ${shown(wanted[raised])} is more than the graph's ${shown(most[raised])}. A context may only lower limits; raise them in the graph's options.`;
  throw new PlangraphError("invalid_context", message);
}

/**
 * The limits of a sub-run: the limits of its graph are its share, which the context may lower but not raise. For other
 * limits the context decides.
 */
export function limitsOfPart(own: Limits = {}, context: Limits = {}): ResolvedLimits {
  const resolved: { [Name in LimitName]: number | null } = resolveLimits(own, context);
  const share = resolveLimits(own);
  for (const name of limitNames) {
    if (own[name] !== undefined) resolved[name] = smaller(share[name], resolved[name]);
  }
  return resolved;
}

function smaller(left: number | null, right: number | null): number | null {
  const least = Math.min(left ?? Infinity, right ?? Infinity);
  return Number.isFinite(least) ? least : null;
}

function checked(name: LimitName, value: number | null): number | null {
  if (value === null) return value;
  const fits = Number.isFinite(value) && value >= 0 && (!isWhole[name] || Number.isInteger(value));
  if (fits) return value;
  const expected = isWhole[name] ? "a whole number of 0 or more" : "a number of 0 or more";
  throw invalidOption(
    `limits.${name} must be ${expected}, or null for no limit; it is ${shown(value)}.`,
  );
}
