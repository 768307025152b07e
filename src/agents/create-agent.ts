import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph";

import { asTool } from "../graphs/as-tool.js";
import { createLlmCompilerGraph } from "../graphs/llm-compiler.js";
import { createPlanExecuteGraph } from "../graphs/plan-execute.js";
import { createReactGraph } from "../graphs/react.js";
import { createRewooGraph } from "../graphs/rewoo.js";
import { createRouterGraph } from "../graphs/router.js";
import { defined } from "../json/json.js";
import type { AgentGraph, RunnableGraph } from "../runtime/graph-tool.js";
import type { RunOptions } from "../runtime/options.js";
import { definedPolicies } from "./policies.js";
import type { ReadAgent } from "./read-agent.js";

/** What the program gives the graph of an agent file, besides what the file says. */
export type AgentOptions = Pick<
  RunOptions,
  "environment" | "observers" | "clock" | "redact" | "prices" | "memory"
> & {
  /** The model of every agent, in place of those of the files: for tests, and for trying another. */
  readonly models?: RunOptions["models"];
  /** Stores runs, so that they can pause and survive a crash. Default: the checkpointer of a surrounding graph. */
  readonly checkpointer?: BaseCheckpointSaver | boolean | undefined;
  readonly store?: BaseStore | undefined;
};

/** A graph that an agent file describes: a compiled graph of LangGraph, a route, a tool, a subject of an evaluation. */
export type FileGraph = AgentGraph & RunnableGraph;

/** Makes the graph of an agent file. Throws a `PlangraphError` for options that cannot work. */
export function createAgent(agent: ReadAgent, options: AgentOptions): FileGraph {
  const { fields } = agent;
  if (fields.graph === "router") return routerOf(agent, options);
  const common = { ...runOptions(agent, options), ...toolOptions(agent, options) };
  const { prompts, replanning, reviewPlan, stepLimits } = fields;
  const own = defined({ prompts, reviewPlan });
  if (fields.graph === "react") return createReactGraph({ ...common, ...defined({ prompts }) });
  if (fields.graph === "rewoo") return createRewooGraph({ ...common, ...own });
  if (fields.graph === "llm-compiler") return createLlmCompilerGraph({ ...common, ...own });
  return createPlanExecuteGraph({ ...common, ...own, ...defined({ replanning, stepLimits }) });
}

function routerOf(agent: ReadAgent, options: AgentOptions) {
  const { fields, routes } = agent;
  const { prompts, unclear } = fields;
  const made = [...routes].map(([name, route]) => {
    const given = fields.routes?.[name];
    const when = typeof given === "object" ? given.when : undefined;
    const description = descriptionOf(given, route);
    const rule = when === undefined ? {} : { when: new RegExp(when, "iu") };
    return [name, { description, graph: createAgent(route, inside(options)), ...rule }] as const;
  });
  const { name: _name, ...run } = runOptions(agent, options);
  return createRouterGraph({
    ...run,
    routes: Object.fromEntries(made),
    ...defined({ prompts, unclear }),
  });
}

/** The options of an agent inside another: what keeps runs is the outer one's. */
function inside({ checkpointer: _saver, store: _store, memory: _memory, ...rest }: AgentOptions) {
  return rest;
}

function descriptionOf(
  given: string | { readonly description?: string | undefined } | undefined,
  agent: ReadAgent,
): string {
  const own = typeof given === "object" ? given.description : undefined;
  return own ?? agent.fields.description ?? agent.name;
}

/** The options of the run that every graph has. */
function runOptions({ name, fields }: ReadAgent, { models: given, ...options }: AgentOptions) {
  const { model, models, instructions: systemPrompt } = fields;
  const { protocol, limits, handOffOn, history, timeZone, locale } = fields;
  const { earlyStopping, concurrency } = fields;
  return {
    name,
    ...defined({ ...options, models: given ?? models ?? model, systemPrompt }),
    ...defined({ protocol, limits, handOffOn, history, timeZone, locale }),
    ...defined({ earlyStopping, concurrency }),
  };
}

function toolOptions({ fields, tools, agents }: ReadAgent, options: AgentOptions) {
  const others = [...agents].map(([name, agent]) =>
    asTool(createAgent(agent, inside(options)), {
      name,
      description: descriptionOf(fields.agents?.[name], agent),
    }),
  );
  const { reviewAnswer, policies } = fields;
  return {
    tools: [...tools, ...others],
    ...defined({ toolPolicies: definedPolicies(policies), reviewAnswer }),
  };
}
