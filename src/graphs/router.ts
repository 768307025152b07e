import {
  type BaseCheckpointSaver,
  type BaseStore,
  END,
  START,
  StateGraph,
} from "@langchain/langgraph";

import { createIntake } from "../nodes/intake.js";
import { createRouteFinalizer } from "../nodes/route-finalizer.js";
import { createRoute } from "../nodes/route.js";
import { createRouter } from "../nodes/router.js";
import { defaultRouterInstructions } from "../roles/router.js";
import type { NamesOf } from "../run/check-names.js";
import type { AgentGraph } from "../runtime/agent-graph.js";
import { runOptionNames } from "../runtime/check-options.js";
import { compiledGraph, compileGraph } from "../runtime/compile-graph.js";
import { handOffCausesFor } from "../runtime/hand-off-causes.js";
import { contextSchema } from "../runtime/run-context.js";
import type { RunOptions } from "../runtime/settings.js";
import { noRoute, type Routed, RoutingState } from "../state/routing.js";
import type { GraphEffects } from "../tools/policy.js";
import { checkRoutes } from "./check-routes.js";
import { checkGraphOptions } from "./graph-options.js";

/** Who answers a kind of question: a graph with its own models, tools and method. */
export type Route = {
  /** Which questions are its own, as the router's model reads it. */
  readonly description: string;
  /** Any graph of plangraph, another router graph too. */
  readonly graph: AgentGraph;
  /** Questions that are certainly its own: no model is asked. The first route whose rule matches is taken. */
  readonly when?: RegExp | ((question: string) => boolean) | undefined;
};

/** What a router graph consists of. `limits` are for the whole run, what its route does included;
 * `replans`, `planSteps` and `repeatedCalls` are limits of the route's own graph. */
export type RouterOptions<Name extends string = string> = RunOptions & {
  /** The routes by name, in the order in which their rules are tried. The graph's nodes have these names. */
  readonly routes: { readonly [Key in Name]: Route };
  /** What becomes of an unclear question: "ask" (default) asks the user, twice at most; a route's name takes that route. */
  readonly unclear?: "ask" | NoInfer<Name>;
  readonly prompts?: {
    /** What the router's model is told, instead of the default; the routes follow it. */
    readonly router?: string;
  };
  /** Where runs are kept, so that they can pause and survive a crash. Default: what a surrounding graph has. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
};

const optionNames: NamesOf<RouterOptions> = {
  ...runOptionNames,
  routes: true,
  unclear: true,
  prompts: true,
  checkpointer: true,
  store: true,
};
const promptNames: NamesOf<NonNullable<RouterOptions["prompts"]>> = { router: true };

function afterIntake({ route, routing }: Routed) {
  return routing.waiting === undefined ? "router" : (route ?? "router");
}

function afterRouter({ outcome, route }: Routed) {
  return outcome === undefined ? (route ?? "router") : "finalizer";
}

/**
 * A router: rules or a cheap model choose who answers, mathematics one graph, physics another; and that
 * graph answers, as if it had been asked itself.
 *
 *     START → intake → router ⟲ → <the route> → finalizer → END
 *
 * The routes share the conversation, and the run's limits, usage, events and abort signal. Takes
 * `{ messages }` and returns `{ messages, answer, outcome, usage, observations, route, steps }`. Throws a
 * `PlangraphError` at once for options that cannot work.
 */
export function createRouterGraph<Name extends string>(options: RouterOptions<Name>) {
  checkGraphOptions("createRouterGraph", options, optionNames, promptNames);
  const { unclear, prompts, checkpointer, store } = options;
  const given: { readonly [name: string]: Route } = options.routes;
  checkRoutes(given, unclear);
  const routes = Object.entries(given).map(([name, route]) => ({ name, ...route }));
  const names = routes.map(({ name }) => name);
  const nodes = Object.fromEntries(routes.map((route) => [route.name, createRoute(route)]));
  const goesOn = ({ route = "", routing }: Partial<Routed>) =>
    routing?.question !== undefined || (routing?.waiting !== undefined && names.includes(route));
  const hasPerson = routes.some((route) => compiledGraph(route.graph)?.handsOff === true);
  const graph = new StateGraph(RoutingState, contextSchema())
    .addNode("intake", createIntake({ roles: rolesOf(names), reset: noRoute, goesOn }))
    .addNode(
      "router",
      createRouter({
        routes,
        fallback: unclear === "ask" ? undefined : unclear,
        instructions: prompts?.router ?? defaultRouterInstructions,
      }),
    )
    .addNode(nodes)
    .addNode("finalizer", createRouteFinalizer())
    .addEdge(START, "intake")
    .addConditionalEdges("intake", afterIntake, ["router", ...names])
    .addConditionalEdges("router", afterRouter, ["router", ...names, "finalizer"])
    .addEdge("finalizer", END);
  for (const name of names) graph.addEdge(name, "finalizer");
  return compileGraph(graph, {
    name: "router",
    checkpointer,
    store,
    run: { ...options, handOffOn: handOffCausesFor(options.handOffOn, hasPerson) },
    effects: effectsOfAll(routes.map(({ graph: route }) => compiledGraph(route)?.effects)),
  });
}

/** What the routes may change. */
function effectsOfAll(effects: readonly (GraphEffects | undefined)[]): GraphEffects {
  if (effects.includes("writes")) return "writes";
  return effects.includes("changes") ? "changes" : "none";
}

/** With one route nothing is to be decided. */
function rolesOf(names: readonly string[]) {
  return names.length > 1 ? (["router"] as const) : [];
}
