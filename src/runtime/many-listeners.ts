import { setMaxListeners } from "node:events";

import { isRecord } from "../plan/json.js";

/**
 * Lets any number of graphs that run at once listen to the signal of the run that they are part of: LangGraph
 * hands it down to all of them, and Node warns of a leak at the eleventh.
 */
export function allowManyListeners(configurable: Readonly<Record<string, unknown>>): void {
  const signals = configurable["__pregel_abort_signals"];
  const signal = isRecord(signals) ? signals["externalAbortSignal"] : undefined;
  if (signal instanceof AbortSignal) setMaxListeners(0, signal);
}
