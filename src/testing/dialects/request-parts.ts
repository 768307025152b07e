import type { ChatRequest } from "../chat-request.js";

/** A field of an object; `undefined` without the field or the object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Whether a request sets a parameter. */
export const has =
  (parameter: string) =>
  (request: ChatRequest): boolean =>
    (request[parameter] ?? undefined) !== undefined;

/** Whether a request offers any tool. */
export const offersTools = ({ tools }: ChatRequest): boolean => (tools ?? []).length > 0;

/** Whether a request forces the model to call a tool. */
export const forcesTool = ({ tool_choice: choice }: ChatRequest): boolean =>
  choice === "required" || (typeof choice === "object" && choice !== null);

/** The `type` of the `response_format`. */
export const formatOf = ({ response_format: format }: ChatRequest): unknown =>
  fieldOf(format, "type");

/** Whether a message is an instruction, not part of the conversation. */
export const instructs = ({ role }: ChatRequest["messages"][number]): boolean =>
  role === "system" || role === "developer";
