import { type BaseMessageLike, ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRunnableConfig } from "@langchain/core/tools";
import type { InferInteropZodOutput } from "@langchain/core/utils/types";
import { INTERRUPT, isInterrupted } from "@langchain/langgraph";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { type ParentRun, parentRunOf, type SubRunEnd } from "../guards/parent-run.js";
import { subRunResult, type SubRunResult } from "../prompts/sub-run-result.js";
import type { AgentGraph, AgentResult } from "../runtime/agent-graph.js";
import { compiledGraph } from "../runtime/compile-graph.js";
import type { Outcome } from "../state/outcome.js";
import type { PersonRequests } from "../state/person.js";
import { withPolicy, withRole, withWrites } from "../tools/policy.js";

/** How a graph is offered to a model as a tool with the parameter `question`. */
export type AsToolOptions = {
  readonly name: string;
  /** What the graph is good for, as the calling model reads it. */
  readonly description: string;
  /** A sub-run that hands off ends the calling run as well; default false: the calling model is told. */
  readonly endsOnHandOff?: boolean;
};

/** The same with other parameters. */
export type AsToolInput<Schema extends z.ZodObject> = {
  readonly schema: Schema;
  /** What the graph is asked, from the arguments. */
  readonly messages: (args: InferInteropZodOutput<Schema>) => readonly BaseMessageLike[];
};

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
  return "schema" in options
    ? toolOf(graph, options, options)
    : toolOf(graph, options, fromQuestion);
}

/** A graph as a LangChain tool. */
type GraphTool<Schema extends z.ZodObject> = ReturnType<typeof toolOf<Schema>>;

function toolOf<Schema extends z.ZodObject>(
  graph: AgentGraph,
  options: AsToolOptions,
  { schema, messages }: AsToolInput<Schema>,
) {
  const { name, description } = options;
  const compiled = compiledGraph(graph);
  if (compiled === undefined) throw notOurs(name);
  const ask = async (args: InferInteropZodOutput<Schema>, config: ToolRunnableConfig) => {
    const parent = parentRunOf(config);
    const { subRun, decisions } = parent?.call?.continues ?? {};
    const input =
      subRun === undefined ? { messages: messages(args) } : { ...subRun.state, decisions };
    const result = await graph.invoke(input, config);
    const end = told(result, parent, options);
    return asMessage(saidOf(name, result, end), name, result, config.toolCall?.id);
  };
  const made = tool(ask, { name, description, schema });
  const policed = withPolicy(made, { timeoutMs: Infinity });
  return withRole(compiled.writes ? withWrites(policed) : policed, "sub_run");
}

/** Tells the calling run what it has to know of the sub-run's end. */
function told(
  result: AgentResult,
  parent: ParentRun | undefined,
  options: AsToolOptions,
): SubRunEnd | undefined {
  if (parent === undefined) return undefined;
  // A sub-run that had ended before a crash has told nothing of what it used.
  if (result.run !== undefined) parent.ledger.takeUp(result.run, result.usage);
  const end = endOf(result, options);
  if (end !== undefined) parent.call?.report(end);
  return parent.call === undefined ? undefined : end;
}

function notOurs(name: string): PlangraphError {
  const message = `The tool "${name}" needs a graph of plangraph, such as createReactGraph(…) gives; any other becomes a tool by its own asTool.`;
  return new PlangraphError("not_a_plangraph", message);
}

/** A tool's result for a call; the text alone where there is no call to answer. */
function asMessage(
  { ok, text }: SubRunResult,
  name: string,
  { structuredResponse }: AgentResult,
  callId: string | undefined,
): ToolMessage | string {
  if (callId === undefined) return text;
  const status = ok ? "success" : "error";
  const fields = { content: text, status, name, artifact: structuredResponse } as const;
  return new ToolMessage({ ...fields, tool_call_id: callId });
}

/** The end that the calling run has a part in, if it is one. */
function endOf(
  result: AgentResult,
  { endsOnHandOff = false }: AsToolOptions,
): SubRunEnd | undefined {
  const { status, requests } = result.outcome ?? {};
  if (status === "needs_input" && requests !== undefined) {
    return { kind: "waits", state: result, requests };
  }
  return status === "handed_off" && endsOnHandOff ? { kind: "handed_off" } : undefined;
}

/** What the calling model reads of the sub-run. */
function saidOf(name: string, result: AgentResult, end: SubRunEnd | undefined): SubRunResult {
  const { answer = "", outcome = { status: "answered" } } = result;
  if (end?.kind === "handed_off") return { ok: true, text: outcome.reason ?? "" };
  // A graph with a checkpointer of its own pauses outside of any run.
  const paused = isInterrupted<PersonRequests>(result) ? result[INTERRUPT] : [];
  const requests = [outcome.requests, ...paused.map(({ value }) => value)];
  const asked = requests.flatMap((asks) => asks?.action_requests ?? []);
  const ended: Outcome = paused.length > 0 ? { status: "needs_input" } : outcome;
  const texts = asked.map(({ description }) => description);
  return subRunResult(name, answer, ended, texts);
}
