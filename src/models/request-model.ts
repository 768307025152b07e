import { type AIMessage, type BaseMessage } from "@langchain/core/messages";

import { classifyError } from "../guards/classify-error.js";
import { type Attempted, withRetries } from "../guards/retry.js";
import { errorLine } from "../observe/redact.js";
import type { LimitName } from "../state/outcome.js";
import { addUsage, noUsage, roleUsage, type Usage } from "../state/usage.js";
import { fitRequest, shorterContext } from "./fit-request.js";
import { invokeModel } from "./invoke-model.js";
import { failureSentence, isTooLong } from "./model-failure.js";
import type { ModelHandle } from "./model-handle.js";
import type { ModelReply, ModelRequest } from "./model-request.js";
import { plainText } from "./plain-text.js";
import { priceOf, replyUsage } from "./reply-usage.js";

/** Raised inside the attempts when a limit forbids the next one. */
class LimitReached extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(limit);
    this.limit = limit;
  }
}

/**
 * Asks one model, with retries where its handle allows them. A request that the server finds too
 * long is shortened and sent once more.
 */
export async function requestModel(
  handle: ModelHandle,
  request: ModelRequest,
  key: string,
): Promise<ModelReply> {
  const { run, role } = request;
  let usage = noUsage;
  const book = (used: Usage) => {
    usage = addUsage(usage, used);
    run.ledger.book(`${key}:${usage.modelCalls}`, used, true);
  };
  const attempted = await attemptsThatFit(handle, request, book);
  if (attempted.ok) return { kind: "replied", message: attempted.value, usage };
  if (attempted.error instanceof LimitReached) {
    return { kind: "limit", limit: attempted.error.limit, usage };
  }
  if (run.ledger.aborted()) run.ledger.signal().throwIfAborted();
  if (request.closing !== true && run.ledger.signal().aborted)
    return { kind: "limit", limit: "seconds", usage };
  const { status } = classifyError(attempted.error);
  return {
    kind: "failed",
    reason: failureSentence(handle.name, attempted.error, role),
    ...(status === undefined ? {} : { status }),
    usage,
  };
}

/** The attempts, and once more with shorter messages where the server finds them too long. */
async function attemptsThatFit(
  handle: ModelHandle,
  request: ModelRequest,
  book: (used: Usage) => void,
): Promise<Attempted<AIMessage>> {
  const known = request.contextTokens ?? handle.contextTokens;
  const messages = fitRequest(request, known);
  const first = await attempts(handle, request, messages, book);
  if (first.ok || !isTooLong(first.error)) return first;
  const shorter = fitRequest(request, shorterContext(request, known));
  const isSame =
    shorter.length === messages.length && shorter.every((one, at) => one === messages[at]);
  return isSame ? first : attempts(handle, request, shorter, book);
}

function attempts(
  handle: ModelHandle,
  request: ModelRequest,
  messages: readonly BaseMessage[],
  book: (used: Usage) => void,
): Promise<Attempted<AIMessage>> {
  const { run, closing } = request;
  const signal = closing === true ? run.ledger.closingSignal() : run.ledger.signal();
  return withRetries(
    (attempt) => oneAttempt(handle, request, messages, { attempt, signal, book }),
    {
      policy: handle.retry,
      mayRetry: ({ kind, status }) =>
        kind === "unavailable" || kind === "rate_limited" || status === 408,
      clock: run.clock,
      signal,
      onRetry: ({ attempt, delayMs, error }) => {
        run.emit({
          type: "retry",
          of: handle.name,
          attempt,
          delayMs,
          reason: errorLine(error),
        });
      },
    },
    () => false,
  );
}

type Attempt = {
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly book: (used: Usage) => void;
};

async function oneAttempt(
  handle: ModelHandle,
  request: ModelRequest,
  messages: readonly BaseMessage[],
  { attempt, signal, book }: Attempt,
): Promise<AIMessage> {
  const { run, role, prices } = request;
  const reached = request.closing === true ? undefined : run.ledger.begin("modelCalls");
  if (reached !== undefined) throw new LimitReached(reached);
  if (request.closing === true) run.ledger.count("modelCalls");
  const model = handle.name;
  const startedAt = run.clock.now();
  run.emit({ type: "model_started", model, attempt });
  try {
    const reply = await invokeModel(handle, request, messages, signal);
    const usage = replyUsage(role, reply, messages, priceOf(model, prices));
    book(usage);
    run.emit({
      type: "model_finished",
      model,
      attempt,
      ms: run.clock.now() - startedAt,
      usage,
      toolCalls: (reply.tool_calls ?? []).map(({ name }) => name),
      content: { text: plainText(reply) },
    });
    return reply;
  } catch (error) {
    book(roleUsage(role, { modelCalls: 1 }));
    const ms = run.clock.now() - startedAt;
    run.emit({
      type: "model_failed",
      model,
      attempt,
      ms,
      error: errorLine(error),
    });
    throw error;
  }
}
