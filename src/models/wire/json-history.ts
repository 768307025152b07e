import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
  SystemMessage,
} from "@langchain/core/messages";

import type { ToolForm } from "../../prompts/argument-form.js";
import {
  actionText,
  finalAction,
  jsonInstructions,
  observationText,
} from "../../prompts/json-protocol.js";

/**
 * A conversation as the JSON protocol has it: tool calls and their results as text, and with tools the
 * instructions at the end of the system message. Expects a whole history.
 */
export function jsonHistory(
  messages: readonly BaseMessage[],
  tools: readonly ToolForm[],
): BaseMessage[] {
  const turns = messages.flatMap((message, at) =>
    isToolMessage(message) ? [] : turnOf(message, messages.slice(at + 1), tools.length > 0),
  );
  if (tools.length === 0) return turns;
  const instructions = jsonInstructions(tools);
  const [first] = turns;
  return first?.type === "system"
    ? [new SystemMessage(`${first.text}\n\n${instructions}`), ...turns.slice(1)]
    : [new SystemMessage(instructions), ...turns];
}

function turnOf(message: BaseMessage, after: readonly BaseMessage[], acts: boolean): BaseMessage[] {
  if (!isAIMessage(message)) return [message];
  const { tool_calls: calls = [], text } = message;
  if (calls.length === 0) {
    return [acts ? new AIMessage(actionText(thoughtOf(message), finalAction, text)) : message];
  }
  const thought = [thoughtOf(message), text].filter((each) => each !== "").join("\n");
  return calls.flatMap(({ id, name, args }) => {
    const result = after.filter(isToolMessage).find((each) => each.tool_call_id === id);
    return [
      new AIMessage(actionText(thought, name, args)),
      new HumanMessage(observationText(result?.text ?? "")),
    ];
  });
}

function thoughtOf({ additional_kwargs: kwargs }: AIMessage): string {
  const thought: unknown = kwargs["reasoning_content"];
  return typeof thought === "string" ? thought : "";
}
