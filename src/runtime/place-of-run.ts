import { GraphInterrupt } from "@langchain/langgraph";

import type { ParentRun } from "../guards/parent-run.js";

/**
 * Thrown where a sub-run may not pause; the call is then made where it may. It is an interrupt that
 * asks nothing: LangChain's agents let no other error of a tool pass.
 */
class RunsAlone extends GraphInterrupt {
  override message =
    "This graph may pause, so its call is made again by itself: let this error pass.";
}

/** Where a run is, as far as pausing goes. */
export type PlaceOfRun = {
  /** Inside a task, where nothing may pause. */
  readonly inTask: boolean;
  /** What it asks goes to the call that it is the tool of. */
  readonly asksCaller: boolean;
};

/**
 * Finds whether a run may pause by itself: not inside a call of a run with a checkpointer, and a run that
 * is the tool of a call hands on what it asks. Throws LangGraph's control flow where it can do neither.
 */
export function placeOfRun(parent: ParentRun | undefined, isKept: boolean): PlaceOfRun {
  const inTask = isKept && parent?.inTask === true;
  const asksCaller = parent?.call !== undefined && (inTask || !isKept);
  if (inTask && !asksCaller) throw new RunsAlone();
  return { inTask, asksCaller };
}
