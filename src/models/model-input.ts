import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  isToolMessage,
} from "@langchain/core/messages";
import { convertToOpenAITool, isLangChainTool } from "@langchain/core/utils/function_calling";

import { defined, isRecord, jsonCopy, type Json, type JsonObject } from "../json/json.js";
import type { InputMessage, ModelInput } from "../observe/observer.js";
import { mediaKind } from "./provider/media.js";
import type { ProviderRequest } from "./provider/tool-protocol.js";

/** A request as observers see it. */
export function modelInput({ messages, tools, options }: ProviderRequest): ModelInput {
  const form = jsonCopy(options["response_format"]);
  return {
    messages: messages.map(inputMessage),
    tools: tools.map(toolData),
    ...(form === undefined ? {} : { form }),
  };
}

function toolData(tool: ProviderRequest["tools"][number]): JsonObject {
  const data: Json | undefined = jsonCopy(isLangChainTool(tool) ? convertToOpenAITool(tool) : tool);
  return isRecord(data) ? data : {};
}

const roles: ReadonlyMap<string, InputMessage["role"]> = new Map([
  ["system", "system"],
  ["ai", "assistant"],
  ["tool", "tool"],
]);

function inputMessage(message: BaseMessage): InputMessage {
  const toolCalls = isAIMessage(message) ? callsIn(message) : undefined;
  return {
    role: roles.get(message.type) ?? "user",
    text: textOf(message),
    ...defined({ toolCalls }),
    ...(isToolMessage(message) ? { toolCallId: message.tool_call_id } : {}),
  };
}

/** The tool calls of a reply, as the model wrote them; `undefined` if it has none. */
export function callsIn({ tool_calls: calls = [] }: AIMessage): InputMessage["toolCalls"] {
  if (calls.length === 0) return undefined;
  return calls.map(({ id = "", name, args }) => {
    const data = jsonCopy(args);
    return { id, name, args: isRecord(data) ? data : {} };
  });
}

/** The text of a message, with content of another kind named in brackets. */
function textOf({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => (typeof block["text"] === "string" ? block["text"] : `[${kindOf(block)}]`))
    .join("\n");
}

function kindOf(block: Parameters<typeof mediaKind>[0]): string {
  return mediaKind(block) ?? "data";
}
