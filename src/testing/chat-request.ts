/** A tool call inside a message of a request. */
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

/** A tool a request offers to the model. */
export type ChatRequestTool = {
  readonly type: string;
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: unknown;
    readonly strict?: boolean | null;
  };
};

/** The body of a chat completion request, exactly as it came over the wire. */
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

type Guard = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText: Guard = (value) => typeof value === "string";

const isFlag: Guard = (value) => typeof value === "boolean";

const orAbsent =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || value === null || guard(value);

const listOf =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(guard);

const shape =
  (guards: Readonly<Record<string, Guard>>): Guard =>
  (value) =>
    isRecord(value) && Object.entries(guards).every(([key, guard]) => guard(value[key]));

const isToolCall = shape({
  id: isText,
  function: shape({ name: isText, arguments: isText }),
});

const isChatBody = shape({
  model: isText,
  messages: listOf(
    shape({
      role: isText,
      content: orAbsent((content) => isText(content) || Array.isArray(content)),
      tool_calls: orAbsent(listOf(isToolCall)),
      tool_call_id: orAbsent(isText),
    }),
  ),
  tools: orAbsent(listOf(shape({ type: isText, function: shape({ name: isText }) }))),
  stream: orAbsent(isFlag),
  stream_options: orAbsent(shape({ include_usage: orAbsent(isFlag) })),
});

const isChatRequest = (value: unknown): value is ChatRequest => isChatBody(value);

/** The request in a body, or `undefined` when it is not one a chat server could answer. */
export function parseChatRequest(text: string): ChatRequest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isChatRequest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
