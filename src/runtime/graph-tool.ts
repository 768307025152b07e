import { type BaseMessage, type BaseMessageLike, ToolMessage } from "@langchain/core/messages";
import { tool, type ToolRunnableConfig } from "@langchain/core/tools";
import type { InferInteropZodOutput } from "@langchain/core/utils/types";
import { INTERRUPT, isInterrupted, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined, type Json } from "../json/json.js";
import type { Step } from "../plan/step.js";
import { subRunResult, type SubRunResult } from "../prompts/endings.js";
import type { AnswerChat } from "../run/answer-chat.js";
import type { ContextSettings } from "../run/context-fields.js";
import {
  type GivenTask,
  type ParentRun,
  parentRunOf,
  type SubRunEnd,
  withParentRun,
} from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import type { SubRunState } from "../state/pending.js";
import type { PersonRequests } from "../state/person-requests.js";
import { withMarks, withPolicy } from "../tools/policy.js";
import { compiledGraph } from "./compile-graph.js";

/** How a graph becomes a tool. */
type GraphToolOptions<Schema extends z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  /** A handoff in the sub-run ends the calling run, too. */
  readonly endsOnHandOff?: boolean;
  /** A sub-run that was stopped at a limit is a failed call. */
  readonly failsAtLimit?: boolean;
  readonly schema: Schema;
  /** The messages for the graph, from the arguments and the call id. */
  readonly messages: (
    args: InferInteropZodOutput<Schema>,
    callId: string,
  ) => readonly BaseMessageLike[];
  /** Values of state keys that the graph starts with. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The chat for the answer of a call, if the calling run ends with it. */
  readonly chat?: (callId: string) => AnswerChat | undefined;
  /** The task of a plan that a call carries out. */
  readonly task?: (callId: string) => GivenTask | undefined;
  /** What the context of the calling run sets for the graph. */
  readonly set?: ContextSettings;
};

/** A graph as a LangChain tool. */
export type GraphTool<Schema extends z.ZodObject> = ReturnType<typeof graphTool<Schema>>;

/**
 * Makes a tool of a graph. Its result is the sub-run's answer with `structuredResponse` as the artifact, or the reason
 * why there is none. Throws `not_a_plangraph` for any other graph.
 */
export function graphTool<Schema extends z.ZodObject>(
  graph: AgentGraph,
  options: GraphToolOptions<Schema>,
) {
  const { name, description, schema, messages } = options;
  const compiled = compiledGraph(graph);
  if (compiled === undefined) throw notOurs(name);
  const ask = async (args: InferInteropZodOutput<Schema>, config: ToolRunnableConfig) => {
    const parent = parentRunOf(config);
    const { subRun, decisions } = parent?.call?.continues ?? {};
    const input =
      subRun === undefined
        ? { ...options.state, messages: messages(args, config.toolCall?.id ?? "") }
        : { ...subRun.state, decisions };
    const result = await graph.invoke(input, forSubRun(config, options));
    const end = reportEnd(result, parent, options);
    return asMessage(saidOf(options, result, end), name, result, config.toolCall?.id);
  };
  const made = tool(ask, { name, description, schema });
  const { effects } = compiled;
  return withPolicy(withMarks(made, { role: "sub_run", effects }), { timeoutMs: Infinity });
}

/** The config of a sub-run, with the chat for its answer, its task and what is set for it. */
function forSubRun(
  config: ToolRunnableConfig,
  { chat, task, set }: Pick<GraphToolOptions<never>, "chat" | "task" | "set">,
) {
  const parent = parentRunOf(config);
  if (parent === undefined) return config;
  const id = config.toolCall?.id ?? "";
  return withParentRun(config, { ...parent, chat: chat?.(id), task: task?.(id), set });
}

type HandingOff = { readonly endsOnHandOff?: boolean };

/** Reports the sub-run's end to the calling run. */
function reportEnd(
  result: AgentResult,
  parent: ParentRun | undefined,
  options: HandingOff,
): SubRunEnd | undefined {
  if (parent === undefined) return undefined;
  // A sub-run that had ended before a crash has not recorded its usage here.
  if (result.run !== undefined) parent.budget.recordSubRun(result.run, result.usage);
  if (parent.call === undefined) return undefined;
  const end = endOf(result, options);
  parent.call.report(end);
  return end;
}

function notOurs(name: string): PlangraphError {
  const message = `The tool "${name}" needs a graph of plangraph, such as createReactGraph(…) gives; any other becomes a tool by its own asTool.`;
  return new PlangraphError("not_a_plangraph", message);
}

/** A tool's result for a call; only the text where there is no call. */
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

/** The end of a sub-run as the calling run needs it. */
function endOf(result: AgentResult, { endsOnHandOff = false }: HandingOff): SubRunEnd {
  const { observations = [] } = result;
  const { status, limit, requests, reason = "" } = outcomeOf(result);
  if (status === "needs_input" && requests !== undefined) {
    return { kind: "waits", state: result, requests };
  }
  const ended = { status, ...defined({ limit }) };
  const run = { outcome: ended, observations };
  const handsOff = status === "handed_off" && endsOnHandOff ? { handsOff: reason } : {};
  return { kind: "ended", run, ...handsOff };
}

/** How the sub-run ended; a graph with a checkpointer of its own pauses when it has no parent. */
function outcomeOf(result: AgentResult): Outcome {
  const { outcome = { status: "answered" } } = result;
  return isInterrupted<PersonRequests>(result) ? { status: "needs_input" } : outcome;
}

/** What the calling model reads. */
function saidOf(
  { name, failsAtLimit = false }: Pick<GraphToolOptions<never>, "name" | "failsAtLimit">,
  result: AgentResult,
  end: SubRunEnd | undefined,
): SubRunResult {
  const { answer = "" } = result;
  const outcome = outcomeOf(result);
  if (end?.kind === "ended" && end.handsOff !== undefined) {
    return { ok: true, text: [end.handsOff, outcome.summary ?? ""].join("\n").trim() };
  }
  const paused = isInterrupted<PersonRequests>(result) ? result[INTERRUPT] : [];
  const requests = [outcome.requests, ...paused.map(({ value }) => value)];
  const asked = requests.flatMap((asks) => asks?.action_requests ?? []);
  const texts = asked.map(({ description }) => description);
  const said = subRunResult(name, answer, outcome, texts);
  return outcome.status === "limit" && failsAtLimit ? { ...said, ok: false } : said;
}

/** The part of a compiled graph that a calling graph needs. */
export type AgentGraph = {
  // LangGraph types the input by the graph's state; it is messages, or an earlier result with decisions.
  invoke(input: object, config?: LangGraphRunnableConfig): Promise<AgentResult>;
};

/** The part of a compiled graph that streams, and tells the state of a thread. */
export type RunnableGraph = {
  stream(
    input: unknown,
    config: LangGraphRunnableConfig & { streamMode: ("custom" | "messages" | "values")[] },
  ): Promise<AsyncIterable<unknown>>;
  getState(config: LangGraphRunnableConfig): Promise<{
    readonly values: unknown;
    readonly tasks: readonly { readonly interrupts: readonly unknown[] }[];
  }>;
};

/** The part of a graph's result that the calling run uses. */
export type AgentResult = SubRunState & {
  readonly messages?: BaseMessage[];
  readonly answer?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly structuredResponse?: Json | undefined;
  readonly observations?: Observation[];
  /** The plan, in graphs that have one. */
  readonly steps?: readonly Step[];
};
