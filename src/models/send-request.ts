import type { Attempted } from "../run/retry.js";
import type { Quirk } from "../state/capability.js";
import type { MediaKind } from "../state/observation.js";
import { attemptModel, type Book, Refused } from "./attempt-model.js";
import { fitRequest, shorterContext } from "./fit-request.js";
import { isTooLong } from "./model-failure.js";
import type { ModelHandle } from "./model-handle.js";
import type { ModelRequest } from "./model-request.js";
import { unreadableIn } from "./wire/media.js";
import type { WireReply } from "./wire/read-wire.js";
import { quirksBehind } from "./wire/refusals.js";
import { type Wire, wireRequest } from "./wire/wire-request.js";

/** Raised for a request that holds what a model cannot read. */
export class Unreadable extends Error {
  readonly kinds: readonly MediaKind[];

  constructor(kinds: readonly MediaKind[]) {
    super(`cannot read ${kinds.join(", ")}`);
    this.kinds = kinds;
  }
}

/** A reply, and how the model was asked to call tools. */
export type SentReply = WireReply & Pick<Wire, "protocol">;

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
  let guesses: readonly (readonly Quirk[])[] | undefined;
  let guessed: readonly Quirk[] = [];
  for (;;) {
    checkReadable(handle, request);
    const quirks = guessed.length === 0 ? handle.quirks : plainest(handle.quirks, guessed);
    const { attempted, wire } = await attemptsThatFit(handle, request, quirks, book);
    if (attempted.ok) {
      for (const quirk of guessed) adapt(handle, request, quirk);
      const { learned, ...replied } = attempted.value;
      if (learned !== undefined) adapt(handle, request, learned);
      return { ...replied, protocol: wire.protocol };
    }
    const { error } = attempted;
    if (error instanceof Refused) adapt(handle, request, error.quirk);
    else {
      const [next, ...rest] = guesses ?? quirksBehind(error, wire);
      if (next === undefined) throw error;
      guessed = next;
      guesses = rest;
    }
  }
}

function checkReadable({ quirks }: ModelHandle, request: ModelRequest): void {
  const { messages, textWillDo, resultsMustBeRead = false } = request;
  const unreadable = textWillDo === true ? [] : unreadableIn(messages, quirks, resultsMustBeRead);
  if (unreadable.length > 0) throw new Unreadable(unreadable);
}

function plainest(quirks: ReadonlySet<Quirk>, guessed: readonly Quirk[]): Set<Quirk> {
  return new Set([...quirks, ...guessed, "no_json_schema", "no_forced_tool", "no_json_mode"]);
}

/** Remembers what a model does not take. */
function adapt({ name, quirks }: ModelHandle, { run, role }: ModelRequest, quirk: Quirk): void {
  if (quirks.has(quirk)) return;
  quirks.add(quirk);
  run.emit({ type: "model_adapted", model: name, role, quirk });
}

type Sent = { readonly attempted: Attempted<WireReply>; readonly wire: Wire };

/** The attempts, and once more with shorter messages where the server finds them too long. */
async function attemptsThatFit(
  handle: ModelHandle,
  request: ModelRequest,
  quirks: ReadonlySet<Quirk>,
  book: Book,
): Promise<Sent> {
  const known = request.contextTokens ?? handle.contextTokens;
  const messages = fitRequest(request, known);
  const wire = wireRequest(request, messages, quirks);
  const attempted = await attemptModel(handle, request, wire, book);
  if (attempted.ok || !isTooLong(attempted.error)) return { attempted, wire };
  const shorter = fitRequest(request, shorterContext(request, known));
  const isSame =
    shorter.length === messages.length && shorter.every((one, at) => one === messages[at]);
  if (isSame) return { attempted, wire };
  const shortened = wireRequest(request, shorter, quirks);
  return { attempted: await attemptModel(handle, request, shortened, book), wire: shortened };
}
