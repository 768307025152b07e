import type { BaseMessageLike } from "@langchain/core/messages";
import type { InferInteropZodOutput } from "@langchain/core/utils/types";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { checkNames, shown } from "../run/check-names.js";
import { type AgentGraph, graphTool, type GraphTool } from "../runtime/graph-tool.js";

/** Options of a graph as a tool with the parameter `question`. */
export type AsToolOptions = {
  readonly name: string;
  /** The purpose of the graph, for the calling model. */
  readonly description: string;
  /** Whether a handoff of the sub-run also ends the calling run; default false: the calling model reads the reason. */
  readonly endsOnHandOff?: boolean;
  /** Whether a sub-run that was stopped at a limit is a failed call; default false: the calling model reads what it found. */
  readonly failsAtLimit?: boolean;
};

/** The same options with other parameters. */
export type AsToolInput<Schema extends z.ZodObject> = {
  readonly schema: Schema;
  /** Returns the question for the graph from the arguments. */
  readonly messages: (args: InferInteropZodOutput<Schema>) => readonly BaseMessageLike[];
};

const names = {
  name: true,
  description: true,
  endsOnHandOff: true,
  failsAtLimit: true,
  schema: true,
  messages: true,
} satisfies { readonly [Name in keyof Required<AsToolOptions & AsToolInput<z.ZodObject>>]: true };

const Question = z.object({
  question: z.string().describe("The question or task, complete in itself."),
});

const fromQuestion: AsToolInput<typeof Question> = {
  schema: Question,
  messages: ({ question }) => [{ role: "user", content: question }],
};

/**
 * Makes a graph a tool for a model. The result is the sub-run's answer, with `structuredResponse` as the artifact, or
 * the way it ended. In a run of plangraph, the sub-run shares limits, usage, events and the abort signal, and the
 * calling run asks its questions to people together with all others of the turn. Elsewhere it pauses if the surrounding
 * graph has a checkpointer. It has no time-out of its own; a policy may set one. Throws `not_a_plangraph` for any other
 * graph.
 */
export function asTool<Schema extends z.ZodObject>(
  graph: AgentGraph,
  options: AsToolOptions & AsToolInput<Schema>,
): GraphTool<Schema>;
export function asTool(graph: AgentGraph, options: AsToolOptions): GraphTool<typeof Question>;
export function asTool<Schema extends z.ZodObject>(
  graph: AgentGraph,
  options: AsToolOptions | (AsToolOptions & AsToolInput<Schema>),
): GraphTool<typeof Question> | GraphTool<Schema> {
  checkNames("asTool", options, names);
  const { name, description }: { name: unknown; description: unknown } = options;
  for (const [field, text] of Object.entries({ name, description })) {
    if (typeof text === "string" && text.trim() !== "") continue;
    const message = `asTool: ${field}: expected a text that the calling model reads, got ${shown(text)}.`;
    throw new PlangraphError("invalid_option", message);
  }
  return "schema" in options
    ? graphTool(graph, options)
    : graphTool(graph, { ...options, ...fromQuestion });
}
