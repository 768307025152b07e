// What the graphs of this package are made of, for graphs of one's own: docs/own-graphs.md shows how.
export { compileGraph, type CompileOptions, type GraphOf } from "../runtime/compile-graph.js";
export { contextSchema, type RunOptions } from "../runtime/options.js";
export { enterRun, type Run } from "../runtime/enter-run.js";
export {
  answeredEnd,
  finalEnd,
  replyWrites,
  type ReplyWrites,
  unansweredEnd,
} from "../runtime/reply-writes.js";
export type { Instructions } from "../runtime/instructions.js";
export { lastQuestion } from "../runtime/messages.js";
export { type Conversation, ConversationState, type Writes } from "../state/conversation.js";
export { noPlan, type Planning, PlanState } from "../state/plan.js";
export { failedOutcome } from "../state/outcome.js";
export { addUsage } from "../state/usage.js";
export type { ModelReply } from "../models/model-request.js";
export type { StructuredReply } from "../models/structured-output.js";
export { createToolbox, effectsOf, type Toolbox } from "../tools/toolbox.js";
export { createAgent } from "../nodes/agent.js";
export { createExecutor } from "../nodes/executor.js";
export { createFinalizer } from "../nodes/finalizer.js";
export { createIntake } from "../nodes/intake.js";
export { createJoiner } from "../nodes/joiner.js";
export { createPlanner, createTaskPlanner } from "../nodes/planner.js";
export { createReplanner } from "../nodes/replanner.js";
export { createReviewer } from "../nodes/reviewer.js";
export { createStepReviewer } from "../nodes/step-reviewer.js";
export { createScheduler } from "../nodes/scheduler.js";
export { createSolver } from "../nodes/solver.js";
export { createTools } from "../nodes/tools.js";
export { createWorker } from "../nodes/worker.js";
export { agentInstructions } from "../roles/agent.js";
export { defaultPlannerInstructions } from "../roles/planner.js";
export { defaultSolverInstructions } from "../roles/solver.js";
export { defaultJoinerInstructions } from "../roles/joiner.js";
export { defaultReplannerInstructions } from "../roles/replanner.js";
export { defaultTaskPlannerInstructions } from "../roles/task-planner.js";
export { graphParts } from "../graphs/graph-options.js";
export { HookedGraph } from "../graphs/hooked-graph.js";
export { afterAgent, afterTools, beforeAgent, isPlanDone } from "../graphs/routes.js";
export { outputOf } from "./output-of.js";
