import type { CompleteCall, CompleteReply } from "./complete-reply.js";
import type { Dialect, WireCompletion, WireMessage } from "./dialect.js";
import type { ScriptedUsage } from "./reply.js";
import { splitText } from "./split-text.js";

/** How a completion names itself. */
export type CompletionIdentity = {
  readonly id: string;
  readonly model: string;
};

/** A piece of a response's body, and the usage that has been reported once it is written. */
export type Frame = { readonly text: string; readonly usage?: ScriptedUsage };

// A fixed moment, so that two runs give the same bytes.
const created = 1_700_000_000;

function wireUsage({ input, output, cached, reasoning }: ScriptedUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
  };
}

const wireCall = ({ id, name, text, sent = text }: CompleteCall) => ({
  id,
  type: "function",
  function: { name, arguments: sent },
});

type Rewrite = Dialect["rewrite"];

const asIs = (completion: WireCompletion): object => completion;

/** The body of a completion in one piece, cut into frames. `reply` absent: no choice at all. */
export function completionFrames(
  identity: CompletionIdentity,
  reply: CompleteReply | undefined,
  reportUsage: boolean,
  rewrite: Rewrite = asIs,
): Frame[] {
  const usage = reportUsage ? reply?.usage : undefined;
  const body = {
    ...identity,
    object: "chat.completion",
    created,
    choices: reply ? [choiceOf(reply)] : [],
    ...(usage ? { usage: wireUsage(usage) } : {}),
  };
  const texts = splitText(JSON.stringify(rewrite(body)));
  return texts.map((text, index) =>
    usage && index === texts.length - 1 ? { text, usage } : { text },
  );
}

function choiceOf({ text, reasoning, refusal, calls, finishReason }: CompleteReply) {
  return {
    index: 0,
    message: {
      role: "assistant",
      content: text === "" && (calls.length > 0 || refusal !== "") ? null : text,
      refusal: refusal === "" ? null : refusal,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
    },
    logprobs: null,
    finish_reason: finishReason,
  };
}

/** The events of a streamed completion, one a frame. `reply` absent: no choice at all. */
export function completionEvents(
  identity: CompletionIdentity,
  reply: CompleteReply | undefined,
  reportUsage: boolean,
  rewrite: Rewrite = asIs,
): Frame[] {
  const head = { ...identity, object: "chat.completion.chunk", created };
  const event = (fields: WireCompletion): string =>
    `data: ${JSON.stringify(rewrite({ ...head, ...fields }))}\n\n`;
  const usage = reportUsage ? reply?.usage : undefined;
  const pending = usage ? { usage: null } : {};
  const done = { text: "data: [DONE]\n\n" };
  if (!reply) return [{ text: event({ choices: [] }) }, done];
  const choice = (delta: WireMessage, finish_reason: string | null = null): Frame => ({
    text: event({
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...pending,
    }),
  });
  return [
    choice({ role: "assistant", content: "" }),
    ...deltasOf(reply).map((delta) => choice(delta)),
    choice({}, reply.finishReason),
    ...(usage ? [{ text: event({ choices: [], usage: wireUsage(usage) }), usage }] : []),
    done,
  ];
}

function deltasOf({ reasoning, pieces, refusal, calls }: CompleteReply): WireMessage[] {
  return [
    ...splitText(reasoning).map((text) => ({ reasoning_content: text })),
    ...pieces.map((content) => ({ content })),
    ...splitText(refusal).map((text) => ({ refusal: text })),
    ...calls.flatMap(callDeltas),
  ];
}

function callDeltas(call: CompleteCall, place: number): WireMessage[] {
  const { text, sent, index = place } = call;
  if (sent !== undefined) return [{ tool_calls: [{ index, ...wireCall(call) }] }];
  return [
    { tool_calls: [{ index, ...wireCall({ ...call, text: "" }) }] },
    ...splitText(text).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ];
}
