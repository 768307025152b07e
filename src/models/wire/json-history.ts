import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
  type MessageContent,
  SystemMessage,
  type ToolMessage,
} from "@langchain/core/messages";

import {
  actionText,
  finalActionFor,
  jsonInstructions,
  observationReminder,
  observationText,
  type ToolForm,
} from "../../prompts/tool-protocol.js";
import { shownOf } from "./result-images.js";

/**
 * A conversation as the JSON protocol has it: tool calls and their results as text, and with tools the
 * instructions at the end of the system message. Expects a whole history.
 */
export function jsonHistory(
  messages: readonly BaseMessage[],
  tools: readonly ToolForm[],
): BaseMessage[] {
  const turns = messages.flatMap((message, at) =>
    isToolMessage(message) ? [] : turnOf(message, messages.slice(at + 1), tools),
  );
  if (tools.length === 0) return turns;
  const instructions = jsonInstructions(tools);
  const last = messages.at(-1);
  const isObserved = last !== undefined && isToolMessage(last);
  const [first, ...rest] = isObserved ? withReminder(turns) : turns;
  if (first?.type === "system") {
    return [new SystemMessage(`${first.text}\n\n${instructions}`), ...rest];
  }
  return [new SystemMessage(instructions), ...(first === undefined ? [] : [first]), ...rest];
}

function withReminder(turns: readonly BaseMessage[]): BaseMessage[] {
  const newest = turns.at(-1);
  const { content = "" } = newest ?? {};
  const reminded =
    typeof content === "string"
      ? `${content}\n${observationReminder}`
      : [...content, { type: "text", text: observationReminder }];
  return [...turns.slice(0, -1), new HumanMessage({ content: reminded })];
}

function turnOf(
  message: BaseMessage,
  after: readonly BaseMessage[],
  tools: readonly ToolForm[],
): BaseMessage[] {
  if (!isAIMessage(message)) return [message];
  const { tool_calls: calls = [], text } = message;
  if (calls.length === 0) {
    if (tools.length === 0) return [message];
    return [new AIMessage(actionText(thoughtOf(message), finalActionFor(tools), text))];
  }
  const thought = [thoughtOf(message), text].filter((each) => each !== "").join("\n");
  return calls.flatMap(({ id, name, args }) => {
    const result = after.filter(isToolMessage).find((each) => each.tool_call_id === id);
    return [
      new AIMessage(actionText(thought, name, args)),
      new HumanMessage({ content: observationContent(result) }),
    ];
  });
}

/** A result's text, and behind it the images of the result. */
function observationContent(result: ToolMessage | undefined): MessageContent {
  const text = observationText(result?.text ?? "");
  const shown = result === undefined ? [] : shownOf(result);
  return shown.length === 0 ? text : [{ type: "text", text }, ...shown];
}

function thoughtOf({ additional_kwargs: kwargs }: AIMessage): string {
  const thought: unknown = kwargs["reasoning_content"];
  return typeof thought === "string" ? thought : "";
}
