/** A call of a tool that a scripted reply asks for. */
export type ScriptedToolCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Default: `call_1`, `call_2`, … counted over the whole script. */
  readonly id?: string;
};

/** A call of a tool whose arguments are not what they should be: the text is sent as it is. */
export type ScriptedInvalidToolCall = {
  readonly name: string;
  /** The text in the place where JSON is expected. */
  readonly args: string;
  readonly id?: string;
};

/** Tokens a reply reports. */
export type ScriptedUsage = {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that the provider had cached. */
  readonly cached?: number;
  /** The part of `output` that was spent on reasoning. */
  readonly reasoning?: number;
};

/** What a model answers once, in full. Everything is optional: `{}` is an empty answer. */
export type ScriptedReply = {
  /** The answer. A list is joined, and streamed piece by piece as given. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Follow after `toolCalls`. */
  readonly invalidToolCalls?: readonly ScriptedInvalidToolCall[];
  /** Reasoning text, as providers send it beside the answer (`reasoning_content`). */
  readonly reasoning?: string;
  /** The model declines, in these words; OpenAI's protocol has a field for them beside the text. */
  readonly refusal?: string;
  /** Default: an estimate, four characters a token. `null` reports nothing. */
  readonly usage?: ScriptedUsage | null;
  /** Default: `tool_calls` when the reply calls a tool, else `stop`. */
  readonly finishReason?: string;
  /** The id of the message. Default: a fresh one. */
  readonly id?: string;
  /** How long the answer takes to begin, in milliseconds. */
  readonly delayMs?: number;
};
