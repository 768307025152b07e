import { completionEvents, completionFrames, type CompletionIdentity } from "./completion.js";
import { completeReply, delayOf } from "./complete-reply.js";
import type { ChatRequest } from "./chat-request.js";
import type { Dialect } from "./dialect.js";
import { type Delivery, plainDelivery } from "./delivery.js";
import { errorDelivery } from "./error-delivery.js";
import { estimateTokens } from "./estimate-tokens.js";
import type { Fault, ServerAnswer } from "./fault.js";
import type { ScriptedReply } from "./reply.js";

/** What a server knows when it answers. */
export type AnswerSurroundings = {
  readonly request: ChatRequest;
  readonly reportUsage: boolean;
  readonly dialect: Dialect;
  readonly nextCallId: () => string;
  /** The id of a reply that has none of its own. */
  readonly freshId: () => string;
};

const page = "<!doctype html><html><head><title>Sign in</title></head><body>Sign in</body></html>";

type Garbled = Extract<Fault, { fault: "garbled" }>["body"];

/** Turns an answer of a script into the response that goes over the wire. */
export function planDelivery(answer: ServerAnswer, around: AnswerSurroundings): Delivery {
  if (typeof answer === "string") return completion(answer, around);
  return "fault" in answer ? faulty(answer, around) : completion(answer, around);
}

function completion(scripted: string | ScriptedReply, around: AnswerSurroundings): Delivery {
  const { request, dialect, nextCallId, freshId } = around;
  const inputTokens = estimateTokens(request);
  const said = completeReply(scripted, { inputTokens, nextCallId });
  const reply = dialect.reshape?.(said, request) ?? said;
  const identity = { id: reply.id ?? freshId(), model: request.model };
  return {
    ...framed(identity, reply, around),
    delayMs: delayOf(scripted) ?? 0,
  };
}

function framed(
  identity: CompletionIdentity,
  reply: ReturnType<typeof completeReply> | undefined,
  { request, reportUsage, dialect: { rewrite } }: AnswerSurroundings,
): Delivery {
  if (request.stream !== true) {
    const frames = completionFrames(identity, reply, reportUsage, rewrite);
    return plainDelivery(200, "application/json", frames);
  }
  const asked = request.stream_options?.include_usage === true;
  const events = completionEvents(identity, reply, reportUsage && asked, rewrite);
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
      return {
        ...whole,
        frames: whole.frames.slice(0, kept),
        ending: answer.ending,
      };
    }
    case "inside":
      return withError(answer, around);
    case "slow":
      return {
        ...completion(answer.reply, around),
        msPerFrame: answer.msPerChunk,
      };
    case "delay": {
      const whole = planDelivery(answer.reply, around);
      return { ...whole, delayMs: whole.delayMs + answer.ms };
    }
    case "garbled":
    default:
      return garbled(answer.body, around);
  }
}

/** The completion's own form with an error in it. */
function withError(
  { error, reply, afterChunks }: Extract<Fault, { fault: "inside" }>,
  around: AnswerSurroundings,
): Delivery {
  const text = JSON.stringify({ error });
  if (around.request.stream !== true) {
    return plainDelivery(200, "application/json", [{ text }]);
  }
  const whole = completion(reply, around);
  const frames = [...whole.frames.slice(0, afterChunks), { text: `data: ${text}\n\n` }];
  return { ...whole, frames };
}

function stalled(headers: boolean, { head, ...rest }: Delivery): Delivery {
  const silent: Delivery = { ...rest, frames: [], ending: "stall" };
  return headers && head ? { ...silent, head } : silent;
}

function garbled(body: Garbled, around: AnswerSurroundings): Delivery {
  const { request, freshId } = around;
  const identity = { id: freshId(), model: request.model };
  const whole = framed(identity, undefined, around);
  if (body === "no-choices") return whole;
  if (body === "page") return plainDelivery(200, "text/html; charset=utf-8", [{ text: page }]);
  const text = '{"id": "chatcmpl-1", "choices": [{"index": 0, "mess';
  return {
    ...whole,
    frames: [{ text: request.stream === true ? `data: ${text}\n\n` : text }],
  };
}
