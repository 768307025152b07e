import { tokensIn } from "./chat-request.js";

/** A tool call of a scripted reply. */
export type ScriptedToolCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Default: `call_1`, `call_2`, … counted over the whole script. */
  readonly id?: string;
};

/** A tool call with malformed arguments: the text is sent unchanged. */
export type ScriptedInvalidToolCall = {
  readonly name: string;
  /** The text that is sent instead of JSON. */
  readonly args: string;
  readonly id?: string;
};

/** The usage that a reply reports, in tokens. */
export type ScriptedUsage = {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from the provider's cache. */
  readonly cached?: number;
  /** The part of `output` that was spent on reasoning. */
  readonly reasoning?: number;
};

/** One complete reply of a model. Everything is optional: `{}` is an empty reply. */
export type ScriptedReply = {
  /** The text. A list is joined, and streamed in the given pieces. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Sent after `toolCalls`. */
  readonly invalidToolCalls?: readonly ScriptedInvalidToolCall[];
  /** Reasoning text, as providers send it beside the text (`reasoning_content`). */
  readonly reasoning?: string;
  /** The model declines, with this text; OpenAI's protocol has a separate field for it. */
  readonly refusal?: string;
  /** Default: an estimate, four characters per token. `null` reports nothing. */
  readonly usage?: ScriptedUsage | null;
  /** Default: `tool_calls` when the reply calls a tool, otherwise `stop`. */
  readonly finishReason?: string;
  /** The id of the message. Default: a fresh one. */
  readonly id?: string;
  /** The delay before the reply starts, in milliseconds. */
  readonly delayMs?: number;
};

/** A tool call with the text of its arguments; `args` is absent if the call is not valid. */
export type CompleteCall = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Sent instead of `text`, in one piece. */
  readonly sent?: unknown;
  /** The index among the streamed calls, if it differs from the correct one. */
  readonly index?: number;
};

/** A scripted reply with every default filled in. */
export type CompleteReply = {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly reasoning: string;
  /** The text with which the model declines; empty if it does not. */
  readonly refusal: string;
  readonly calls: readonly CompleteCall[];
  readonly usage: ScriptedUsage | null;
  readonly finishReason: string;
  readonly id: string | undefined;
};

/** A counter of tool call ids: `call_1`, `call_2`, … */
export function callIds(): () => string {
  let count = 0;
  return () => `call_${(count += 1)}`;
}

function callsOf(reply: ScriptedReply, nextCallId: () => string): CompleteCall[] {
  const valid = (reply.toolCalls ?? []).map(({ name, args, id }) => {
    return { id: id ?? nextCallId(), name, args, text: JSON.stringify(args) };
  });
  const invalid = (reply.invalidToolCalls ?? []).map(({ name, args, id }) => {
    return { id: id ?? nextCallId(), name, text: args };
  });
  return [...valid, ...invalid];
}

/** Fills in the defaults of a scripted reply; `inputTokens` are reported if it has no usage. */
export function completeReply(
  scripted: string | ScriptedReply,
  inputTokens: number,
  nextCallId: () => string,
): CompleteReply {
  const reply = typeof scripted === "string" ? { text: scripted } : scripted;
  const { text = "", reasoning = "", refusal = "", usage, finishReason, id } = reply;
  const whole = typeof text === "string" ? text : text.join("");
  const calls = callsOf(reply, nextCallId);
  const written = whole + reasoning + refusal + calls.map((call) => call.name + call.text).join("");
  return {
    text: whole,
    pieces: typeof text === "string" ? splitText(text) : text,
    reasoning,
    refusal,
    calls,
    usage: usage === undefined ? { input: inputTokens, output: tokensIn(written) } : usage,
    finishReason: finishReason ?? (calls.length > 0 ? "tool_calls" : "stop"),
    id,
  };
}

/** The delay that an answer sets. */
export function delayOf(scripted: string | ScriptedReply): number | undefined {
  return typeof scripted === "string" ? undefined : scripted.delayMs;
}

const fewestPieces = 4;
const longestPiece = 12;

/** Cuts a text into the pieces for streaming: at least four, none longer than twelve characters. */
export function splitText(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.min(longestPiece, Math.floor(characters.length / fewestPieces)));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(""));
  }
  return pieces;
}
