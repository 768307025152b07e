import { PlangraphError } from "../errors.js";
import { limitNames, type Limits, resolveLimits } from "../run/limits.js";
import type { LimitName } from "../state/outcome.js";

/** Limits that mean something on the command line: what a model costs is not known there. */
const offered = limitNames.filter((name) => name !== "costUsd");

/** The limits that `--limit` takes, as a sentence lists them. */
export const offeredLimits = offered.join(", ");

/**
 * Reads `--limit NAME=N` flags; `none` lifts a limit, and the last one of a name counts.
 * Throws `invalid_option`, with the list of limits, for anything else.
 */
export function readLimits(flags: readonly string[]): Limits {
  const limits: { [Name in LimitName]?: number | null } = {};
  for (const flag of flags) {
    const [, given, value] = (/^([^=]*)=(.*)/s.exec(flag) ?? []).map((part) => part.trim());
    const name = offered.find((known) => known === given);
    if (given === "costUsd") throw priceless(flag);
    if (name === undefined || value === undefined) throw unusable(flag);
    limits[name] = value === "none" ? null : numberIn(value, flag);
    checked({ [name]: limits[name] }, flag);
  }
  return limits;
}

function numberIn(value: string, flag: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(value)) throw unusable(flag);
  return Number(value);
}

function checked(limits: Limits, flag: string): void {
  try {
    resolveLimits(limits);
  } catch (error) {
    throw unusable(flag, error);
  }
}

function priceless(flag: string): PlangraphError {
  return new PlangraphError(
    "invalid_option",
    `--limit ${flag}: a limit on cost needs prices, which only the library takes; limit tokens instead. The limits are ${offeredLimits}.`,
  );
}

function unusable(flag: string, cause?: unknown): PlangraphError {
  const message = `--limit ${flag}: expected NAME=N with N a number of 0 or more (whole, except for seconds) or "none". The limits are ${offeredLimits}.`;
  return new PlangraphError("invalid_option", message, { cause });
}
