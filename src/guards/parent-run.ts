import { isRecord } from "../plan/json.js";
import { Ledger } from "./ledger.js";

/** What a run hands to a graph that works for it: where usage is booked, and whether the call may pause. */
export type ParentRun = {
  readonly ledger: Ledger;
  /** The call runs inside a task of a run with a checkpointer, where nothing may pause. */
  readonly inTask: boolean;
};

const parentKey = "__plangraph_parent";

/** The part of a LangChain config that travels to everything called below. */
type Configured = { readonly configurable?: Record<string, unknown> };

/** A copy of `config` that makes graphs called with it sub-runs of `parent`. */
export function withParentRun<C extends Configured>(config: C, parent: ParentRun): C {
  return {
    ...config,
    configurable: { ...config.configurable, [parentKey]: parent },
  };
}

/** The run that a graph is called by, if any. */
export function parentRunOf(config: Configured | undefined): ParentRun | undefined {
  const parent: unknown = config?.configurable?.[parentKey];
  return isParentRun(parent) ? parent : undefined;
}

function isParentRun(value: unknown): value is ParentRun {
  return isRecord(value) && value["ledger"] instanceof Ledger;
}
