import { tokensIn } from "./estimate-tokens.js";

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

/** A tool call with its arguments as the text that is sent; `args` is absent when that is no valid call. */
export type CompleteCall = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Goes over the wire in place of `text`, in one piece. */
  readonly sent?: unknown;
  /** Where it stands among the streamed calls, when it is not where it should. */
  readonly index?: number;
};

/** A scripted reply with every default filled in. */
export type CompleteReply = {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly reasoning: string;
  /** The words with which the model declines; empty where it does not. */
  readonly refusal: string;
  readonly calls: readonly CompleteCall[];
  readonly usage: ScriptedUsage | null;
  readonly finishReason: string;
  readonly id: string | undefined;
};

/** What a reply does not know by itself. */
export type ReplySurroundings = {
  /** Reported as input when the reply says nothing of its usage. */
  readonly inputTokens: number;
  readonly nextCallId: () => string;
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

/** Fills in the defaults of a scripted reply. */
export function completeReply(
  scripted: string | ScriptedReply,
  { inputTokens, nextCallId }: ReplySurroundings,
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

/** How long an answer says it takes to begin. */
export function delayOf(scripted: string | ScriptedReply): number | undefined {
  return typeof scripted === "string" ? undefined : scripted.delayMs;
}

const fewestPieces = 4;
const longestPiece = 12;

/** Cuts a text into the pieces it is streamed in: four at least, none longer than twelve characters. */
export function splitText(text: string): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.min(longestPiece, Math.floor(characters.length / fewestPieces)));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(""));
  }
  return pieces;
}
