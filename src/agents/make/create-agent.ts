import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph";

import { z } from "zod";

import { asTool } from "../../graphs/as-tool.js";
import { createAssistantGraph } from "../../graphs/assistant.js";
import type { Executor, Executors } from "../../graphs/executors.js";
import { createLlmCompilerGraph } from "../../graphs/llm-compiler.js";
import { createPlanExecuteGraph, type PlanExecuteOptions } from "../../graphs/plan-execute.js";
import { createReactGraph } from "../../graphs/react.js";
import { createRewooGraph } from "../../graphs/rewoo.js";
import { createRouterGraph } from "../../graphs/router.js";
import { defined } from "../../json/json.js";
import { exampleForms } from "../../roles/examples.js";
import type { ResponseFormat } from "../../models/response-format.js";
import type { AgentGraph, RunnableGraph } from "../../runtime/graph-tool.js";
import type { RunOptions } from "../../runtime/options.js";
import type { AgentFile } from "../fields/agent-fields.js";
import { actingName, assistantOptions } from "./create-assistant.js";
import { hasOwnTools, policiesOf } from "../read/executor-files.js";
import { memoryOf } from "./file-memory.js";
import { definedPolicies } from "./policies.js";
import { createWorkflowGraph } from "../../graphs/workflow.js";
import { objectSchema } from "../../graphs/workflow/types.js";
import type { ReadAgent, ReadFile, ReadWorkflow } from "../read/read-types.js";

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

/** The graph of a file, as the code would make it. */
export type MadeGraph = AgentGraph &
  RunnableGraph & {
    /** LangGraph's drawing. */
    getGraphAsync(config?: { readonly xray?: boolean }): Promise<{ drawMermaid(): string }>;
  };

/** Makes the graph of an agent or workflow file. Throws a `PlangraphError` for options that cannot work. */
export function createAgent(read: ReadFile, options: AgentOptions): MadeGraph {
  return read.kind === "workflow" ? workflowOf(read, options) : agentOf(read, options);
}

function workflowOf(workflow: ReadWorkflow, options: AgentOptions): MadeGraph {
  const { name, form, fields, tools } = workflow;
  const { model, instructions, protocol, limits, handOffOn, policies, reviewAnswer } = fields;
  const { timeZone, locale, concurrency } = fields;
  const { models = model, ...given } = options;
  return createWorkflowGraph(form, {
    name,
    tools: [...tools, ...otherTools(workflow, options)],
    ...defined({ ...given, models, systemPrompt: instructions, protocol, limits, handOffOn }),
    ...defined({ toolPolicies: definedPolicies(policies), reviewAnswer }),
    ...defined({ timeZone, locale, concurrency }),
  });
}

function agentOf(agent: ReadAgent, options: AgentOptions): MadeGraph {
  const { fields } = agent;
  if (fields.graph === "router") return routerOf(agent, options);
  if (fields.graph === "assistant") return assistantOf(agent, options);
  const common = { ...runOptions(agent, options), ...toolOptions(agent, options) };
  const { prompts, examples = {}, reviewPlan, callFirst } = fields;
  if (fields.graph === "react") {
    return createReactGraph({
      ...common,
      ...defined({ prompts, callFirst }),
      examples: { agent: examples.agent },
    });
  }
  if (fields.graph === "plan-execute") return planExecuteOf(agent, common, options);
  const planning = {
    ...common,
    ...defined({ prompts, reviewPlan }),
    examples: { planner: plansIn("calls", examples.planner), agent: examples.agent },
  };
  return fields.graph === "rewoo" ? createRewooGraph(planning) : createLlmCompilerGraph(planning);
}

function planExecuteOf(
  agent: ReadAgent,
  common: Pick<PlanExecuteOptions, "tools">,
  options: AgentOptions,
) {
  const { prompts, examples = {}, replanning, reviewPlan, stepLimits, callFirst } = agent.fields;
  const { planner, executor } = examples;
  return createPlanExecuteGraph({
    ...common,
    ...defined({ prompts, replanning, reviewPlan, stepLimits, callFirst }),
    ...defined({ executors: executorsOf(agent, options) }),
    ...defined({ toolPolicies: definedPolicies(policiesOf(agent)) }),
    examples: { planner: plansIn("tasks", planner), executor },
  });
}

/** The plans of a file in the form that its graph has; they are checked already. */
function plansIn<Kind extends "calls" | "tasks">(kind: Kind, plans: Plans | undefined) {
  return plans === undefined ? undefined : z.array(exampleForms[kind]).parse(plans);
}

type Plans = NonNullable<AgentFile["examples"]>["planner"];

/** The executors of a plan; none where the file names none. */
function executorsOf(
  { executors, fields }: ReadAgent,
  options: AgentOptions,
): Executors | undefined {
  if (executors.size === 0) return undefined;
  const made = [...executors].map(([name, executor]): [string, Executor] => {
    const { model, instructions, prompts, examples } = executor.fields;
    const texts = [instructions, prompts?.["agent"]].filter((text) => text !== undefined);
    const prompt = texts.length === 0 ? undefined : texts.join("\n\n");
    const own = hasOwnTools(executor)
      ? [...executor.tools, ...otherTools(executor, options)]
      : undefined;
    return [
      name,
      {
        description: descriptionOf(fields.executors?.[name], executor),
        ...defined({ model: options.models === undefined ? model : undefined }),
        ...defined({ tools: own, prompt, examples: examples?.agent }),
      },
    ];
  });
  return Object.fromEntries(made);
}

function routerOf(agent: ReadAgent, options: AgentOptions) {
  const { fields, routes } = agent;
  const { prompts, unclear } = fields;
  const made = [...routes].map(
    ([name, route]) => [name, routeOf(fields.routes?.[name], route, options)] as const,
  );
  const { name: _name, ...run } = runOptions(agent, options);
  return createRouterGraph({
    ...run,
    routes: Object.fromEntries(made),
    ...defined({ prompts, unclear }),
  });
}

function routeOf(given: AgentFile["agent"], route: ReadFile, options: AgentOptions) {
  const when = typeof given === "object" ? given.when : undefined;
  const description = descriptionOf(given, route);
  const rule = when === undefined ? {} : { when: new RegExp(when, "iu") };
  return { description, graph: createAgent(route, inside(options)), ...rule };
}

function assistantOf(agent: ReadAgent, options: AgentOptions) {
  const acting = agent.routes.get(actingName);
  const made = acting === undefined ? undefined : routeOf(agent.fields.agent, acting, options);
  const { name: _name, ...run } = runOptions(agent, options);
  return createAssistantGraph({ ...run, ...assistantOptions(agent, made) });
}

/** The options of an agent inside another: what keeps runs is the outer one's. */
export function inside({
  checkpointer: _saver,
  store: _store,
  memory: _memory,
  ...rest
}: AgentOptions) {
  return rest;
}

function descriptionOf(
  given: string | { readonly description?: string | undefined } | undefined,
  { description, name }: ReadFile,
): string {
  const own = typeof given === "object" ? given.description : undefined;
  return own ?? description ?? name;
}

/** The options of the run that every graph has. */
function runOptions(
  { name, fields, memory: read }: ReadAgent,
  { models: given, memory: own, ...options }: AgentOptions,
) {
  const { model, models, instructions: systemPrompt } = fields;
  const { protocol, limits, handOffOn, history, timeZone, locale } = fields;
  const { earlyStopping, concurrency, memoryTimeoutMs } = fields;
  const ofFile = memoryOf(read);
  const memory = ofFile === undefined ? own : { ...ofFile, ...own };
  return {
    name,
    ...defined({ ...options, models: given ?? models ?? model, systemPrompt }),
    ...defined({ protocol, limits, handOffOn, history, timeZone, locale }),
    ...defined({ earlyStopping, concurrency, memory, memoryTimeoutMs }),
  };
}

function toolOptions(agent: ReadAgent, options: AgentOptions) {
  const { reviewAnswer, policies, returns } = agent.fields;
  return {
    ...formOf(returns),
    tools: [...agent.tools, ...otherTools(agent, options)],
    ...defined({ toolPolicies: definedPolicies(policies), reviewAnswer }),
  };
}

/** The form of the answer; its type is not known before the file is read. */
function formOf(returns: AgentFile["returns"]): { readonly responseFormat?: ResponseFormat } {
  return returns === undefined ? {} : { responseFormat: objectSchema(returns) };
}

/** The agents and workflows of other files as tools. */
function otherTools(read: ReadFile, options: AgentOptions) {
  return [...read.agents].map(([name, other]) => {
    const given = read.kind === "agent" ? read.fields.agents?.[name] : undefined;
    // No model reads how the agent of a step ended: it must have answered.
    const ending = read.kind === "agent" ? {} : { endsOnHandOff: true, failsAtLimit: true };
    const described = { name, description: descriptionOf(given, other), ...ending };
    const graph = createAgent(other, inside(options));
    return other.kind === "workflow"
      ? asTool(graph, { ...described, ...inputOf(other) })
      : asTool(graph, described);
  });
}

/** A workflow as a tool takes its input as arguments. */
function inputOf({ form: { input = {} } }: ReadWorkflow) {
  const schema = z.fromJSONSchema(objectSchema(input));
  if (!(schema instanceof z.ZodObject)) throw new TypeError("An input is an object.");
  return { schema, messages: asQuestion };
}

function asQuestion(args: object) {
  return [{ role: "user", content: JSON.stringify(args) }];
}
