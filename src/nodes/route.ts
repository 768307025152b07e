import type { BaseMessage } from "@langchain/core/messages";
import type { GraphNode, LangGraphRunnableConfig } from "@langchain/langgraph";

import { defined } from "../json/json.js";
import { failedSentence, stoppedSentence } from "../prompts/endings.js";
import { parentRunOf, withParentRun } from "../run/scope.js";
import { compiledGraph } from "../runtime/compile-graph.js";
import { closeRun, type EndWrites } from "../runtime/end-run.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import type { AgentGraph, AgentResult } from "../runtime/graph-tool.js";
import { type MessagesGraph, runMessagesGraph } from "../runtime/langgraph-route.js";
import { emitInputNeeded } from "../runtime/interrupts.js";
import { messageChanges } from "../runtime/messages.js";
import type { Writes } from "../state/conversation.js";
import type { Outcome } from "../state/outcome.js";
import type { Routed, RoutingState } from "../state/routing.js";
import { noUsage, usageSince } from "../state/usage.js";

type RouteOptions = {
  /** The name of the route and of its node. */
  readonly name: string;
  readonly graph: AgentGraph | MessagesGraph;
};

/** What a route writes. */
export type RouteWrites = Writes<
  typeof RoutingState,
  | "answer"
  | "outcome"
  | "structuredResponse"
  | "observations"
  | "steps"
  | "usage"
  | "routing"
  | "decisions"
  | "run"
> & { readonly messages: BaseMessage[] };

/**
 * Answers: runs the route's graph on the conversation and takes its end as the run's. It runs in the node, not in a
 * task: with a checkpointer the route's run pauses and resumes there.
 */
export function createRoute({ name, graph }: RouteOptions): GraphNode<typeof RoutingState> {
  return isOurs(graph) ? routeOf(name, graph) : otherRoute(name, graph);
}

function isOurs(graph: AgentGraph | MessagesGraph): graph is AgentGraph {
  return compiledGraph(graph) !== undefined;
}

/** A route whose graph is not of plangraph. */
function otherRoute(name: string, graph: MessagesGraph): GraphNode<typeof RoutingState> {
  return async function route(state, config): Promise<RouteWrites> {
    const run = enterRun(state, config, name);
    const { messages, answer, outcome, structuredResponse, usage } = await runMessagesGraph(
      graph,
      state.messages,
      name,
      run,
    );
    return {
      messages: messageChanges(state.messages, messages),
      answer,
      outcome,
      structuredResponse,
      observations: [],
      steps: [],
      usage,
      routing: { asked: state.routing.asked },
      run: run.record(),
    };
  };
}

function routeOf(name: string, graph: AgentGraph): GraphNode<typeof RoutingState> {
  return async function route(state, config): Promise<RouteWrites> {
    return runRoute(name, graph, state, config);
  };
}

/** Runs a graph of plangraph as the route of a run: in the node `name`, where it pauses and resumes. */
export async function runRoute(
  name: string,
  graph: AgentGraph,
  state: Routed,
  config: LangGraphRunnableConfig,
): Promise<RouteWrites> {
  const isKept = compiledGraph(graph)?.isKept === true;
  const run = enterRun(state, config, name);
  const { waiting } = state.routing;
  if (waiting?.run !== undefined) run.budget.seedSubRun(waiting.run.id, waiting.usage);
  const asksHere = !run.mayPause || !isKept;
  const result = await graph.invoke(inputOf(state), asksHere ? asking(config) : config);
  // A run that had ended before a crash has not reported its usage.
  if (result.run !== undefined) run.budget.recordSubRun(result.run, result.usage);
  if (asksHere && !run.delegatesInterrupts) emitRequests(result, run);
  return { ...ended(result, state), run: run.record() };
}

/** The input with which the route's run begins or resumes; after a handoff, with the person's changes. */
function inputOf({ messages, decisions, routing, observations, steps }: Routed) {
  const { waiting } = routing;
  if (waiting === undefined) return { messages };
  if (decisions !== undefined) return { ...waiting, decisions };
  const plan = "steps" in waiting ? { steps } : {};
  return { ...waiting, messages, observations, ...plan, decisions: [] };
}

/** Whether the run can be resumed after its end. */
function isHeld({ status }: Outcome): boolean {
  return status === "needs_input" || status === "handed_off";
}

/** A config with which the route's run ends with its requests: a paused run would not be found again. */
function asking(config: LangGraphRunnableConfig): LangGraphRunnableConfig {
  const parent = parentRunOf(config);
  if (parent === undefined) return config;
  const call = { continues: undefined, report: () => undefined };
  return withParentRun(config, { ...parent, inTask: true, call });
}

/** Emits the requests of a route's run, which does not emit them itself. */
function emitRequests({ outcome }: AgentResult, run: Run): void {
  if (outcome?.requests === undefined) return;
  emitInputNeeded(outcome.requests, run);
}

function ended(
  result: AgentResult,
  { messages, decisions, routing }: Routed,
): Omit<RouteWrites, "run"> {
  const { outcome = { status: "answered" }, answer, structuredResponse } = result;
  const { asked, waiting } = routing;
  const { run, usage, observations = [], steps = [] } = result;
  return {
    messages: messageChanges(messages, result.messages ?? messages),
    answer,
    outcome,
    structuredResponse,
    observations,
    steps,
    usage: waiting === undefined ? usage : usageSince(usage, waiting.usage),
    routing: {
      asked,
      ...defined({ runId: run?.id }),
      ...(isHeld(outcome) ? { waiting: result } : {}),
    },
    ...(decisions === undefined ? {} : { decisions: undefined }),
  };
}

/** Ends a run with its route's answer, or with the reason if it reached no route. There is no model call. */
export function createRouteFinalizer(): GraphNode<typeof RoutingState> {
  return async function finalizer(state, config): Promise<EndWrites> {
    const run = enterRun(state, config, "finalizer");
    const { outcome = { status: "answered" }, structuredResponse } = state;
    const answer = state.answer ?? endWords(outcome, run);
    return closeRun(state, { answer, outcome, usage: noUsage, structuredResponse }, run);
  };
}

/** The answer of a run that reached no answer of a route. */
export function endWords({ status, limit, reason = "" }: Outcome, run: Run): string {
  if (limit !== undefined) {
    run.emit({ type: "limit_reached", limit });
    return stoppedSentence(limit);
  }
  return status === "failed" ? failedSentence(reason) : reason;
}
