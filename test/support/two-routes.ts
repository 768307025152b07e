import {
  createReactGraph,
  createRouterGraph,
  type ReactOptions,
  type Route,
  type RouterOptions,
} from "../../src/index.js";
import { type ModelReply, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "./counting-tools.js";

/** What the models of a router graph say, and how it differs from a plain one. */
type Script = Omit<RouterOptions<"mathematics" | "physics">, "routes" | "models"> & {
  readonly router?: readonly ModelReply[];
  readonly mathematics?: readonly ModelReply[];
  readonly physics?: readonly ModelReply[];
  readonly rules?: { readonly [name in "mathematics" | "physics"]?: Route["when"] };
  /** Options of the route `physics`. */
  readonly agent?: ReactOptions;
};

/** The choice of a route as a router's model writes it. */
export function choice(route: string, said: object = {}): string {
  return JSON.stringify({ route, reason: `It is about ${route}.`, ...said });
}

/** A turn that orders things, each with a person's approval. */
export function ordering(...items: readonly string[]) {
  return { toolCalls: items.map((item) => ({ name: "order", args: { item }, id: item })) };
}

/** A router between two agents with models of their own. That of physics has the tools `price` and `order`. */
export function twoRoutes(script: Script = {}) {
  const { router = [], mathematics = [], physics = [], rules = {}, agent, ...options } = script;
  const { runs, tools } = countingTools("price", "order");
  const models = {
    router: scriptedModel(router, { model: "small" }),
    mathematics: scriptedModel(mathematics, { model: "counting" }),
    physics: scriptedModel(physics, { model: "knowing" }),
  };
  const toolPolicies = { order: { needsApproval: true } };
  const expert = createReactGraph({ models: models.physics, tools, toolPolicies, ...agent });
  const graph = createRouterGraph({
    ...options,
    models: models.router,
    routes: {
      mathematics: {
        description: "Sums and equations.",
        graph: createReactGraph({ models: models.mathematics }),
        when: rules.mathematics,
      },
      physics: { description: "Nature.", graph: expert, when: rules.physics },
    },
  });
  const assertExhausted = () => {
    for (const model of Object.values(models)) model.assertExhausted();
  };
  return { graph, models, runs, assertExhausted };
}

/** The input of a run: one question. */
export function asking(content: string) {
  return { messages: [{ role: "user" as const, content }] };
}
