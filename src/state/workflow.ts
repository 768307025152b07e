import { Annotation } from "@langchain/langgraph";

import type { JsonObject } from "../json/json.js";
import { PlanState } from "./plan.js";

/** The state of a workflow: its steps as a plan, and its input. */
export const WorkflowState = Annotation.Root({
  ...PlanState.spec,
  /** Input only: the input of a new run, by its names. Without it, the last message is read. */
  input: Annotation<JsonObject | undefined>(),
  /** The run's input as it was read, with its defaults. */
  inputs: Annotation<JsonObject | undefined>(),
});

/** The state as nodes read it. */
export type WorkflowRun = typeof WorkflowState.State;
