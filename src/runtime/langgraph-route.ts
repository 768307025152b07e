import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  isToolMessage,
} from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { isRecord, type Json } from "../json/json.js";
import { readMessages } from "../models/message.js";
import { errorLine } from "../observe/redact.js";
import { Budget } from "../run/budget.js";
import { isControlFlow } from "../run/errors.js";
import { unlimited } from "../run/limits.js";
import { parentRunOf, withParentRun } from "../run/scope.js";
import { untilAborted } from "../run/signals.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import { addUsage, roleUsage, toolUsage, type Usage } from "../state/usage.js";
import type { Run } from "./enter-run.js";

/** A LangGraph graph, or an agent of LangChain, with `messages` in its state. */
export type MessagesGraph = {
  // Its own types say more about its input and result.
  readonly invoke: (input: never, config?: never) => Promise<unknown>;
};

/** Why a value cannot be a route: it is no graph, or has no `messages`; `undefined` for one that can. */
export function whyNoMessagesGraph(value: unknown): string | undefined {
  const graph = compiledIn(value);
  if (graph === undefined) return "it is no graph";
  const channels: unknown = Reflect.get(graph, "channels");
  return isRecord(channels) && "messages" in channels ? undefined : 'its state has no "messages"';
}

/** The compiled graph of a value: itself, or that of an agent of LangChain. */
function compiledIn(value: unknown): object | undefined {
  const inner = isObject(value) ? [value, Reflect.get(value, "graph")] : [];
  return inner.filter(isObject).find((each) => Reflect.get(each, "lg_is_pregel") === true);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** What a route's graph has answered. */
type Answered = {
  readonly messages: readonly BaseMessage[];
  readonly answer: string | undefined;
  readonly outcome: Outcome;
  readonly structuredResponse?: Json;
  readonly usage: Usage;
};

/**
 * Runs a graph that is not of plangraph on a conversation. Its last message is the answer. It pauses and resumes by
 * itself, as in any node of LangGraph's; an error of its own ends the run as failed, and the run's time limit stops it.
 */
export async function runMessagesGraph(
  graph: MessagesGraph,
  messages: readonly BaseMessage[],
  name: string,
  { budget, clock, config }: Pick<Run, "budget" | "clock" | "config">,
): Promise<Answered> {
  const signal = budget.signal();
  const inside = new Budget({ limits: unlimited, clock, parent: budget });
  const parent = parentRunOf(config);
  const given = { ...config, signal };
  const own = parent === undefined ? given : withParentRun(given, { ...parent, budget: inside });
  try {
    const input = { messages: [...messages] };
    const result: unknown = await untilAborted(async () => invoked(graph, input, own), signal);
    const answered = readResult(result, messages, name);
    budget.replay(answered.usage);
    return { ...answered, usage: addUsage(answered.usage, inside.usage()) };
  } catch (error) {
    if (isControlFlow(error)) throw error;
    config.signal?.throwIfAborted();
    const outcome: Outcome = signal.aborted
      ? { status: "limit", limit: "seconds" }
      : failedOutcome(`The route "${name}" failed: ${errorLine(error)}`);
    return { messages, answer: undefined, outcome, usage: inside.usage() };
  }
}

function invoked(graph: MessagesGraph, input: object, config: LangGraphRunnableConfig): unknown {
  return Reflect.apply(graph.invoke, graph, [input, config]);
}

function readResult(result: unknown, before: readonly BaseMessage[], name: string): Answered {
  const fields = isRecord(result) ? result : {};
  const messages = readMessages(fields["messages"]);
  const known = new Set(before.map(({ id }) => id));
  const added = messages.filter(({ id }) => id === undefined || !known.has(id));
  const usage = usageOf(added, name);
  const last = added.at(-1);
  const form: unknown = fields["structuredResponse"];
  if (last === undefined || !isAIMessage(last)) {
    const outcome = failedOutcome(`The route "${name}" gave no answer: its last message is none.`);
    return { messages, answer: undefined, outcome, usage };
  }
  return {
    messages,
    answer: last.text,
    outcome: { status: "answered" },
    ...(isJson(form) ? { structuredResponse: form } : {}),
    usage,
  };
}

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** The usage that messages tell: a model's reply is a model call, a result a tool call. */
function usageOf(messages: readonly BaseMessage[], name: string): Usage {
  const replies = messages.filter(isAIMessage).map((message) => replyUsage(message, name));
  const calls = toolUsage(messages.filter(isToolMessage).length);
  return replies.reduce(addUsage, calls);
}

function replyUsage({ usage_metadata: used }: AIMessage, name: string): Usage {
  const { input_tokens: tokensIn = 0, output_tokens: tokensOut = 0 } = used ?? {};
  const usage = roleUsage(`route:${name}`, { modelCalls: 1, tokensIn, tokensOut });
  return used === undefined ? { ...usage, estimated: true } : usage;
}
