import { isRecord } from "../json/json.js";
import type { Observer } from "./observer.js";

const key = "__plangraph_observers";

/** A copy of the config of a run which these observers see, besides those of its graph. */
export function withObservers<C extends { readonly configurable?: Record<string, unknown> }>(
  config: C,
  observers: readonly Observer[],
): C {
  return { ...config, configurable: { ...config.configurable, [key]: observers } };
}

/** The observers that the caller of a run has added. What a client of a server writes there is none. */
export function observersIn(configurable: Readonly<Record<string, unknown>>): readonly Observer[] {
  const given = configurable[key];
  return Array.isArray(given) ? given.filter(isObserver) : [];
}

/** Whether a value can see runs. */
export function isObserver(value: unknown): value is Observer {
  if (!isRecord(value)) return false;
  const hooks = [value["onEvent"], value["around"]].filter((hook) => hook !== undefined);
  return hooks.length > 0 && hooks.every((hook) => typeof hook === "function");
}
