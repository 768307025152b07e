import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import type { Attempted } from "../run/retry.js";
import type { MissingCapability } from "../state/capability.js";
import type { MediaKind } from "../state/observation.js";
import { attemptModel, type Book, Refused } from "./attempt-model.js";
import { fitHistory, wholeHistory } from "./history.js";
import { isTooLong } from "./model-failure.js";
import { type ModelRequest, toolForm } from "./model-request.js";
import type { ModelHandle } from "./model.js";
import { unreadableIn } from "./provider/media.js";
import { suspectedCapabilities } from "./provider/refusals.js";
import type { NormalizedReply } from "./provider/reply.js";
import { type ProviderRequest, providerRequest } from "./provider/request.js";
import { estimateTokens, messageTokens } from "./usage.js";

/** Raised for a request that holds what a model cannot read. */
export class Unreadable extends Error {
  readonly kinds: readonly MediaKind[];

  constructor(kinds: readonly MediaKind[]) {
    super(`cannot read ${kinds.join(", ")}`);
    this.kinds = kinds;
  }
}

/** A reply, and how the model was asked to call tools. */
export type SentReply = NormalizedReply & Pick<ProviderRequest, "protocol">;

/**
 * Sends a request to one model in a form that its server takes. What the server refuses, or passes
 * over, is remembered with the model and not sent to it again. A request that it finds too long is
 * shortened and sent once more. Throws what the client throws, `LimitReached`, and `Unreadable` for a question that
 * holds what the model cannot read.
 */
export async function sendRequest(
  handle: ModelHandle,
  request: ModelRequest,
  book: Book,
): Promise<SentReply> {
  // Refused without a word of why: plainer ways of asking are tried.
  let guesses: readonly (readonly MissingCapability[])[] | undefined;
  let guessed: readonly MissingCapability[] = [];
  for (;;) {
    checkReadable(handle, request);
    const missing = guessed.length === 0 ? handle.missing : plainest(handle.missing, guessed);
    const { attempted, sent } = await attemptsThatFit(handle, request, missing, book);
    if (attempted.ok) {
      for (const capability of guessed) adapt(handle, request, capability);
      const { learned, ...replied } = attempted.value;
      if (learned !== undefined) adapt(handle, request, learned);
      return { ...replied, protocol: sent.protocol };
    }
    const { error } = attempted;
    if (error instanceof Refused) adapt(handle, request, error.capability);
    else {
      const [next, ...rest] = guesses ?? suspectedCapabilities(error, sent);
      if (next === undefined) throw error;
      guessed = next;
      guesses = rest;
    }
  }
}

function checkReadable({ missing }: ModelHandle, request: ModelRequest): void {
  const { messages, textWillDo, resultsMustBeRead = false } = request;
  const unreadable = textWillDo === true ? [] : unreadableIn(messages, missing, resultsMustBeRead);
  if (unreadable.length > 0) throw new Unreadable(unreadable);
}

function plainest(
  missing: ReadonlySet<MissingCapability>,
  guessed: readonly MissingCapability[],
): Set<MissingCapability> {
  return new Set([...missing, ...guessed, "no_json_schema", "no_forced_tool", "no_json_mode"]);
}

/** Remembers what a model does not take. */
function adapt(
  { name, missing }: ModelHandle,
  { run, role }: ModelRequest,
  capability: MissingCapability,
): void {
  if (missing.has(capability)) return;
  missing.add(capability);
  run.emit({ type: "model_adapted", model: name, role, capability });
}

type Sent = { readonly attempted: Attempted<NormalizedReply>; readonly sent: ProviderRequest };

/** The attempts, and once more with shorter messages where the server finds them too long. */
async function attemptsThatFit(
  handle: ModelHandle,
  request: ModelRequest,
  missing: ReadonlySet<MissingCapability>,
  book: Book,
): Promise<Sent> {
  const known = request.contextTokens ?? handle.contextTokens;
  const messages = fitRequest(request, known);
  const sent = providerRequest(request, messages, missing);
  const attempted = await attemptModel(handle, request, sent, book);
  if (attempted.ok || !isTooLong(attempted.error)) return { attempted, sent };
  const shorter = fitRequest(request, shorterContext(request, known));
  const isSame =
    shorter.length === messages.length && shorter.every((one, at) => one === messages[at]);
  if (isSame) return { attempted, sent };
  const shortened = providerRequest(request, shorter, missing);
  return { attempted: await attemptModel(handle, request, shortened, book), sent: shortened };
}

/** Share of a model's context that is kept free for its reply. */
const replyShare = 0.15;

/** The messages of a request as they are sent: whole, and fitted to the context where that is known. */
export function fitRequest(
  request: ModelRequest,
  contextTokens: number | undefined,
): readonly BaseMessage[] {
  const { postscript = [] } = request;
  const messages = wholeHistory(request.messages);
  if (contextTokens === undefined) return [...messages, ...postscript];
  const tools = (request.tools ?? []).reduce((total, tool) => total + toolTokens(tool), 0);
  const taken = tools + sizeOf(postscript);
  return [...fitHistory(messages, contextTokens * (1 - replyShare) - taken), ...postscript];
}

/** A context that forces the messages to become shorter than they are. */
export function shorterContext(
  { messages, postscript = [] }: ModelRequest,
  known: number | undefined,
): number {
  return Math.min(known ?? Infinity, sizeOf([...messages, ...postscript])) * 0.6;
}

/** The sizes of tools already seen: turning a schema into JSON takes longer than all the rest. */
const toolSizes = new WeakMap<StructuredToolInterface, number>();

function toolTokens(tool: StructuredToolInterface): number {
  const known = toolSizes.get(tool);
  if (known !== undefined) return known;
  const size = estimateTokens(JSON.stringify(toolForm(tool)));
  toolSizes.set(tool, size);
  return size;
}

function sizeOf(messages: readonly BaseMessage[]): number {
  return messages.reduce((total, message) => total + messageTokens(message), 0);
}
