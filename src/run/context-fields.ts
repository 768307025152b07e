import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { shown } from "./check-names.js";
import { issueLines } from "./errors.js";

/** Options that a run's context may set in their place, where a graph's `contextFields` lists them. */
export const contextFieldNames = ["systemPrompt", "prompts", "tools"] as const;

/** An option that a run's context may set in its place. */
export type ContextField = (typeof contextFieldNames)[number];

/** Instructions by the name of the prompt. */
export type Prompts = { readonly [name: string]: string | undefined };

/** What a context sets for one run. */
export type ContextSettings = {
  readonly systemPrompt?: string | undefined;
  readonly prompts?: Prompts | undefined;
  /** The names of the tools that remain. */
  readonly tools?: readonly string[] | undefined;
};

/** What a context may set in a graph. */
export type Settable = {
  readonly listed: readonly ContextField[];
  readonly schema: ReturnType<typeof fieldSchemas>;
};

/** The prompts and tools of a graph by name; by default any. */
type Known = {
  readonly prompts?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
};

const allPrompts = ["agent", "planner", "executor", "replanner", "joiner", "solver", "router"];

function fieldSchemas({ prompts = allPrompts, tools }: Known) {
  const texts = Object.fromEntries(prompts.map((name) => [name, z.string().optional()]));
  const tool = tools === undefined ? z.string() : z.enum(tools);
  return z.object({
    systemPrompt: z.string().optional().describe("Instructions for every model call"),
    prompts: z.strictObject(texts).optional().describe("Instructions by role"),
    tools: z.array(tool).optional().describe("The tools that the run may use, all by default"),
  });
}

/** What a context may set in a graph: the fields of its `contextFields`. Throws `invalid_option` for any other. */
export function settableIn(listed: readonly ContextField[] = [], known: Known = {}): Settable {
  const schema = fieldSchemas(known);
  const isList = Array.isArray(listed);
  const wrong = isList ? listed.find((name) => !contextFieldNames.includes(name)) : listed;
  if (wrong === undefined) return { listed, schema };
  const fields = contextFieldNames.map((name) => `"${name}"`).join(", ");
  const message = `contextFields: expected a list of ${fields}, got ${shown(wrong)}.`;
  throw new PlangraphError("invalid_option", message);
}

/** The fields for LangGraph's schema of a graph's context. */
export function shownSettable({ listed, schema }: Settable) {
  return Object.fromEntries(listed.map((name) => [name, schema.shape[name]]));
}

/** What a context sets. Throws `invalid_context` for a field that the graph does not list, and for a wrong value. */
export function settingsIn(context: unknown, { listed, schema }: Settable): ContextSettings {
  const given = isRecord(context) ? context : {};
  const names = contextFieldNames.filter((name) => given[name] !== undefined);
  const refused = names.find((name) => !listed.includes(name));
  if (refused !== undefined) {
    const message = `context.${refused}: this graph does not let a run set it. List it in the graph's contextFields, or give a field of your own another name.`;
    throw new PlangraphError("invalid_context", message);
  }
  const read = schema.safeParse(Object.fromEntries(names.map((name) => [name, given[name]])));
  if (read.success) return read.data;
  const problems = issueLines(
    read.error.issues,
    "context",
    Object.keys(schema.shape.prompts.unwrap().shape),
  );
  throw new PlangraphError("invalid_context", problems.join("; "), { cause: read.error });
}

/** What the calling run's context sets for a graph that works for it: the fields that the graph lists. */
export function inheritedSettings(
  { systemPrompt, prompts, tools }: ContextSettings = {},
  { listed }: Settable,
): ContextSettings {
  return {
    ...(listed.includes("systemPrompt") ? { systemPrompt } : {}),
    ...(listed.includes("prompts") ? { prompts } : {}),
    ...(listed.includes("tools") ? { tools } : {}),
  };
}
