import { isLocale } from "../dates/calendar.js";
import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { checkModels } from "../models/open-model.js";
import { protocols } from "../models/provider/capabilities.js";
import { checkNames, type NamesOf, shown } from "../run/check-names.js";
import { isTimeZone } from "../run/clock.js";
import { resolveLimits } from "../run/limits.js";
import type { RunOptions } from "./settings.js";

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
export function checkCheckpointer(given: unknown): void {
  if (given === undefined || given === null || typeof given === "boolean") return;
  if (typeof given === "object" && "getTuple" in given) return;
  const expected = "expected a checkpointer of LangGraph's, true or false";
  throw new PlangraphError("invalid_option", `checkpointer: ${expected}, got ${shown(given)}.`);
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
