import { tokensIn } from "./estimate-tokens.js";
import type { ScriptedReply, ScriptedUsage } from "./reply.js";
import { splitText } from "./split-text.js";

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
