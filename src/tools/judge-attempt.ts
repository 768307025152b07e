import { isCommand } from "@langchain/langgraph";

import type { Json } from "../json/json.js";
import { errorLine, errorText, redact, withoutKnownSecrets } from "../observe/redact.js";
import { fenceUntrusted } from "../prompts/fence.js";
import { readOnHint } from "../prompts/read-on-hint.js";
import { classifyError, type Failure } from "../run/errors.js";
import type { Ledger } from "../run/ledger.js";
import type { Attempted } from "../run/retry.js";
import type { RunScope } from "../run/scope.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { keepResult, type KeptResult, maxKeptChars } from "./kept-result.js";
import {
  capResult,
  cutMiddle,
  defaultMaxResultChars,
  readResult,
  type ToolResult,
} from "./tool-result.js";
import type { ToolEntry } from "./toolbox.js";

/** The part of an observation that tells what came of the call. */
type Told = Pick<
  Observation,
  "ok" | "content" | "render" | "images" | "unread" | "error" | "maybeDuplicate"
> &
  KeptResult;

/** What came of a call, and its text as a person reads it: whole, and without a fence. */
export type Judged = { readonly told: Told; readonly bare: string };

/** What a call's result is judged with. */
type Judging = Pick<RunScope, "ledger" | "runId"> & {
  /** The call's id, where the model that reads the result can read a cut one on. */
  readonly readsOn?: string | undefined;
};

/** Reads what a tool returned, or the error it failed with, as the model is to see it: capped, and fenced where untrusted. */
export function judgeAttempt(
  attempted: Attempted<unknown>,
  entry: ToolEntry,
  run: Judging,
): Judged {
  return attempted.ok ? returned(attempted.value, entry, run) : failed(attempted.error, entry, run);
}

function returned(output: unknown, entry: ToolEntry, run: Judging): Judged {
  if (isCommand(output)) {
    const message =
      "the tool returned a LangGraph Command, which only LangGraph's own agents carry out.";
    const told = { ok: false, content: message, error: { kind: "internal", message } } as const;
    return { told, bare: message };
  }
  const read = tryRead(output);
  if ("error" in read) return failed(read.error, entry, run);
  const result = withoutKeys(read);
  if (!result.failed) return succeeded(result, entry, run);
  const { content, bare } = contentFor(redact(result.content), entry, run);
  const error = { kind: "rejected", message: errorText(result.content) } as const;
  return { told: { ok: false, content, error }, bare };
}

/** What a tool returned; or why it cannot be read. */
function tryRead(output: unknown): ToolResult | { readonly error: unknown } {
  try {
    return readResult(output);
  } catch (error) {
    return { error };
  }
}

/** A result: what the model reads of it is cut and fenced; the result itself is kept. */
function succeeded(
  { content: whole, value, render, images, unread }: ToolResult,
  { tool, policy }: ToolEntry,
  { runId, readsOn }: Judging,
): Judged {
  const { shown, hint } = shownOf(whole, policy.maxResultChars, readsOn);
  const told = policy.trust === "untrusted" ? fenceUntrusted(tool.name, shown, runId) : shown;
  const content = [told, hint, policy.resultPrompt].filter((part) => part !== undefined).join("\n");
  const isCut = shown !== whole;
  const kept = keepResult({ text: whole, value }, { isCut, isBare: content === shown });
  return {
    told: {
      ok: true,
      content,
      ...kept,
      ...(render === undefined ? {} : { render }),
      ...(images === undefined ? {} : { images }),
      ...(unread === undefined ? {} : { unread }),
    },
    bare: whole,
  };
}

/** What of a text a model is shown, and how it reads on, where it can. */
function shownOf(
  whole: string,
  maxChars = defaultMaxResultChars,
  readsOn: string | undefined,
): { readonly shown: string; readonly hint?: string } {
  if (whole.length <= maxChars) return { shown: whole };
  if (readsOn === undefined || whole.length > maxKeptChars) {
    return { shown: capResult(whole, maxChars) };
  }
  const room = Math.max(maxChars - maxHintChars, maxChars / 2);
  const { text: shown, from } = cutMiddle(whole, room) ?? { text: whole, from: 0 };
  return { shown, hint: readOnHint(readsOn, from) };
}

/** What is left of the room for a result to say how to read on. */
const maxHintChars = 200;

/** A result without the keys of the models and the environment, should a service send them back. */
function withoutKeys({ content, value, render, ...rest }: ToolResult): ToolResult {
  return {
    ...rest,
    content: withoutKnownSecrets(content),
    ...(value === undefined ? {} : { value: cleanJson(value) }),
    ...(render === undefined ? {} : { render: { ...render, props: cleanJson(render.props) } }),
  };
}

function cleanJson<Value extends Json>(value: Value): Value {
  const text = JSON.stringify(value);
  const clean = withoutKnownSecrets(text);
  if (clean === text) return value;
  const copy: Value = JSON.parse(clean);
  return copy;
}

function failed(error: unknown, entry: ToolEntry, run: Judging): Judged {
  const { ledger } = run;
  const failure = classifyError(error);
  const kind = kindOf(failure, ledger);
  const act = entry.policy.effect === "read" ? undefined : mayAct(failure, kind);
  const said = messageOf(error, kind, ledger);
  const message =
    act === undefined ? said : `${asSentence(said)} It ${act}: find out before you call it again.`;
  const { content, bare } = contentFor(`Error (${kind}): ${message}`, entry, run);
  const doubt = act === undefined ? {} : { maybeDuplicate: true };
  return { told: { ok: false, content, error: { kind, message }, ...doubt }, bare };
}

function asSentence(text: string): string {
  return /[.!?。！？…]$/.test(text) ? text : `${text}.`;
}

/** What a call that began and failed may do all the same, where it may. */
function mayAct({ isEffectUnknown }: Failure, kind: ErrorKind): string | undefined {
  if (kind === "timeout" || kind === "cancelled") return "may still take effect";
  return isEffectUnknown === true ? "may have taken effect" : undefined;
}

function kindOf({ kind }: Failure, ledger: Ledger): ErrorKind {
  if (ledger.aborted()) return "cancelled";
  return kind === "cancelled" ? "rejected" : kind;
}

function messageOf(error: unknown, kind: ErrorKind, ledger: Ledger): string {
  if (kind === "cancelled") return "the run was called off before the tool finished.";
  if (kind !== "timeout") return errorText(error);
  return ledger.signal().aborted
    ? "the run's time was over before the tool finished."
    : `the tool did not answer in time (${errorLine(error).replace(/\.$/, "")}).`;
}

function contentFor(text: string, { tool, policy }: ToolEntry, { runId }: Pick<RunScope, "runId">) {
  const bare = capResult(text, policy.maxResultChars);
  const content = policy.trust === "untrusted" ? fenceUntrusted(tool.name, bare, runId) : bare;
  return { content, bare };
}
