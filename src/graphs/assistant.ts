import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  type BaseStore,
  END,
  START,
  StateGraph,
} from "@langchain/langgraph";

import type { Card } from "../cards/card.js";
import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { ModelRole } from "../models/model.js";
import { createActingAgent } from "../nodes/acting-agent.js";
import { createAnswerer } from "../nodes/answerer.js";
import { createAssistantFinalizer } from "../nodes/assistant-finalizer.js";
import { createCardTeller } from "../nodes/card-teller.js";
import { createIntake } from "../nodes/intake.js";
import { createRememberer } from "../nodes/rememberer.js";
import { createRetriever } from "../nodes/retriever.js";
import { createRewriter } from "../nodes/rewriter.js";
import { createRouter } from "../nodes/router.js";
import { createVerifier } from "../nodes/verifier.js";
import { courtesyReply } from "../prompts/courtesy.js";
import { defaultAnswererInstructions } from "../roles/answerer.js";
import { defaultRewriterInstructions } from "../roles/rewriter.js";
import { defaultRouterInstructions } from "../roles/router.js";
import { invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { type Settable, settableIn } from "../run/context-fields.js";
import type { Check } from "../runtime/checks.js";
import { compiledGraph, compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import type { AgentGraph } from "../runtime/graph-tool.js";
import { type FactsOption, factsProvider } from "../runtime/facts.js";
import { handOffCausesFor } from "../runtime/hand-off.js";
import { promptOf } from "../runtime/instructions.js";
import { contextSchema, runOptionNames, type RunOptions } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { type Assisted, AssistantState, nothingFound, type Way } from "../state/assist.js";
import { createToolbox } from "../tools/toolbox.js";
import { checkGraphOptions, checkNodes } from "./graph-options.js";
import { enterBy } from "./hooked-graph.js";
import { checkRouteForm, type Route } from "./router.js";

/**
 * The graph that does things for the user, with its own models, tools and method. `description` says what it looks up and
 * does: "the orders of this customer, and refunds".
 */
export type ActingAgent = Omit<Route, "graph"> & { readonly graph: AgentGraph };

/** Options of an assistant. It needs `knowledge`, an `agent`, or both. */
export type AssistantOptions<Context extends OwnContext = OwnContext> = RunOptions<Context> & {
  /** The tool that searches the knowledge base: `createSearchKnowledgeTool(base)`. */
  readonly knowledge?: StructuredToolInterface;
  /** What does things, and looks up what concerns this user alone. */
  readonly agent?: ActingAgent;
  /**
   * Says who the user is, from what the server knows about the caller: then what users tell about themselves is kept in
   * LangGraph's store, in their own words, and told to models in later conversations.
   */
  readonly facts?: FactsOption;
  /** The cards of the front end: models read them, and clicks on them, as sentences. */
  readonly cards?: readonly Card[];
  /** Names that a completed question must keep, such as those of products. */
  readonly names?: readonly string[];
  /** What is said where nothing is known; default: a sentence in the language of the question. */
  readonly unknown?: string | ((question: string) => string);
  /** Whether the answer shows the sentences that it stands on, with their places; default true. */
  readonly showSources?: boolean;
  readonly prompts?: {
    /** The instructions for completing a question. */
    readonly rewriter?: string;
    /** The instructions for an answer from the knowledge base. */
    readonly answerer?: string;
    /** The router's instructions; what the knowledge base and the agent are for is appended. */
    readonly router?: string;
  };
  /** Stores runs, so that they can pause and survive a crash. Default: the checkpointer of a surrounding graph. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  /** As in every graph: checks what a caller sends, before any model reads it. */
  readonly checkInput?: Check;
};

const optionNames: NamesOf<AssistantOptions> = {
  ...runOptionNames,
  knowledge: true,
  agent: true,
  facts: true,
  cards: true,
  names: true,
  unknown: true,
  showSources: true,
  prompts: true,
  checkpointer: true,
  store: true,
  checkInput: true,
};
const promptNames: NamesOf<NonNullable<AssistantOptions["prompts"]>> = {
  rewriter: true,
  answerer: true,
  router: true,
};

/** A way to an answer, as the router's model sees it. */
const knowledgeWay = {
  name: "knowledge",
  description: "questions about rules, products, prices, and how something is done",
} as const;

/** A compiled assistant. */
export type AssistantGraph<Context = unknown> = GraphOf<
  (typeof AssistantState)["spec"],
  unknown,
  unknown,
  Context
>;

/**
 * An assistant: it answers from a knowledge base with the sentences that say so, lets an agent do what takes tools, and
 * says that it does not know where nothing holds.
 *
 *     START → intake → cardTeller → rewriter → router → retriever → answerer → finalizer → END
 *                                                     ↘ agent → verifier ↗
 *
 * A way that gives no answer leads to the other one. What neither answers ends with `outcome.cause` "no_knowledge".
 * Takes `{ messages }` and returns `{ messages, answer, outcome, usage, observations, sources, query }`. Nothing is
 * streamed as chat before it has been checked. Throws a `PlangraphError` immediately for options that cannot work.
 */
export function createAssistantGraph<Context extends OwnContext>(
  options: AssistantOptions<Context>,
): AssistantGraph<Context>;
export function createAssistantGraph(options: AssistantOptions): AssistantGraph {
  const where = "createAssistantGraph";
  checkGraphOptions(where, options, optionNames, promptNames);
  const entry = checkNodes(where, options);
  const ways = waysOf(where, options);
  const settable = settableIn(options.contextFields);
  const roles = rolesOf(ways);
  const graph = new StateGraph(
    AssistantState,
    contextSchema(options.agent === undefined ? roles : undefined, options.contextSchema, settable),
  )
    .addNode({ ...sharedNodes(options, roles), ...nodesOfWays(options) })
    .addEdge(START, "intake")
    .addEdge("finalizer", END);
  graph.addConditionalEdges(enterBy(entry, graph), afterEntry, ["cardTeller", "finalizer"]);
  connect(graph, ways, options.facts === undefined ? ["rewriter"] : ["rewriter", "rememberer"]);
  return compileGraph(graph, { ...compileOptions(options, settable), name: "assistant" });
}

/** How an assistant is compiled: what its agent does, it does. */
function compileOptions(options: AssistantOptions, settable: Settable) {
  const { agent, checkpointer, store } = options;
  const acting = agent === undefined ? undefined : compiledGraph(agent.graph);
  const handOffOn = handOffCausesFor(options.handOffOn, acting?.handsOff === true);
  return {
    checkpointer,
    store,
    run: { ...options, memory: memoryOf(options), settable, handOffOn },
    ...(agent === undefined ? {} : { subgraphs: { agent: agent.graph } }),
    effects: acting?.effects ?? "none",
  };
}

/** The part of the graph's builder that takes edges. */
type Edges = {
  addEdge(from: string[], to: string): unknown;
  addConditionalEdges(
    from: string,
    route: { after(state: Assisted): string | string[] }["after"],
    to: string[],
  ): unknown;
};

/** Connects the ways to an answer. What is remembered of the user is read beside the question. */
function connect(graph: Edges, ways: readonly Way[], first: string[]): void {
  const nodes = ways.map((way) => firstNode[way]);
  const toAgent = nodes.filter((node) => node === firstNode.agent);
  graph.addConditionalEdges("cardTeller", afterCards(first), [...first, ...toAgent, "finalizer"]);
  graph.addEdge(first, ways.length > 1 ? "router" : (nodes[0] ?? "finalizer"));
  if (ways.length > 1) graph.addConditionalEdges("router", afterRouter, [...nodes, "finalizer"]);
  for (const way of ways) {
    const other = ways.find((one) => one !== way);
    const { first: begin, second, after } = steps[way];
    const onwards = other === undefined ? [] : [firstNode[other]];
    graph.addConditionalEdges(begin, after, [second, "finalizer"]);
    graph.addConditionalEdges(second, otherWay(other), [...onwards, "finalizer"]);
  }
}

/** The two nodes of each way, and what leads from one to the other. */
const steps = {
  knowledge: { first: "retriever", second: "answerer", after: afterRetriever },
  agent: { first: "agent", second: "verifier", after: afterAgent },
} as const;

const firstNode = { knowledge: steps.knowledge.first, agent: steps.agent.first } as const;

/** The nodes of every assistant. */
function sharedNodes(options: AssistantOptions, roles: readonly ModelRole[]) {
  const { knowledge, cards = [], names = [], unknown, showSources = true } = options;
  const instructions = promptOf("rewriter", defaultRewriterInstructions);
  return {
    intake: createIntake({ roles, reset: nothingFound, canResume: isWaiting }),
    cardTeller: createCardTeller(cards),
    rewriter: createRewriter({ names, instructions }),
    finalizer: createAssistantFinalizer({ search: knowledge?.name, unknown, showSources }),
  };
}

/** The nodes that only some have. */
function nodesOfWays({ knowledge, agent, facts }: AssistantOptions) {
  const answerer = promptOf("answerer", defaultAnswererInstructions);
  return {
    ...(facts === undefined ? {} : { rememberer: createRememberer(facts) }),
    ...(knowledge === undefined || agent === undefined ? {} : { router: routerTo(agent) }),
    ...(knowledge === undefined
      ? {}
      : {
          retriever: createRetriever({ toolbox: createToolbox([knowledge]) }),
          answerer: createAnswerer({ instructions: answerer }),
        }),
    ...(agent === undefined
      ? {}
      : {
          agent: createActingAgent(agent.graph),
          verifier: createVerifier({ search: knowledge?.name }),
        }),
  };
}

function routerTo({ description, when }: ActingAgent) {
  return createRouter({
    routes: [knowledgeWay, { name: "agent", description, when }],
    fallback: knowledgeWay.name,
    instructions: promptOf("router", defaultRouterInstructions),
  });
}

/** After the checks of a message. */
function afterEntry({ outcome }: Assisted) {
  return outcome === undefined ? "cardTeller" : "finalizer";
}

/** After the cards: the agent that waits, the end of a message that only greets, or the first nodes of an answer. */
function afterCards(first: string[]) {
  return function afterTold({ routing, messages }: Assisted) {
    if (routing.waiting !== undefined) return "agent";
    return courtesyReply(messages) === undefined ? first : "finalizer";
  };
}

function afterRouter({ outcome, route }: Assisted) {
  if (outcome !== undefined) return "finalizer";
  return route === "agent" ? "agent" : "retriever";
}

function afterRetriever({ outcome }: Assisted) {
  return outcome?.status === "failed" ? "finalizer" : "answerer";
}

function afterAgent({ outcome }: Assisted) {
  const { status } = outcome ?? { status: "answered" };
  return status === "answered" || status === "limit" ? "verifier" : "finalizer";
}

/** After a way that gave no answer: the other one, if there is one and it has not been gone. */
function otherWay(other: Way | undefined) {
  return function afterWay({ answer, outcome, failedWays }: Assisted) {
    const isOver = answer !== undefined || (outcome !== undefined && outcome.status !== "answered");
    return isOver || other === undefined || failedWays.includes(other)
      ? "finalizer"
      : firstNode[other];
  };
}

/** Whether a run in the state can be resumed. */
function isWaiting({ routing }: Partial<Assisted>): boolean {
  return routing?.waiting !== undefined;
}

/** What the application knows, and what users told. */
function memoryOf({ memory, facts }: Pick<AssistantOptions, "memory" | "facts">) {
  return facts === undefined ? memory : { ...memory, told: factsProvider(facts) };
}

/** The roles whose models are required before the first model call. */
function rolesOf(ways: readonly Way[]): readonly ModelRole[] {
  return ["rewriter", ...(ways.length > 1 ? (["router"] as const) : []), "solver"];
}

/** The ways that the options give. Throws for none, and for an agent that cannot work. */
function waysOf(where: string, { knowledge, agent }: AssistantOptions): readonly Way[] {
  if (agent !== undefined) checkAgent(`${where}: agent`, agent);
  const ways: readonly Way[] = [
    ...(knowledge === undefined ? [] : (["knowledge"] as const)),
    ...(agent === undefined ? [] : (["agent"] as const)),
  ];
  if (ways.length > 0) return ways;
  throw invalidOption(`${where}: expected knowledge, an agent or both, got neither.`);
}

function checkAgent(where: string, agent: ActingAgent): void {
  checkRouteForm(where, agent);
  if (isRecord(agent.graph) && compiledGraph(agent.graph) !== undefined) return;
  const message = `${where}.graph: expected a graph of plangraph, such as createReactGraph(…) gives, got ${shown(agent.graph)}.`;
  throw new PlangraphError("not_a_plangraph", message);
}
