import { z } from "zod";

/** A tool call in a message of a request. */
export type ChatRequestToolCall = {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
};

/** A message of a request. */
export type ChatRequestMessage = {
  readonly role: string;
  /** A text, or a list of parts. */
  readonly content?: string | readonly unknown[] | null;
  readonly tool_calls?: readonly ChatRequestToolCall[] | null;
  readonly tool_call_id?: string;
  readonly [key: string]: unknown;
};

/** A tool that a request offers to the model. */
export type ChatRequestTool = {
  readonly type: string;
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: unknown;
    readonly strict?: boolean | null;
  };
};

/** The body of a chat completion request, unchanged. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatRequestMessage[];
  readonly tools?: readonly ChatRequestTool[] | null;
  readonly tool_choice?: unknown;
  readonly response_format?: unknown;
  readonly stop?: unknown;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly [key: string]: unknown;
};

const ToolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const Message = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  tool_calls: z.array(ToolCall).nullish(),
  tool_call_id: z.string().nullish(),
});

const Tool = z.object({ type: z.string(), function: z.object({ name: z.string() }) });

const ChatBody = z.object({
  model: z.string(),
  messages: z.array(Message),
  tools: z.array(Tool).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

// The body is checked, and recorded unchanged.
const isChatRequest = (value: unknown): value is ChatRequest => ChatBody.safeParse(value).success;

/** The request in a body, or `undefined` if a chat server could not answer it. */
export function parseChatRequest(text: string): ChatRequest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isChatRequest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const charactersPerToken = 4;

/** The estimated tokens of a text: a quarter of its characters, rounded up. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/**
 * The scripted server's estimate of a request's tokens: the length of `messages` and `tools` as JSON, divided by four
 * and rounded up. It is compared with `contextTokens`.
 *
 * @example
 * ```ts
 * const sizes = server.requests.map(({ body }) => (body ? estimateTokens(body) : 0));
 * ```
 */
export function estimateTokens({
  messages,
  tools,
}: Pick<ChatRequest, "messages" | "tools">): number {
  return tokensIn(JSON.stringify(messages) + (tools ? JSON.stringify(tools) : ""));
}

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
