import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { unclearRoute } from "../roles/router.js";
import { checkNames, shown } from "../run/check-names.js";
import { compiledGraph } from "../runtime/compile-graph.js";
import { RoutingState } from "../state/routing.js";

/** A route as it was given, whatever its types say. */
type GivenRoute = {
  readonly description: unknown;
  readonly graph: object;
  readonly when?: unknown;
};

/** What can be a node's name and a word of a model's reply. */
const routeName = /^\p{L}[\p{L}\p{N}_.-]{0,63}$/u;

/** The nodes that every such graph has, and the words that say something else. */
const taken: ReadonlySet<string> = new Set(
  ["intake", "router", "finalizer", unclearRoute, "ask", ...Object.keys(RoutingState.spec)].concat(
    // LangGraph looks names up in plain objects, which have these already.
    Object.getOwnPropertyNames(Object.prototype),
  ),
);

/** Finds at build time what no run could work with. Throws a `PlangraphError` that names the route and the field. */
export function checkRoutes(
  routes: { readonly [name: string]: GivenRoute },
  unclear: string | undefined,
): void {
  if (!isRecord(routes)) throw wrong(`routes: expected routes by name, got ${shown(routes)}.`);
  const names = Object.keys(routes);
  if (names.length === 0) throw wrong("routes: expected at least one route, got none.");
  for (const [name, route] of Object.entries(routes)) checkRoute(name, route);
  const lower = names.map((name) => name.toLowerCase());
  const double = names.find((_, at) => lower.indexOf(lower[at] ?? "") < at);
  // A model's reply is read in either case.
  if (double !== undefined)
    throw wrong(`Two routes are named "${double}"; names must differ by more than case.`);
  if (unclear === undefined || unclear === "ask" || names.includes(unclear)) return;
  const choices = ["ask", ...names].map((name) => `"${name}"`).join(", ");
  throw wrong(`unclear: expected one of ${choices}, got "${unclear}".`);
}

const routeFields = { description: true, graph: true, when: true } as const;

function checkRoute(name: string, route: GivenRoute): void {
  if (!isRecord(route)) {
    throw wrong(`routes.${name}: expected { description, graph }, got ${shown(route)}.`);
  }
  checkNames(`routes.${name}`, route, routeFields);
  const { description, graph, when } = route;
  checkName(name);
  if (typeof description !== "string" || description.trim() === "") {
    throw wrong(`routes.${name}.description: expected what the route answers, got nothing.`);
  }
  if (when !== undefined && typeof when !== "function" && !(when instanceof RegExp)) {
    throw wrong(
      `routes.${name}.when: expected a RegExp or a function of the question, got ${typeof when}.`,
    );
  }
  if (compiledGraph(graph) !== undefined) return;
  const message = `routes.${name}.graph: expected a graph of plangraph, such as createReactGraph(…) gives.`;
  throw new PlangraphError("not_a_plangraph", message);
}

function checkName(name: string): void {
  if (!routeName.test(name)) {
    throw wrong(
      `The route name "${name}" is not usable: expected a letter, then up to 63 letters, digits, "_", "-" or ".".`,
    );
  }
  if (taken.has(name) || taken.has(name.toLowerCase())) {
    throw wrong(`The route name "${name}" is taken by the router graph itself; choose another.`);
  }
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
