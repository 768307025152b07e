import { isCommand } from "@langchain/langgraph";

import { readMessages } from "../models/message.js";
import { errorLine } from "../observe/redact.js";
import { isRecord } from "../json/json.js";
import { unchecked } from "../prompts/checks.js";
import { shown } from "../run/check-names.js";
import { isControlFlow } from "../run/errors.js";
import { openCallSignal, untilAborted } from "../run/signals.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import type { Run } from "./enter-run.js";

/**
 * What a check decides about a text: nothing to pass it, another text to go on with, or why it is refused. `answer` is
 * what the user reads then; default: the reason.
 */
export type Checked =
  string | null | undefined | void | { readonly refuse: string; readonly answer?: string };

/** What a check knows besides the text. */
export type CheckRuntime = {
  readonly state: Readonly<Record<string, unknown>>;
  /** The context of the run. */
  readonly context: unknown;
  /** Aborts after 30 seconds, and when the caller aborts the run. */
  readonly signal: AbortSignal;
};

/** Checks a text: a user's question, or an answer. */
export type Check = (text: string, runtime: CheckRuntime) => Checked | Promise<Checked>;

/** Milliseconds for one check. */
const maxMs = 30_000;

/** A text that passed, as it was or changed; or how the run ends. */
export type CheckedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly outcome: Outcome; readonly answer: string };

/** Checks a text. A check that throws, hangs, or returns anything else ends the run as failed. */
export async function checkText(
  option: string,
  check: Check,
  text: string,
  { state, config }: Pick<Run, "state" | "config">,
): Promise<CheckedText> {
  const open = openCallSignal(config.signal ?? new AbortController().signal, maxMs);
  const { context } = config;
  try {
    const { signal } = open;
    const said: unknown = await untilAborted(
      async () => check(text, { state, context, signal }),
      signal,
    );
    return readChecked(said, text);
  } catch (error) {
    if (isControlFlow(error)) throw error;
    config.signal?.throwIfAborted();
    return { ok: false, outcome: failedOutcome(failure(option, error)), answer: unchecked };
  } finally {
    open.close();
  }
}

/** The texts of the messages in a graph's input; `undefined` where they cannot be told. */
export function givenTexts(input: unknown): ReadonlySet<string> | undefined {
  if (!isRecord(input) || isCommand(input)) return undefined;
  try {
    return new Set(readMessages(input["messages"]).map(({ text }) => text));
  } catch {
    return undefined;
  }
}

function readChecked(said: unknown, text: string): CheckedText {
  if (said === undefined || said === null) return { ok: true, text };
  const isSaid = typeof said === "string" && (said.trim() !== "" || text.trim() === "");
  if (isSaid) return { ok: true, text: said };
  const { refuse: reason, answer = reason } = isRecord(said) ? said : {};
  if (isWords(reason) && isWords(answer))
    return { ok: false, outcome: { status: "refused", reason }, answer };
  throw new TypeError(`expected nothing, a text or { refuse: "why" }, got ${shown(said)}`);
}

function isWords(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function failure(option: string, error: unknown): string {
  return `${option} failed: ${errorLine(error)}`;
}
