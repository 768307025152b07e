import type { StructuredToolInterface } from "@langchain/core/tools";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { type ResponseFormat, zodOutput } from "../models/structured-output.js";
import { checkNames, type NamesOf, shown } from "../run/check-names.js";
import { handOffCausesFor } from "../runtime/hand-off.js";
import { runOptionNames, type RunOptions } from "../runtime/options.js";
import type { ToolPolicy } from "../tools/policy.js";
import { createToolbox, effectsOf, hasHandOff } from "../tools/toolbox.js";

/** Options of every graph, whatever its method. Every field is optional. */
export type GraphOptions = RunOptions & {
  /** LangChain tools, with or without a policy. */
  readonly tools?: readonly StructuredToolInterface[];
  /** Policies by tool name; they override those attached with `withPolicy`. */
  readonly toolPolicies?: { readonly [name: string]: ToolPolicy };
  /** A zod schema: the result then has `structuredResponse`. */
  readonly responseFormat?: ResponseFormat;
  /** Stores runs, so that they can pause and survive a crash. Default: the checkpointer of a surrounding graph. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
};

/** The option names of every graph. */
export const graphOptionNames: NamesOf<GraphOptions> = {
  ...runOptionNames,
  tools: true,
  toolPolicies: true,
  responseFormat: true,
  checkpointer: true,
  store: true,
};

/** Names of options in LangChain's `createAgent`, LangGraph and the AI SDK, with our names for them. */
const elsewhere = {
  model: "models",
  llm: "models",
  middleware: "wrapModelCall and wrapToolCall",
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
  const texts = { prompt, systemPrompt: prompt, system: prompt, instructions: prompt };
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

type ToolGraphOptions = GraphOptions & { readonly prompts?: object };

/** The names of a graph with tools, and its options beyond `GraphOptions`. */
type GraphNames<Options extends ToolGraphOptions> = {
  /** The graph's name in LangGraph. */
  readonly name: string;
  /** The function that creates it, for error messages. */
  readonly where: string;
  readonly options: NamesOf<Omit<Options, keyof ToolGraphOptions>>;
  readonly prompts: NamesOf<NonNullable<Options["prompts"]>>;
};

/** Checks a graph's options; returns the common parts of every graph with tools and the options for compiling it. */
export function graphParts<Options extends ToolGraphOptions>(
  given: Options,
  { name, where, options, prompts }: GraphNames<Options>,
) {
  checkGraphOptions(where, given, { ...graphOptionNames, prompts: true, ...options }, prompts);
  const { tools = [], toolPolicies, responseFormat, checkpointer, store } = given;
  const output = responseFormat === undefined ? undefined : zodOutput("response", responseFormat);
  const toolbox = createToolbox(tools, toolPolicies);
  const handOffOn = handOffCausesFor(given.handOffOn, hasHandOff(toolbox));
  const run = { ...given, handOffOn };
  const compile = { name, checkpointer, store, run, effects: effectsOf(toolbox) };
  return { tools, toolbox, handOffOn, output, compile };
}
