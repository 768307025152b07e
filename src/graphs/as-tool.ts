import type { BaseMessageLike } from "@langchain/core/messages";
import type { InferInteropZodOutput } from "@langchain/core/utils/types";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { checkNames, shown } from "../run/check-names.js";
import { type AgentGraph, graphTool, type GraphTool } from "../runtime/graph-tool.js";

/** How a graph is offered to a model as a tool with the parameter `question`. */
export type AsToolOptions = {
  readonly name: string;
  /** What the graph is good for, as the calling model reads it. */
  readonly description: string;
  /** A sub-run that hands off ends the calling run as well; default false: the calling model reads why. */
  readonly endsOnHandOff?: boolean;
};

/** The same with other parameters. */
export type AsToolInput<Schema extends z.ZodObject> = {
  readonly schema: Schema;
  /** What the graph is asked, from the arguments. */
  readonly messages: (args: InferInteropZodOutput<Schema>) => readonly BaseMessageLike[];
};

const names = {
  name: true,
  description: true,
  endsOnHandOff: true,
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
 * Offers a graph to a model as a tool: the result is the sub-run's answer, with `structuredResponse` as
 * the artifact, or what the sub-run ended with instead. In a run of plangraph it shares limits, usage,
 * events and the abort signal, and what it asks people is asked by the calling run, together with
 * everything else of the turn. Elsewhere it pauses where the surrounding graph has a checkpointer. It
 * has no time-out of its own; a policy may give it one. Throws `not_a_plangraph` for any other graph.
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
