import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import type { NamedSchema } from "../models/provider/output-mode.js";
import { toolStepsOf } from "../plan/step.js";
import { agentPrompt } from "../roles/agent.js";
import { solverPrompt } from "../roles/solver.js";
import { enterRun } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { shownMedia } from "../runtime/messages.js";
import { type ReplyWrites, replyWrites } from "../runtime/reply-writes.js";
import type { PlanState } from "../state/plan.js";

type SolverOptions = {
  readonly instructions: Instructions;
  /** The form of the answer, for models that take it in the same call. */
  readonly output?: NamedSchema | undefined;
};

/** Solves: reads the plan with the results of its steps, and answers the question. */
export function createSolver({
  instructions,
  output: answerForm,
}: SolverOptions): GraphNode<typeof PlanState> {
  return async function solver(state, config): Promise<ReplyWrites> {
    const run = enterRun(state, config, "solver");
    const { messages, objective, steps, observations } = state;
    const asked = solverPrompt(objective, toolStepsOf(steps), observations);
    const reply = await run.ask("solver", {
      messages: [
        ...agentPrompt(
          heard("solver", state, run),
          textOf(instructions, state, run),
          run.dateLine(),
        ),
        ...shownMedia(observations),
      ],
      trailingMessages: [new HumanMessage(asked)],
      answerForm,
      streamToUser: true,
    });
    return replyWrites(reply, messages, run);
  };
}
