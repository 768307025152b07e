import { errorLine, redact } from "../observe/redact.js";
import { causesOf, classifyError, isControlFlow } from "../run/errors.js";
import type { ErrorKind, MediaKind } from "../state/observation.js";
import type { ModelCall } from "./call/stage.js";
import type { ModelFailure } from "./model-request.js";

/** Thrown by the stages of a model call: there is no reply, or no usable one. */
export class CallFailed extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.kind === "limit" ? failure.limit : failure.reason);
    this.failure = failure;
  }
}

/** The failure of a call. Throws on the caller's abort, and LangGraph's control flow. */
export function failureOf(error: unknown, call: ModelCall): ModelFailure {
  if (isControlFlow(error)) throw error;
  const failure = error instanceof CallFailed ? error.failure : undefined;
  const ended = failure?.kind === "limit" ? failure : outOfTime(call);
  return { ...(ended ?? failure ?? providerFailure(error, call)), model: call.model.name };
}

/** The time limit, if it was reached. Throws on the caller's abort. */
function outOfTime({ run: { budget }, isFinalAnswer, model }: ModelCall): ModelFailure | undefined {
  if (budget.aborted()) budget.signal().throwIfAborted();
  const isOver = isFinalAnswer !== true && budget.signal().aborted;
  return isOver ? { kind: "limit", limit: "seconds", model: model.name } : undefined;
}

function providerFailure(
  error: unknown,
  { role, model: { name: model } }: ModelCall,
): ModelFailure {
  if (isFiltered(error)) {
    const reason = declinedSentence(model, role, "filtered", "");
    return { kind: "failed", reason, cause: "filtered", model };
  }
  const { status } = classifyError(error);
  const reason = failureSentence(model, error, role);
  return { kind: "failed", reason, model, ...(status === undefined ? {} : { status }) };
}

/** Whether a provider's content filter rejected the prompt (Azure answers so). */
function isFiltered(error: unknown): boolean {
  return causesOf(error).some(
    (each) => each instanceof Error && Reflect.get(each, "code") === "content_filter",
  );
}

/** Whether a server refused a request because it does not fit the context. */
export function isTooLong(error: unknown): boolean {
  if (error instanceof Error && error.name === "ContextOverflowError") return true;
  const { kind, status } = classifyError(error);
  const words = /context.{0,20}(length|size)|too (long|large|many tokens)|maximum context/i;
  return kind === "rejected" && status === 400 && words.test(errorLine(error));
}

const failures: { readonly [Kind in ErrorKind]?: string } = {
  unavailable: "could not be reached or is not available",
  rate_limited: "is over its rate limit",
  unauthorized: "refused the key, or the account has no quota left",
  timeout: "did not answer in time",
};

/** One sentence for a person: the model that failed, how, and its server's words. */
export function failureSentence(model: string, error: unknown, role: string): string {
  const { kind, status } = classifyError(error);
  const code = status === undefined ? "" : ` (HTTP ${status})`;
  const isUnreadable = error instanceof TypeError || error instanceof SyntaxError;
  if (isUnreadable && failures[kind] === undefined) {
    return `The ${role} model "${model}" sent an answer that is no chat completion: check that the address is that of an OpenAI-compatible API (it mostly ends in /v1).`;
  }
  return `The ${role} model "${model}" ${failures[kind] ?? "could not answer"}${code}: ${rootLine(error)}`;
}

/** The longest quotation of a refusal, in characters. */
const maxRefusal = 1_000;

/** The same for a model that declined or was stopped by a content filter. */
export function declinedSentence(
  model: string,
  role: string,
  cause: "filtered" | "refused",
  words: string,
): string {
  if (cause === "filtered") return `A content filter stopped the ${role} model "${model}".`;
  const said = redact(words.trim()).slice(0, maxRefusal);
  return `The ${role} model "${model}" refused${said === "" ? "." : `: ${said}`}`;
}

const mediaWords: { readonly [Kind in MediaKind]: string } = {
  image: "images",
  audio: "audio",
  video: "video",
  file: "files",
};

/** The same for a model that cannot read the content of the question. */
export function unreadableSentence(
  model: string,
  kinds: readonly MediaKind[],
  role: string,
): string {
  const named = kinds.map((kind) => mediaWords[kind]).join(" and ");
  return `The ${role} model "${model}" cannot read ${named}.`;
}

/** The same for an error that the caller's hook threw. */
export function promptSentence(error: unknown): string {
  return `The systemPrompt function failed: ${rootLine(error)}`;
}

/** The reason of a call that failed by a hook. */
export function hookSentence(error: unknown): string {
  return `A wrapModelCall hook failed: ${rootLine(error)}`;
}

/** The error's message and its causes: "Connection error." alone helps nobody. */
function rootLine(error: unknown): string {
  const causes = causesOf(error);
  const said = errorLine(error);
  const root = errorLine(causes.findLast((cause) => errorLine(cause) !== ""));
  return root === said || root === "" ? said : `${said} (${root})`;
}
