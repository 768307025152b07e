import { isToolMessage } from "@langchain/core/messages";

import { errorLine } from "../observe/redact.js";
import { ClassifiedError } from "../run/errors.js";
import { type Attempted, withRetries } from "../run/retry.js";
import type { MissingCapability } from "../state/capability.js";
import type { LimitName } from "../state/limits.js";
import { roleUsage, type Usage } from "../state/usage.js";
import { invokeModel } from "./invoke-model.js";
import { type ModelRequest, toolForm } from "./model-request.js";
import type { ModelHandle } from "./model.js";
import { refusedCapability } from "./provider/refusals.js";
import { type Expected, readReply, type NormalizedReply } from "./provider/reply.js";
import type { ProviderRequest } from "./provider/request.js";
import { plainText } from "./message.js";
import { priceOf, replyUsage } from "./usage.js";

/** Raised by an attempt that a limit forbids. */
export class LimitReached extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(limit);
    this.limit = limit;
  }
}

/** Raised by an attempt whose request the server does not take as it is; it may be put another way. */
export class Refused extends ClassifiedError {
  readonly capability: MissingCapability;

  constructor(capability: MissingCapability, cause: unknown) {
    super("rejected", errorLine(cause), { cause });
    this.capability = capability;
  }
}

/** Counts what an attempt used. */
export type Book = (used: Usage) => void;

/** Sends a request to a model, with retries where its handle allows them, and reads the reply. */
export function attemptModel(
  handle: ModelHandle,
  request: ModelRequest,
  sent: ProviderRequest,
  book: Book,
): Promise<Attempted<NormalizedReply>> {
  const { run, closing } = request;
  const signal = closing === true ? run.ledger.closingSignal() : run.ledger.signal();
  return withRetries(
    (attempt) => oneAttempt(handle, request, sent, { attempt, signal, book }),
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
          role: request.role,
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
  readonly book: Book;
};

async function oneAttempt(
  handle: ModelHandle,
  request: ModelRequest,
  sent: ProviderRequest,
  { attempt, signal, book }: Attempt,
): Promise<NormalizedReply> {
  const { run, role, prices } = request;
  const reached = request.closing === true ? undefined : run.ledger.begin("modelCalls");
  if (reached !== undefined) throw new LimitReached(reached);
  if (request.closing === true) run.ledger.count("modelCalls");
  const model = handle.name;
  const startedAt = run.clock.now();
  run.emit({ type: "model_started", model, attempt, role });
  try {
    const reply = await invokeModel(handle, request, sent, signal);
    const usage = replyUsage(role, reply, sent.messages, priceOf(model, prices));
    book(usage);
    const read = readReply(reply, sent, expectedOf(request));
    run.emit({
      type: "model_finished",
      model,
      attempt,
      role,
      ms: run.clock.now() - startedAt,
      usage,
      toolCalls: (read.message.tool_calls ?? []).map(({ name }) => name),
      content: spoken(read.message),
    });
    return read;
  } catch (error) {
    book(roleUsage(role, { modelCalls: 1 }));
    const ms = run.clock.now() - startedAt;
    run.emit({
      type: "model_failed",
      model,
      attempt,
      role,
      ms,
      error: errorLine(error),
    });
    const capability = refusedCapability(error, sent);
    throw capability === undefined ? error : new Refused(capability, error);
  }
}

function expectedOf({
  tools = [],
  messages,
  form,
  isCorrection = false,
  closing,
  reads = new Set<string>(),
  sentBack,
  isLast = false,
}: ModelRequest): Expected {
  const results = () => messages.filter(isToolMessage).map(({ text }) => text);
  const isClosing = closing === true;
  const of = { reads, isCorrection, sentBack, isLast, isClosing };
  return { tools: tools.map(toolForm), form: form?.name, results, ...of };
}

/** What a reply says, and what was thought with it. */
function spoken(reply: NormalizedReply["message"]): { text: string; thought?: string } {
  const thought: unknown = reply.additional_kwargs["reasoning_content"];
  const text = plainText(reply);
  return typeof thought === "string" && thought !== "" ? { text, thought } : { text };
}
