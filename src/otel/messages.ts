import { isRecord, type JsonObject } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import type { InputMessage, ModelInput } from "../observe/observer.js";
import { genAi } from "./names.js";

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** The input of a model as attributes: system instructions, messages and tools, each as JSON text. */
export function inputAttributes({ messages, tools }: ModelInput): Record<string, string> {
  const system = messages.filter(({ role }) => role === "system").map(({ text }) => textPart(text));
  const others = messages.filter(({ role }) => role !== "system");
  return {
    ...(system.length === 0 ? {} : { [genAi.systemInstructions]: JSON.stringify(system) }),
    [genAi.inputMessages]: JSON.stringify(others.map(messageOf)),
    ...(tools.length === 0
      ? {}
      : { [genAi.toolDefinitions]: JSON.stringify(tools.map(definitionOf)) }),
  };
}

/** A model's reply as an attribute. */
export function outputAttributes(
  event: Extract<AgentEvent, { readonly type: "model_finished" }>,
): Record<string, string> {
  const { content } = event;
  if (content === undefined) return {};
  const { text, thought, calls = [] } = content;
  const parts = [
    ...(thought === undefined ? [] : [{ type: "reasoning", content: thought }]),
    ...(text === "" ? [] : [textPart(text)]),
    ...calls.map(callPart),
  ];
  return { [genAi.outputMessages]: JSON.stringify([{ role: "assistant", parts }]) };
}

/** A message of text alone, as JSON text. */
export function messageText(role: "user" | "assistant", text: string): string {
  return JSON.stringify([{ role, parts: [textPart(text)] }]);
}

function messageOf({ role, text, toolCalls = [], toolCallId }: InputMessage) {
  if (toolCallId !== undefined) {
    return { role, parts: [{ type: "tool_call_response", id: toolCallId, response: text }] };
  }
  return { role, parts: [...(text === "" ? [] : [textPart(text)]), ...toolCalls.map(callPart)] };
}

function callPart({ id, name, args }: NonNullable<InputMessage["toolCalls"]>[number]): Part {
  return { type: "tool_call", id, name, arguments: args };
}

/** A tool's definition; a function's stands on its own, not in a field of the definition. */
function definitionOf({ function: definition, ...tool }: JsonObject): JsonObject {
  return isRecord(definition) ? { ...definition, ...tool } : { name: tool["type"] ?? "", ...tool };
}

function textPart(content: string): Part {
  return { type: "text", content };
}
