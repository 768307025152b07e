import { END, START, StateGraph } from "@langchain/langgraph";

import { createAgent } from "../nodes/agent.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createTools } from "../nodes/tools.js";
import { agentInstructions } from "../roles/agent.js";
import { compileGraph } from "../runtime/compile-graph.js";
import { contextSchema } from "../runtime/options.js";
import { ConversationState } from "../state/conversation.js";
import { type GraphOptions, graphParts } from "./graph-options.js";
import { afterAgent, afterTools, beforeAgent } from "./routes.js";

/** Options of a ReAct graph. Every field is optional. */
export type ReactOptions = GraphOptions & {
  readonly prompts?: {
    /** The agent's instructions, instead of the default; a date line is appended. */
    readonly agent?: string;
  };
};

/**
 * ReAct: reason, act, observe, until there is an answer.
 *
 *     START → intake → agent ⇄ tools → finalizer → END
 *
 * Takes `{ messages }` and returns `{ messages, answer, outcome, usage, observations }`. Throws a `PlangraphError`
 * immediately for options that cannot work.
 *
 * Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2023), arXiv:2210.03629.
 */
export function createReactGraph(options: ReactOptions = {}) {
  const { tools, toolbox, handOffOn, output, compile } = graphParts(options, {
    name: "react",
    where: "createReactGraph",
    options: {},
    prompts: { agent: true },
  });
  const instructions = options.prompts?.agent ?? agentInstructions(tools, handOffOn);
  return compileGraph(
    new StateGraph(ConversationState, contextSchema())
      .addNode("intake", createIntake({ roles: ["executor"], tools: toolbox }))
      .addNode("agent", createAgent({ toolbox, instructions }))
      .addNode("tools", createTools({ toolbox }))
      .addNode("finalizer", createFinalizer({ instructions, output }))
      .addEdge(START, "intake")
      .addConditionalEdges("intake", beforeAgent, ["agent", "tools"])
      .addConditionalEdges("agent", afterAgent, ["tools", "finalizer"])
      .addConditionalEdges("tools", afterTools, ["tools", "agent", "finalizer"])
      .addEdge("finalizer", END),
    compile,
  );
}
