import { HumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { callModel } from "../models/call-model.js";
import { withUniqueIds } from "../models/unique-ids.js";
import { agentPrompt } from "../prompts/agent.js";
import { dateLine } from "../prompts/date-line.js";
import { solverPrompt } from "../prompts/solver.js";
import { enterRun } from "../runtime/enter-run.js";
import { modelRequest } from "../runtime/model-request.js";
import { replyOutcome } from "../runtime/reply-outcome.js";
import type { PlanState } from "../state/plan.js";
import type { Writes } from "../state/writes.js";
import { toolStepsOf } from "./worker.js";

/** What the solver goes by. */
export type SolverOptions = { readonly instructions: string };

/** Solves: reads the plan with what came of its steps, and answers the question. */
export function createSolver({ instructions }: SolverOptions): GraphNode<typeof PlanState> {
  return async function solver(
    state,
    config,
  ): Promise<Writes<typeof PlanState, "messages" | "usage" | "run" | "outcome">> {
    const run = enterRun(state, config, "solver");
    const date = dateLine(run.clock.now(), run.settings.timeZone);
    const { messages, objective, observations } = state;
    const asked = solverPrompt(objective, toolStepsOf(state), observations);
    const reply = await callModel({
      ...(await modelRequest(run, config, "solver")),
      messages: agentPrompt(messages, instructions, date),
      postscript: [new HumanMessage(asked)],
      toUser: true,
    });
    const outcome = replyOutcome(reply);
    return {
      messages: reply.kind === "replied" ? [withUniqueIds(reply.message, messages)] : [],
      ...(outcome === undefined ? {} : { outcome }),
      usage: reply.usage,
      run: run.record(),
    };
  };
}
