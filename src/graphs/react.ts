import { END, START, type StateDefinitionInit, StateGraph } from "@langchain/langgraph";

import type { ResponseFormat } from "../models/response-format.js";
import { createAgent } from "../nodes/agent.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createTools } from "../nodes/tools.js";
import type { AgentExample } from "../roles/examples.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { isOn } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { ConversationState } from "../state/conversation.js";
import { agentDefault, type GraphOptions, graphParts } from "./graph-options.js";
import { HookedGraph } from "./hooked-graph.js";
import { afterAgent, afterTools, beforeAgent } from "./routes.js";

/** Options of a ReAct graph. Every field is optional. */
export type ReactOptions<
  State = StateDefinitionInit,
  Response = ResponseFormat,
  Context extends OwnContext = OwnContext,
> = GraphOptions<State, Response, Context> & {
  readonly prompts?: {
    /** The agent's instructions, instead of the default; a date line is appended. */
    readonly agent?: string;
  };
  /**
   * Whether the agent must call a tool before it answers a question; default false. For agents whose facts come only
   * from tools: small models else answer from memory. A greeting is no exception. Where no tool can change anything, the
   * agent is also told, once each, what its calls seem to leave open of the question.
   */
  readonly callFirst?: boolean;
  readonly examples?: {
    /** How the agent answers, shown to it as the turns of an earlier conversation. */
    readonly agent?: readonly AgentExample[] | undefined;
  };
};

/** This model is required before the first model call. */
const roles = ["executor"] as const;

/** What the graph is made of, beside its nodes. */
const parts = {
  name: "react",
  where: "createReactGraph",
  base: ConversationState,
  calls: "turns",
  options: { callFirst: true },
  prompts: { agent: agentDefault },
  examples: { agent: "agent" },
  roles,
} as const;

/** A compiled ReAct graph. */
export type ReactGraph<State = unknown, Response = unknown, Context = unknown> = GraphOf<
  (typeof ConversationState)["spec"],
  State,
  Response,
  Context
>;

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
export function createReactGraph<
  State extends StateDefinitionInit,
  Response extends ResponseFormat,
  Context extends OwnContext,
>(options?: ReactOptions<State, Response, Context>): ReactGraph<State, Response, Context>;
export function createReactGraph(options: ReactOptions = {}): ReactGraph {
  const { toolbox, provided, output, state, context, hooks, prompt, compile } = graphParts(
    options,
    parts,
  );
  const call = isOn("callFirst", options.callFirst) ? "required" : undefined;
  const instructions = prompt("agent");
  const { graph } = new HookedGraph(
    new StateGraph(state, context).addNode({
      intake: createIntake({ roles, tools: toolbox }),
      agent: createAgent({
        toolbox,
        provided,
        instructions,
        examples: options.examples?.agent,
        output,
        callFirst: () => call,
      }),
      tools: createTools({ toolbox }),
      finalizer: createFinalizer({ instructions, output }),
    }),
    hooks,
    ["agent"],
  )
    .addEdge(START, "intake")
    .addConditionalEdges("intake", beforeAgent, ["agent", "tools"])
    .addConditionalEdges("agent", afterAgent, ["tools", "finalizer"])
    .addConditionalEdges("tools", afterTools, ["tools", "agent", "finalizer"])
    .addEdge("finalizer", END);
  return compileGraph(graph, compile);
}
