import { isCommand } from "@langchain/langgraph";

import { classifyError } from "../guards/classify-error.js";
import type { Ledger } from "../guards/ledger.js";
import type { Attempted } from "../guards/retry.js";
import type { RunScope } from "../guards/run-scope.js";
import { errorLine, errorText, redact, withoutKnownSecrets } from "../observe/redact.js";
import { fenceUntrusted } from "../prompts/fence.js";
import type { Json } from "../plan/json.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { capResult } from "./cap-result.js";
import { readResult, type ToolResult } from "./read-result.js";
import type { ToolEntry } from "./toolbox.js";

/** The part of an observation that tells what came of the call. */
type Told = Pick<Observation, "ok" | "content" | "value" | "render" | "unread" | "error">;

/** What came of a call, and its text as a person reads it: without a fence. */
export type Judged = { readonly told: Told; readonly bare: string };

/** Structured values larger than this, as JSON, are not kept beside the text. */
const maxValueChars = 200_000;

/** Reads what a tool returned, or the error it failed with, as the model is to see it: capped, and fenced where untrusted. */
export function judgeAttempt(
  attempted: Attempted<unknown>,
  entry: ToolEntry,
  run: Pick<RunScope, "ledger" | "runId">,
): Judged {
  return attempted.ok ? returned(attempted.value, entry, run) : failed(attempted.error, entry, run);
}

function returned(output: unknown, entry: ToolEntry, run: Pick<RunScope, "runId">): Judged {
  if (isCommand(output)) {
    const message =
      "the tool returned a LangGraph Command, which only LangGraph's own agents carry out.";
    const told = { ok: false, content: message, error: { kind: "internal", message } } as const;
    return { told, bare: message };
  }
  const result = withoutKeys(readResult(output));
  if (!result.failed) {
    const { content: told, bare } = contentFor(result.content, entry, run);
    const { resultPrompt } = entry.policy;
    const content = resultPrompt === undefined ? told : `${told}\n${resultPrompt}`;
    // What refers to a fenced result reads it without the fence.
    const unfenced = content === bare ? {} : { value: bare };
    return { told: { ok: true, content, ...unfenced, ...withoutHugeValue(result) }, bare };
  }
  const { content, bare } = contentFor(redact(result.content), entry, run);
  const error = { kind: "rejected", message: errorText(result.content) } as const;
  return { told: { ok: false, content, error }, bare };
}

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

function withoutHugeValue({
  value,
  render,
  unread,
}: ToolResult): Pick<Observation, "value" | "render" | "unread"> {
  const isSmall = value !== undefined && JSON.stringify(value).length <= maxValueChars;
  return {
    ...(isSmall ? { value } : {}),
    ...(render === undefined ? {} : { render }),
    ...(unread === undefined ? {} : { unread }),
  };
}

function failed(error: unknown, entry: ToolEntry, run: Pick<RunScope, "ledger" | "runId">): Judged {
  const { ledger } = run;
  const kind = kindOf(error, ledger);
  const message = messageOf(error, kind, ledger);
  const { content, bare } = contentFor(`Error (${kind}): ${message}`, entry, run);
  return { told: { ok: false, content, error: { kind, message } }, bare };
}

function kindOf(error: unknown, ledger: Ledger): ErrorKind {
  if (ledger.aborted()) return "cancelled";
  const { kind } = classifyError(error);
  return kind === "cancelled" ? "rejected" : kind;
}

function messageOf(error: unknown, kind: ErrorKind, ledger: Ledger): string {
  if (kind === "cancelled") return "the run was called off before the tool finished.";
  if (kind !== "timeout") return errorText(error);
  return ledger.signal().aborted
    ? "the run's time was over before the tool finished."
    : `the tool did not answer in time (${errorLine(error)}).`;
}

function contentFor(text: string, { tool, policy }: ToolEntry, { runId }: Pick<RunScope, "runId">) {
  const bare = capResult(text, policy.maxResultChars);
  const content = policy.trust === "untrusted" ? fenceUntrusted(tool.name, bare, runId) : bare;
  return { content, bare };
}
