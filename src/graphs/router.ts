import {
  type BaseChannel,
  type BaseCheckpointSaver,
  type BaseStore,
  END,
  START,
  StateGraph,
} from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { createIntake } from "../nodes/intake.js";
import { createRoute, createRouteFinalizer } from "../nodes/route.js";
import { createRouter } from "../nodes/router.js";
import { defaultRouterInstructions, unclearRoute } from "../roles/router.js";
import { checkNames, invalidOption, type NamesOf, shown } from "../run/check-names.js";
import { settableIn } from "../run/context-fields.js";
import { compiledGraph, compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import type { Check } from "../runtime/checks.js";
import type { AgentGraph } from "../runtime/graph-tool.js";
import { type MessagesGraph, whyNoMessagesGraph } from "../runtime/langgraph-route.js";
import { handOffCausesFor } from "../runtime/hand-off.js";
import { promptOf } from "../runtime/instructions.js";
import { contextSchema, runOptionNames, type RunOptions } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { noRoute, type Routed, RoutingState } from "../state/routing.js";
import type { GraphEffects } from "../tools/policy.js";
import { enterBy } from "./hooked-graph.js";
import { checkGraphOptions, checkNodes } from "./graph-options.js";

/** The graph that answers one kind of question, with its own models, tools and method. */
export type Route = {
  /** Describes the questions of this route for the router's model. */
  readonly description: string;
  /**
   * Any graph of plangraph, also another router graph; an agent of LangChain, or a LangGraph graph with `messages` in its
   * state. Of a graph that is not of plangraph the run counts the calls that its messages show.
   */
  readonly graph: AgentGraph | MessagesGraph;
  /** Matches questions that certainly belong to this route, without a model call. The first matching route is taken. */
  readonly when?: RegExp | ((question: string) => boolean) | undefined;
};

/** Options of a router graph. `limits` count its route, too; `replans`, `planSteps` and `repeatedCalls` are per route. */
export type RouterOptions<
  Name extends string = string,
  Context extends OwnContext = OwnContext,
> = RunOptions<Context> & {
  /** The routes by name; their rules are tried in this order. The graph's nodes have these names. */
  readonly routes: { readonly [Key in Name]: Route };
  /** For an unclear question: "ask" (default) asks the user, at most twice; a route's name takes that route. */
  readonly unclear?: "ask" | NoInfer<Name>;
  readonly prompts?: {
    /** The router's instructions, instead of the default; the routes are appended. */
    readonly router?: string;
  };
  /** Stores runs, so that they can pause and survive a crash. Default: the checkpointer of a surrounding graph. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  /** As in every graph: checks what a caller sends, before any model reads it. */
  readonly checkInput?: Check;
};

const optionNames: NamesOf<RouterOptions> = {
  ...runOptionNames,
  routes: true,
  unclear: true,
  prompts: true,
  checkpointer: true,
  store: true,
  checkInput: true,
};
const promptNames: NamesOf<NonNullable<RouterOptions["prompts"]>> = { router: true };

function afterIntake({ route, routing }: Routed) {
  return routing.waiting === undefined ? "router" : (route ?? "router");
}

function afterCheck(state: Routed) {
  return state.outcome === undefined ? afterIntake(state) : "finalizer";
}

function afterRouter({ outcome, route }: Routed) {
  return outcome === undefined ? (route ?? "router") : "finalizer";
}

/** A compiled router. */
export type RouterGraph<Name extends string = string, Context = unknown> = GraphOf<
  Omit<(typeof RoutingState)["spec"], "route"> & {
    readonly route: BaseChannel<Name | undefined>;
  },
  unknown,
  unknown,
  Context
>;

/**
 * A router: rules or a cheap model choose the graph for a question, for example one for mathematics and one for physics.
 * That graph answers as if it had been asked directly.
 *
 *     START → intake → router ⟲ → <the route> → finalizer → END
 *
 * The routes share the conversation, and the run's limits, usage, events and abort signal. Takes `{ messages }` and
 * returns `{ messages, answer, outcome, usage, observations, route, steps }`. Throws a `PlangraphError` immediately for
 * options that cannot work.
 */
export function createRouterGraph<Name extends string, Context extends OwnContext>(
  options: RouterOptions<Name, Context>,
): RouterGraph<Name, Context>;
export function createRouterGraph(options: RouterOptions): RouterGraph {
  checkAnswerOptions(options);
  checkGraphOptions("createRouterGraph", options, optionNames, promptNames);
  const entry = checkNodes("createRouterGraph", options);
  const { unclear, checkpointer, store } = options;
  const settable = settableIn(options.contextFields);
  const given: { readonly [name: string]: Route } = options.routes;
  checkRoutes(given, unclear);
  const routes = Object.entries(given).map(([name, route]) => ({ name, ...route }));
  const names = routes.map(({ name }) => name);
  const nodes = Object.fromEntries(routes.map((route) => [route.name, createRoute(route)]));
  const canResume = ({ route = "", routing }: Partial<Routed>) =>
    routing?.question !== undefined || (routing?.waiting !== undefined && names.includes(route));
  const hasPerson = routes.some((route) => compiledGraph(route.graph)?.handsOff === true);
  const graph = new StateGraph(
    RoutingState,
    contextSchema(undefined, options.contextSchema, settable),
  )
    .addNode("intake", createIntake({ roles: rolesOf(names), reset: noRoute, canResume }))
    .addNode(
      "router",
      createRouter({
        routes,
        fallback: unclear === "ask" ? undefined : unclear,
        instructions: promptOf("router", defaultRouterInstructions),
      }),
    )
    .addNode(nodes)
    .addNode("finalizer", createRouteFinalizer())
    .addEdge(START, "intake")
    .addConditionalEdges("router", afterRouter, ["router", ...names, "finalizer"])
    .addEdge("finalizer", END);
  for (const name of names) graph.addEdge(name, "finalizer");
  const isChecked = entry.checkInput !== undefined;
  graph.addConditionalEdges(enterBy(entry, graph), isChecked ? afterCheck : afterIntake, [
    "router",
    ...names,
    ...(isChecked ? ["finalizer"] : []),
  ]);
  return compileGraph(graph, {
    name: "router",
    checkpointer,
    store,
    run: { ...options, settable, handOffOn: handOffCausesFor(options.handOffOn, hasPerson) },
    subgraphs: Object.fromEntries(routes.map(({ name, graph: route }) => [name, route])),
    effects: effectsOfAll(routes.map(effectsOfRoute)),
  });
}

/** Throws for checks of an answer, which each route makes. */
function checkAnswerOptions(options: object): void {
  const given = ["checkAnswer", "reviewAnswer"].find((name) => name in options);
  if (given === undefined) return;
  throw invalidOption(
    `createRouterGraph: ${given}: a route has given its answer before the router could hold it. Give ${given} to the graphs of the routes.`,
  );
}

/** What another graph than ours does is not known. */
function effectsOfRoute({ graph }: Route): GraphEffects {
  return compiledGraph(graph)?.effects ?? "writes";
}

function effectsOfAll(effects: readonly GraphEffects[]): GraphEffects {
  if (effects.includes("writes")) return "writes";
  return effects.includes("changes") ? "changes" : "none";
}

/** With a single route there is nothing to decide. */
function rolesOf(names: readonly string[]) {
  return names.length > 1 ? (["router"] as const) : [];
}

/** A route before validation, whatever its type says. */
type GivenRoute = {
  readonly description: unknown;
  readonly graph: object;
  readonly when?: unknown;
};

/** A valid node name that a model can write. */
const routeName = /^\p{L}[\p{L}\p{N}_.-]{0,63}$/u;

/** The fixed nodes of every router graph, and words with another meaning. */
const taken: ReadonlySet<string> = new Set(
  [
    "intake",
    "checkInput",
    "history",
    "router",
    "finalizer",
    unclearRoute,
    "ask",
    ...Object.keys(RoutingState.spec),
  ].concat(
    // LangGraph looks up names in plain objects, which already have these.
    Object.getOwnPropertyNames(Object.prototype),
  ),
);

const routeFields = { description: true, graph: true, when: true } as const;

/** Checks what a router's model or rules may choose, but for its graph. Throws `invalid_option` with the field. */
export function checkRouteForm(where: string, route: unknown): void {
  if (!isRecord(route)) {
    throw invalidOption(`${where}: expected { description, graph }, got ${shown(route)}.`);
  }
  checkNames(where, route, routeFields);
  const { description, when } = route;
  if (typeof description !== "string" || description.trim() === "") {
    throw invalidOption(`${where}.description: expected what the route answers, got nothing.`);
  }
  if (when !== undefined && typeof when !== "function" && !(when instanceof RegExp)) {
    throw invalidOption(
      `${where}.when: expected a RegExp or a function of the question, got ${typeof when}.`,
    );
  }
}

/** Checks the routes. Throws a `PlangraphError` with the route and the field for routes that cannot work. */
function checkRoutes(
  routes: { readonly [name: string]: GivenRoute },
  unclear: string | undefined,
): void {
  if (!isRecord(routes))
    throw invalidOption(`routes: expected routes by name, got ${shown(routes)}.`);
  const names = Object.keys(routes);
  if (names.length === 0) throw invalidOption("routes: expected at least one route, got none.");
  for (const [name, route] of Object.entries(routes)) checkRoute(name, route);
  const lower = names.map((name) => name.toLowerCase());
  const double = names.find((_, at) => lower.indexOf(lower[at] ?? "") < at);
  // Names in a model's reply match in either case.
  if (double !== undefined)
    throw invalidOption(`Two routes are named "${double}"; names must differ by more than case.`);
  if (unclear === undefined || unclear === "ask" || names.includes(unclear)) return;
  const choices = ["ask", ...names].map((name) => `"${name}"`).join(", ");
  throw invalidOption(`unclear: expected one of ${choices}, got "${unclear}".`);
}

function checkRoute(name: string, route: GivenRoute): void {
  checkRouteForm(`routes.${name}`, route);
  checkName(name);
  const { graph } = route;
  const problem = compiledGraph(graph) === undefined ? whyNoMessagesGraph(graph) : undefined;
  if (problem === undefined) return;
  const message = `routes.${name}.graph: expected a graph of plangraph, such as createReactGraph(…) gives, an agent of LangChain or a LangGraph graph with "messages"; ${problem}.`;
  throw new PlangraphError("not_a_plangraph", message);
}

function checkName(name: string): void {
  if (!routeName.test(name)) {
    throw invalidOption(
      `The route name "${name}" is not usable: expected a letter, then up to 63 letters, digits, "_", "-" or ".".`,
    );
  }
  if (taken.has(name) || taken.has(name.toLowerCase())) {
    throw invalidOption(
      `The route name "${name}" is taken by the router graph itself; choose another.`,
    );
  }
}
