import type { AIMessage } from "@langchain/core/messages";

import { causesOf, classifyError, isControlFlow } from "../run/errors.js";
import type { LimitName } from "../state/limits.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { LimitReached } from "./attempt-model.js";
import {
  declinedSentence,
  failureSentence,
  hookSentence,
  unreadableSentence,
} from "./model-failure.js";
import { callWrapped, HookFailed } from "./model-hooks.js";
import type { ModelReply, ModelRequest } from "./model-request.js";
import type { ModelHandle } from "./model.js";
import { sendRequest, type SentReply, Unreadable } from "./send-request.js";

/** Asks one model through the caller's hooks, and tells what came of it. Throws only when the caller aborts, and LangGraph's control flow. */
export async function requestModel(
  handle: ModelHandle,
  request: ModelRequest,
  key: string,
): Promise<ModelReply> {
  const { run } = request;
  let usage = noUsage;
  let sent: SentReply | undefined;
  const book = (used: Usage) => {
    usage = addUsage(usage, used);
    run.ledger.book(`${key}:${usage.modelCalls}`, used, true);
  };
  try {
    const message = await callWrapped(handle, request, async (model, changed) => {
      sent = await sendRequest(model, changed, book);
      return sent.message;
    });
    // A hook that puts another reply in the place of a bad one has mended it.
    const read = sent !== undefined && saysTheSame(message, sent.message) ? sent : undefined;
    const { problem, written } = read ?? {};
    const protocol = sent?.protocol ?? "native";
    return {
      kind: "replied",
      message,
      protocol,
      usage,
      ...(problem === undefined ? {} : { problem }),
      ...(written === undefined ? {} : { written }),
    };
  } catch (error) {
    return { ...failureOf(error, handle, request), usage };
  }
}

/** Whether a hook left a reply what it was; it may be a copy. */
function saysTheSame(left: AIMessage, right: AIMessage): boolean {
  const calls = [left, right].map(({ tool_calls: made }) => (made ?? []).length);
  return left.text === right.text && calls[0] === calls[1];
}

type Failure = { readonly kind: "limit"; readonly limit: LimitName } | Failed;
type Failed = Omit<ModelReply & { readonly kind: "failed" }, "usage">;

/** What a request failed of. Throws when the caller aborted, and LangGraph's control flow. */
function failureOf(error: unknown, handle: ModelHandle, request: ModelRequest): Failure {
  const { run, role, closing } = request;
  if (isControlFlow(error)) throw error;
  if (error instanceof LimitReached) return { kind: "limit", limit: error.limit };
  if (run.ledger.aborted()) run.ledger.signal().throwIfAborted();
  if (closing !== true && run.ledger.signal().aborted) return { kind: "limit", limit: "seconds" };
  if (error instanceof HookFailed) return { kind: "failed", reason: hookSentence(error.cause) };
  if (error instanceof Unreadable) {
    const reason = unreadableSentence(handle.name, error.kinds, role);
    return { kind: "failed", reason, cause: "unsupported_input" };
  }
  if (isFiltered(error)) {
    return {
      kind: "failed",
      reason: declinedSentence(handle.name, role, "filtered", ""),
      cause: "filtered",
    };
  }
  const { status } = classifyError(error);
  const reason = failureSentence(handle.name, error, role);
  return { kind: "failed", reason, ...(status === undefined ? {} : { status }) };
}

/** Whether a provider's content filter did not let the question through, as Azure answers then. */
function isFiltered(error: unknown): boolean {
  return causesOf(error).some(
    (each) => each instanceof Error && Reflect.get(each, "code") === "content_filter",
  );
}
