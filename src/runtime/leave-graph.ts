import {
  type BaseMessage,
  isAIMessage,
  isToolMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import { Command, Send } from "@langchain/langgraph";

import { readMessages } from "../models/message.js";
import type { Leave } from "../state/pending.js";
import type { Usage } from "../state/usage.js";
import { noUsage } from "../state/usage.js";
import { finishRun } from "./end-run.js";
import type { Run } from "./enter-run.js";

/**
 * Ends a run with a tool's Command for the surrounding graph: LangGraph gives that graph the Command's update in place of
 * the result of this one.
 */
export function leaveGraph(
  { callId, update, goto }: Leave,
  results: readonly ToolMessage[],
  used: Usage,
  run: Run,
): Command {
  const answer = results.find((result) => result.tool_call_id === callId)?.text ?? "";
  finishRun(used, { answer, outcome: { status: "answered" }, usage: noUsage }, run);
  return new Command({
    graph: Command.PARENT,
    update: update.map(([key, value]): [string, unknown] => [
      key,
      key === "messages" ? withResults(readMessages(value), results) : value,
    ]),
    goto: goto.map((to) => (typeof to === "string" ? to : new Send(to.node, to.args))),
  });
}

/** The Command's messages with the results of the turn's other calls, if they have the turn: a call needs its result. */
function withResults(messages: readonly BaseMessage[], results: readonly ToolMessage[]) {
  const calls = messages.filter(isAIMessage).flatMap(({ tool_calls = [] }) => tool_calls);
  const open = new Set(calls.map(({ id }) => id));
  for (const message of messages.filter(isToolMessage)) open.delete(message.tool_call_id);
  return [...messages, ...results.filter((result) => open.has(result.tool_call_id))];
}
