import { PlangraphError } from "../errors.js";
import { resolveLimits } from "../guards/limits.js";
import { checkModels } from "../models/check-models.js";
import type { RunOptions } from "./settings.js";
import { isTimeZone } from "./time-zone.js";

/** Finds at build time what no run could work with. Throws a `PlangraphError` that names the option. */
export function checkOptions(options: RunOptions): void {
  const { models, limits, timeZone, concurrency, contextTokens, modelIdleMs } = options;
  checkHooks(options.wrapToolCall);
  if (models !== undefined) checkModels(models);
  resolveLimits(limits);
  if (timeZone !== undefined) checkTimeZone(timeZone);
  for (const [name, value] of Object.entries({ concurrency, contextTokens, modelIdleMs })) {
    if (value !== undefined && !(value >= 1)) {
      throw new PlangraphError("invalid_option", `${name} must be 1 or more; it is ${value}.`);
    }
  }
}

function checkTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return;
  const message = `timeZone: expected an IANA zone such as "Europe/Berlin", got "${timeZone}".`;
  throw new PlangraphError("invalid_option", message);
}

function checkHooks(hooks: RunOptions["wrapToolCall"]): void {
  const wrong = [hooks].flat().find((hook) => hook !== undefined && typeof hook !== "function");
  if (wrong === undefined) return;
  const message = `wrapToolCall: expected a function or a list of functions, such as the wrapToolCall of LangChain's middleware, got ${typeof wrong}.`;
  throw new PlangraphError("invalid_option", message);
}
