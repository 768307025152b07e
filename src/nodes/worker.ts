import type { Command, GraphNode } from "@langchain/langgraph";

import { toolStepsOf } from "../plan/step.js";
import { enterRun } from "../runtime/enter-run.js";
import { planContext } from "../runtime/plan/context.js";
import { closePlan, type PlanWrites, runPlanBatch } from "../runtime/plan/run-plan.js";
import { withCommands } from "../runtime/turn-writes.js";
import type { PlanState } from "../state/plan.js";
import type { Toolbox } from "../tools/toolbox.js";

type WorkerOptions = {
  readonly toolbox: Toolbox;
  /** Whether the steps of the plan are shown in the conversation; default false. */
  readonly showsSteps?: boolean;
  /** Whether more steps are asked for where the results leave something open; default false. */
  readonly mayGrow?: boolean;
};

/** Executes a plan: runs its steps, in parallel unless one needs another. */
export function createWorker({
  toolbox,
  showsSteps,
  mayGrow,
}: WorkerOptions): GraphNode<typeof PlanState> {
  return async function worker(state, config): Promise<PlanWrites | Command> {
    const run = enterRun(state, config, "worker");
    const context = { ...planContext(run.allowed(toolbox), state, run), showsSteps, mayGrow };
    const steps = toolStepsOf(state.steps);
    const batch = await runPlanBatch(steps, state, context);
    return withCommands(closePlan(batch, steps, state, context), batch, run);
  };
}
