import type { ChatRequest } from "./chat-request.js";
import { type Delivery, errorDelivery, type Frame, plainDelivery } from "./delivery.js";
import type { Dialect, WireCompletion, WireMessage } from "./dialect.js";
import { estimateTokens } from "./estimate-tokens.js";
import type { Fault, ServerAnswer } from "./fault.js";
import {
  type CompleteCall,
  completeReply,
  type CompleteReply,
  delayOf,
  type ScriptedReply,
  type ScriptedUsage,
  splitText,
} from "./reply.js";

/** The server's state at the time of an answer. */
export type AnswerSurroundings = {
  readonly request: ChatRequest;
  readonly reportUsage: boolean;
  readonly dialect: Dialect;
  readonly nextCallId: () => string;
  /** The id of a reply without its own. */
  readonly freshId: () => string;
};

/** Turns a script's answer into the response that is sent. */
export function planDelivery(answer: ServerAnswer, around: AnswerSurroundings): Delivery {
  if (typeof answer === "string") return completion(answer, around);
  return "fault" in answer ? faulty(answer, around) : completion(answer, around);
}

function completion(scripted: string | ScriptedReply, around: AnswerSurroundings): Delivery {
  const { request, dialect, nextCallId } = around;
  const inputTokens = estimateTokens(request);
  const said = completeReply(scripted, { inputTokens, nextCallId });
  const reply = dialect.reshape?.(said, request) ?? said;
  return { ...framed(reply, around), delayMs: delayOf(scripted) ?? 0 };
}

/** A completion, whole or streamed. Without `reply` it has no choices. */
function framed(reply: CompleteReply | undefined, around: AnswerSurroundings): Delivery {
  const { request, reportUsage, freshId } = around;
  const identity = { id: reply?.id ?? freshId(), model: request.model };
  const rewrite = around.dialect.rewrite ?? asIs;
  const usage = reportUsage ? reply?.usage : undefined;
  if (request.stream !== true) {
    const frames = completionFrames(identity, reply, usage, rewrite);
    return plainDelivery(200, "application/json", frames);
  }
  const asked = request.stream_options?.include_usage === true;
  const events = completionEvents(identity, reply, asked ? usage : undefined, rewrite);
  return plainDelivery(200, "text/event-stream; charset=utf-8", events);
}

function faulty(answer: Fault, around: AnswerSurroundings): Delivery {
  switch (answer.fault) {
    case "status":
      return errorDelivery(answer.status, answer.options);
    case "reset":
      return { frames: [], delayMs: 0, msPerFrame: 0, ending: "reset" };
    case "stall":
      return stalled(answer.headers, completion("", around));
    case "cut": {
      const whole = completion(answer.reply, around);
      const kept = answer.afterChunks ?? Math.ceil(whole.frames.length / 2);
      return { ...whole, frames: whole.frames.slice(0, kept), ending: answer.ending };
    }
    case "inside":
      return withError(answer, around);
    case "slow":
      return { ...completion(answer.reply, around), msPerFrame: answer.msPerChunk };
    case "delay": {
      const whole = planDelivery(answer.reply, around);
      return { ...whole, delayMs: whole.delayMs + answer.ms };
    }
    case "garbled":
    default:
      return garbled(answer.body, around);
  }
}

function stalled(headers: boolean, { head, ...rest }: Delivery): Delivery {
  const silent: Delivery = { ...rest, frames: [], ending: "stall" };
  return headers && head ? { ...silent, head } : silent;
}

/** The form of a completion with an error in it. */
function withError(
  { error, reply, afterChunks }: Extract<Fault, { fault: "inside" }>,
  around: AnswerSurroundings,
): Delivery {
  const text = JSON.stringify({ error });
  if (around.request.stream !== true) return plainDelivery(200, "application/json", [{ text }]);
  const whole = completion(reply, around);
  const frames = [...whole.frames.slice(0, afterChunks), { text: `data: ${text}\n\n` }];
  return { ...whole, frames };
}

const page = "<!doctype html><html><head><title>Sign in</title></head><body>Sign in</body></html>";
const brokenJson = '{"id": "chatcmpl-1", "choices": [{"index": 0, "mess';

function garbled(
  body: Extract<Fault, { fault: "garbled" }>["body"],
  around: AnswerSurroundings,
): Delivery {
  if (body === "page") return plainDelivery(200, "text/html; charset=utf-8", [{ text: page }]);
  const whole = framed(undefined, around);
  if (body === "no-choices") return whole;
  const text = around.request.stream === true ? `data: ${brokenJson}\n\n` : brokenJson;
  return { ...whole, frames: [{ text }] };
}

/** The identifying fields of a completion. */
type Identity = { readonly id: string; readonly model: string };

type Rewrite = NonNullable<Dialect["rewrite"]>;

const asIs: Rewrite = (whole) => whole;

// A fixed time, so that two runs produce the same bytes.
const created = 1_700_000_000;

/** The body of an unstreamed completion, cut into frames. */
function completionFrames(
  identity: Identity,
  reply: CompleteReply | undefined,
  usage: ScriptedUsage | null | undefined,
  rewrite: Rewrite,
): Frame[] {
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

/** The events of a streamed completion, one per frame. */
function completionEvents(
  identity: Identity,
  reply: CompleteReply | undefined,
  usage: ScriptedUsage | null | undefined,
  rewrite: Rewrite,
): Frame[] {
  const head = { ...identity, object: "chat.completion.chunk", created };
  const event = (fields: WireCompletion): string =>
    `data: ${JSON.stringify(rewrite({ ...head, ...fields }))}\n\n`;
  const done = { text: "data: [DONE]\n\n" };
  if (!reply) return [{ text: event({ choices: [] }) }, done];
  const pending = usage ? { usage: null } : {};
  const choice = (delta: WireMessage, finish_reason: string | null = null): Frame => ({
    text: event({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...pending }),
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
