import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  type AnnotationRoot,
  type BaseCheckpointSaver,
  type BaseStore,
  type StateDefinition,
  type StateDefinitionInit,
  UntrackedValueChannel,
} from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord, type Json } from "../json/json.js";
import type { ProviderTool } from "../models/provider-tool.js";
import type { JsonOutputSchema } from "../models/structured-output.js";
import { type ResponseFormat, zodOutput } from "../models/response-format.js";
import type { ModelLike, ModelRole, Models } from "../models/model.js";
import { createAnswerReview, type ReviewAnswer } from "../nodes/answer-review.js";
import { createHistory } from "../nodes/history.js";
import { createInputCheck } from "../nodes/input-check.js";
import { agentInstructions } from "../roles/agent.js";
import { checkExamples, type ExampleKind } from "../roles/examples.js";
import { checkNames, type NamesOf, shown } from "../run/check-names.js";
import { type Prompts, settableIn } from "../run/context-fields.js";
import { summarizes } from "../runtime/role-history.js";
import type { Check } from "../runtime/checks.js";
import type { Run } from "../runtime/enter-run.js";
import { handOffCausesFor } from "../runtime/hand-off.js";
import { type Instructions, promptOf } from "../runtime/instructions.js";
import {
  checkMiddleware,
  hookPoints,
  type Middleware,
  schemasOf,
  withWrappers,
} from "../runtime/middleware.js";
import type { OwnContext } from "../runtime/own-context.js";
import { contextSchema, runOptionNames, type RunOptions } from "../runtime/options.js";
import { ownKeys, withOwnKeys } from "../state/own-state.js";
import type { ToolPolicy } from "../tools/policy.js";
import { llmToolName } from "../tools/builtin/llm.js";
import { type CallPlace, splitTools } from "../tools/provider-tool.js";
import { createToolbox, effectsOf, hasHandOff } from "../tools/toolbox.js";

/** Options of every graph, whatever its method. Every field is optional. */
export type GraphOptions<
  State = StateDefinitionInit,
  Response = ResponseFormat,
  Context extends OwnContext = OwnContext,
> = RunOptions<Context> & {
  /** The model of every role, in place of `models`. */
  readonly model?: ModelLike;
  /** The graph's name in LangGraph, Studio and events; default: its method, such as "react". */
  readonly name?: string;
  /** LangChain tools, with or without a policy, and tools that the model's server runs (`{ type: "web_search" }`). */
  readonly tools?: readonly (StructuredToolInterface | ProviderTool)[];
  /** Policies by tool name; they override those attached with `withPolicy`. */
  readonly toolPolicies?: { readonly [name: string]: ToolPolicy };
  /** A zod schema or JSON schema: the result then has `structuredResponse`. */
  readonly responseFormat?: Response;
  /** Stores runs, so that they can pause and survive a crash. Default: the checkpointer of a surrounding graph. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  /** LangChain's agent middleware, the first outermost. docs/middleware.md says what works in which graph. */
  readonly middleware?: readonly Middleware[];
  /**
   * Checks what a caller sends, before any model reads it: lets it pass, changes it or refuses it. A check that fails
   * ends the run.
   */
  readonly checkInput?: Check;
  /** Checks the answer before it goes out: lets it pass, changes it or refuses it. A check that fails ends the run. */
  readonly checkAnswer?: Check;
  /** Whether a person reads the answer before it goes out, to approve, edit or reject it; default false. */
  readonly reviewAnswer?: ReviewAnswer;
  /** State keys of your own, in the input, the result, tools and hooks: a zod object, `StateSchema` or `Annotation.Root`. */
  readonly stateSchema?: State;
};

/** Options of graphs that plan. */
export type PlanGraphOptions<
  State = StateDefinitionInit,
  Response = ResponseFormat,
  Context extends OwnContext = OwnContext,
> = GraphOptions<State, Response, Context> & {
  /**
   * Whether `messages` show the steps of a plan to people, as tool calls with results; default false. Models are asked
   * the same either way.
   */
  readonly showSteps?: boolean;
  /** Whether a person reviews every plan, and every change to it, before it runs; default false. */
  readonly reviewPlan?: boolean;
};

/** The option names of every graph. */
export const graphOptionNames: NamesOf<GraphOptions> = {
  ...runOptionNames,
  model: true,
  name: true,
  tools: true,
  toolPolicies: true,
  responseFormat: true,
  checkpointer: true,
  store: true,
  middleware: true,
  checkInput: true,
  checkAnswer: true,
  reviewAnswer: true,
  stateSchema: true,
};

/** Names of options in LangChain's `createAgent`, LangGraph and the AI SDK, with our names for them. */
const elsewhere = {
  llm: "models",
  checkpointSaver: "checkpointer",
  policies: "toolPolicies",
  maxIterations: "limits.modelCalls",
  maxSteps: "limits.modelCalls",
  recursionLimit: "limits.modelCalls",
  stopWhen: "limits",
};

/** Checks the names of options and prompts, and that prompts are texts. Throws `invalid_option` with the nearest name. */
export function checkGraphOptions(
  where: string,
  options: { readonly prompts?: unknown },
  names: { readonly [name: string]: unknown },
  promptNames: { readonly [name: string]: unknown },
): void {
  const [first = ""] = Object.keys(promptNames);
  const prompt = `prompts.${first}`;
  const texts = { prompt, system: "systemPrompt", instructions: "systemPrompt" };
  checkNames(where, options, names, { ...elsewhere, ...texts });
  const { prompts } = options;
  checkNames(`${where}: prompts`, prompts, promptNames, { system: first, systemPrompt: first });
  const wrong = Object.entries(isRecord(prompts) ? prompts : {}).find(
    ([, text]) => text !== undefined && typeof text !== "string",
  );
  if (wrong === undefined) return;
  const [name, text] = wrong;
  const message = `${where}: prompts.${name}: expected a text, got ${shown(text)}.`;
  throw new PlangraphError("invalid_option", message);
}

type ToolGraphOptions = GraphOptions & {
  readonly prompts?: Prompts;
  readonly examples?: { readonly [role: string]: unknown };
};

/** The names of a graph with tools, and its options beyond `GraphOptions`. */
type GraphNames<Options extends ToolGraphOptions, State extends StateDefinition> = {
  /** The graph's name in LangGraph. */
  readonly name: string;
  /** The function that creates it, for error messages. */
  readonly where: string;
  /** The state of the graph, without the keys of its users. */
  readonly base: AnnotationRoot<State>;
  /** Where the graph calls tools. */
  readonly calls: CallPlace;
  readonly options: NamesOf<Omit<Options, keyof ToolGraphOptions>>;
  /** The default of each prompt; that of an agent depends on the tools. */
  readonly prompts: {
    readonly [Name in keyof Required<NonNullable<Options["prompts"]>>]: DefaultPrompt;
  };
  /** What the examples of each role show. */
  readonly examples: {
    readonly [Name in keyof Required<NonNullable<Options["examples"]>>]: ExampleKind;
  };
  /** The roles whose models are required before the first model call. */
  readonly roles: readonly ModelRole[];
  /** The executors that the tasks of a plan may name. */
  readonly executors?: readonly string[];
};

/** The default instructions of a role, or a function of the tools that the run may use. */
type DefaultPrompt = string | ((tools: readonly string[], run: Run) => string);

/** Checks a graph's options; returns the common parts of every graph with tools and the options for compiling it. */
export function graphParts<Options extends ToolGraphOptions, State extends StateDefinition>(
  given: Options,
  made: GraphNames<Options, State>,
) {
  const { where, prompts, roles } = made;
  const names = { ...graphOptionNames, prompts: true, examples: true, ...made.options };
  checkGraphOptions(where, given, names, prompts);
  const { responseFormat, checkpointer, store, middleware = [] } = given;
  checkMiddleware(middleware, where, made.calls);
  const output = responseFormat === undefined ? undefined : zodOutput("response", responseFormat);
  const { toolbox, provided, toolNames } = toolsOf(given, made);
  const checks = checkNodes(where, given, output);
  const known = { prompts: Object.keys(prompts), tools: toolNames };
  const settable = settableIn(given.contextFields, known);
  const run = {
    ...given,
    models: modelsOf(given, where),
    handOffOn: handOffCausesFor(given.handOffOn, hasHandOff(toolbox)),
    settable,
    holdsAnswer: checks.answerReview !== undefined,
    ...withWrappers(given, middleware),
  };
  const schemas = schemasOf(middleware, {
    schema: given.stateSchema,
    where: `${where}: stateSchema`,
  });
  const compile = {
    name: nameOf(given, where) ?? made.name,
    checkpointer,
    store,
    run,
    effects: effectsOf(toolbox),
    ownKeys: ownKeys(schemas),
    hasHooks: hasHooks(middleware),
  };
  return {
    toolbox,
    provided,
    output,
    state: withOwnKeys(made.base, schemas, middleware.length === 0 ? {} : jumps()),
    context: contextSchema(roles, given.contextSchema, settable),
    hooks: { middleware, ...checks },
    /** The instructions of a role. */
    prompt: (role: keyof typeof prompts & string) => promptBy(role, prompts[role], toolNames),
    /** The instructions of an agent with the graph's tools. */
    instructions: promptBy("agent", agentDefault, toolNames),
    compile,
  };
}

/** The tools of a graph: those that this program runs, those of the model's server, and the names of both. */
function toolsOf(
  given: ToolGraphOptions,
  {
    where,
    calls,
    examples,
    executors,
  }: Pick<AnyGraphNames, "where" | "calls" | "examples" | "executors">,
) {
  const ofMiddleware = (given.middleware ?? []).flatMap((one) => one.tools ?? []);
  const { own, provided } = splitTools(given.tools ?? [], calls, given.protocol);
  const toolbox = createToolbox(own, given.toolPolicies, ofMiddleware);
  const known = { tools: [...toolbox.keys(), llmToolName], executors };
  checkExamples(`${where}: examples`, given.examples, examples, known);
  return { toolbox, provided, toolNames: [...toolbox.keys(), ...provided.map(({ type }) => type)] };
}

type AnyGraphNames = GraphNames<ToolGraphOptions, StateDefinition>;

/** The channel of a hook's jump, which no checkpoint keeps. */
const jumps = () => ({ jumpTo: new UntrackedValueChannel() });

function hasHooks(middleware: readonly Middleware[]): boolean {
  return middleware.some((one) => hookPoints.some((point) => one[point] !== undefined));
}

type CheckOption = "checkInput" | "checkAnswer" | "reviewAnswer" | "history";

/** The nodes that check questions and answers, and summarise what came before. Throws `invalid_option` for a check that is no function. */
export function checkNodes(
  where: string,
  { checkInput, checkAnswer, reviewAnswer = false, history }: Pick<GraphOptions, CheckOption>,
  output?: JsonOutputSchema<Json>,
) {
  const rows = [
    { option: "checkInput", given: checkInput, types: ["undefined", "function"] },
    { option: "checkAnswer", given: checkAnswer, types: ["undefined", "function"] },
    { option: "reviewAnswer", given: reviewAnswer, types: ["boolean", "function"] },
  ];
  const wrong = rows.find(({ given, types }) => !types.includes(typeof given));
  if (wrong !== undefined) {
    const expected = wrong.types.includes("boolean") ? "true, false or a function" : "a function";
    const message = `${where}: ${wrong.option}: expected ${expected}, got ${shown(wrong.given)}.`;
    throw new PlangraphError("invalid_option", message);
  }
  const isHeld = checkAnswer !== undefined || reviewAnswer !== false;
  return {
    checkInput: checkInput === undefined ? undefined : createInputCheck(checkInput),
    history: summarizes(history) ? createHistory() : undefined,
    answerReview: isHeld ? createAnswerReview({ checkAnswer, reviewAnswer, output }) : undefined,
  };
}

/** The instructions of a role: of the context, the options, or the default for the tools that the run may use. */
function promptBy(role: string, byDefault: DefaultPrompt, tools: readonly string[]): Instructions {
  if (typeof byDefault === "string") return promptOf(role, byDefault);
  return promptOf(role, (run) => byDefault(tools.filter(run.mayUse), run));
}

/**
 * The default instructions of an agent. A system prompt takes their place, as it is all that an agent of LangChain's
 * reads.
 */
export function agentDefault(tools: readonly string[], { settings }: Run): string {
  return settings.systemPrompt === undefined ? agentInstructions(tools, settings.handOffOn) : "";
}

function modelsOf({ model, models }: GraphOptions, where: string): Models | undefined {
  if (model === undefined || models === undefined) return models ?? model;
  const message = `${where}: expected model or models, got both. models may name a model for each role.`;
  throw new PlangraphError("invalid_option", message);
}

function nameOf({ name }: { readonly name?: unknown }, where: string): string | undefined {
  if (name === undefined || (typeof name === "string" && name.trim() !== "")) return name;
  throw new PlangraphError(
    "invalid_option",
    `${where}: name: expected a text, got ${shown(name)}.`,
  );
}
