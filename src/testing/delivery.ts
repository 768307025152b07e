import type { ServerResponse } from "node:http";

import { type ChatRequest, estimateTokens } from "./chat-request.js";
import type { Dialect, WireCompletion, WireMessage } from "./dialect.js";
import type { Fault, ServerAnswer, StatusOptions } from "./fault.js";
import {
  type CompleteCall,
  completeReply,
  type CompleteReply,
  delayOf,
  type ScriptedReply,
  type ScriptedUsage,
  splitText,
} from "./reply.js";
import { pause, untilAborted } from "./until-aborted.js";

/** A piece of a response's body, and the usage that is reported once it is written. */
type Frame = { readonly text: string; readonly usage?: ScriptedUsage };

/** A response in the form that is sent, faults included. */
export type Delivery = {
  /** Absent: not even the headers are sent. */
  readonly head?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
  readonly frames: readonly Frame[];
  readonly delayMs: number;
  readonly msPerFrame: number;
  /** The end of the response: normal, a destroyed socket, a connection reset, or none. */
  readonly ending: "end" | "destroy" | "reset" | "stall";
};

/** A response that is sent at once and ends normally. */
function plainDelivery(
  status: number,
  contentType: string,
  frames: readonly Frame[],
  headers: Readonly<Record<string, string>> = {},
): Delivery {
  const head = { status, headers: { "content-type": contentType, ...headers } };
  return { head, frames, delayMs: 0, msPerFrame: 0, ending: "end" };
}

/** A JSON response that is sent at once and ends normally. */
export function jsonDelivery(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Delivery {
  return plainDelivery(status, "application/json", [{ text: JSON.stringify(body) }], headers);
}

/** Writes a delivery. Rejects when `signal` aborts, and leaves no timer. `reported` gets every usage that was written. */
export async function deliver(
  response: ServerResponse,
  { head, frames, delayMs, msPerFrame, ending }: Delivery,
  signal: AbortSignal,
  reported: (usage: ScriptedUsage) => void,
): Promise<void> {
  signal.throwIfAborted();
  await pause(delayMs, signal);
  if (head) {
    response.writeHead(head.status, head.headers);
    response.flushHeaders();
  }
  for (const { text, usage } of frames) {
    await pause(msPerFrame, signal);
    await untilAborted(write(response, text), signal);
    if (usage) reported(usage);
  }
  if (ending === "end") response.end();
  // A truncated body is detected only on a keep-alive connection: with `Connection: close` Node's fetch takes the end
  // of the socket for the end of the body.
  if (ending === "destroy") response.destroy();
  if (ending === "reset") response.socket?.resetAndDestroy();
}

/** Resolves when the text has been sent, so that destroying the socket next loses none of it. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The response for an error status. */
export function errorDelivery(status: number, options: StatusOptions = {}): Delivery {
  const { retryAfter, headers = {}, body, ...details } = options;
  const all = {
    ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
    ...headers,
  };
  if (typeof body === "string") return plainDelivery(status, "text/plain", [{ text: body }], all);
  return jsonDelivery(status, body ?? { error: { ...openAIError(status), ...details } }, all);
}

/** An error in the form of OpenAI's API. */
type OpenAIError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

const known = new Map<number, Pick<OpenAIError, "message" | "code"> & Partial<OpenAIError>>([
  [401, { message: "Incorrect API key provided.", code: "invalid_api_key" }],
  [404, { message: "The model does not exist.", code: "model_not_found" }],
  [429, { message: "Rate limit reached.", code: "rate_limit_exceeded", type: "requests" }],
]);

/** The error of OpenAI's API for a status. */
function openAIError(status: number): OpenAIError {
  const client = status < 500;
  return {
    message: client ? "The request was refused." : "The server had an error.",
    type: client ? "invalid_request_error" : "server_error",
    param: null,
    code: null,
    ...known.get(status),
  };
}

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
  const said = completeReply(scripted, estimateTokens(request), nextCallId);
  const reply = dialect.reshape?.(said, request) ?? said;
  return { ...framed(reply, around), delayMs: delayOf(scripted) ?? 0 };
}

/** A completion, whole or streamed. Without `reply` it has no choices. */
function framed(reply: CompleteReply | undefined, around: AnswerSurroundings): Delivery {
  const { request, reportUsage, freshId, dialect } = around;
  const isStreamed = request.stream === true;
  const object = isStreamed ? "chat.completion.chunk" : "chat.completion";
  const head = { id: reply?.id ?? freshId(), model: request.model, object, created };
  const json = (fields: WireCompletion): string => {
    const whole = { ...head, ...fields };
    return JSON.stringify(dialect.rewrite?.(whole) ?? whole);
  };
  const usage = reportUsage ? reply?.usage : undefined;
  if (!isStreamed) return plainDelivery(200, "application/json", bodyFrames(json, reply, usage));
  const asked = request.stream_options?.include_usage === true;
  const events = eventFrames(json, reply, asked ? usage : undefined);
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

// A fixed time, so that two runs produce the same bytes.
const created = 1_700_000_000;

/** Writes a completion, or one event of it, in the form of the server's dialect. */
type Json = (fields: WireCompletion) => string;

/** The body of an unstreamed completion, cut into frames. */
function bodyFrames(
  json: Json,
  reply: CompleteReply | undefined,
  usage: ScriptedUsage | null | undefined,
): Frame[] {
  const choices = reply ? [choiceOf(reply)] : [];
  const texts = splitText(json({ choices, ...(usage ? { usage: wireUsage(usage) } : {}) }));
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
function eventFrames(
  json: Json,
  reply: CompleteReply | undefined,
  usage: ScriptedUsage | null | undefined,
): Frame[] {
  const event = (fields: WireCompletion): string => `data: ${json(fields)}\n\n`;
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
