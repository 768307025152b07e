import { isCommand } from "@langchain/langgraph";

import { defined, type Json, type JsonObject } from "../../json/json.js";
import { errorLine, errorText, redact, withoutKnownSecrets } from "../../observe/redact.js";
import { fenceUntrusted } from "../../prompts/fence.js";
import { fileNamesHint } from "../../prompts/file-names.js";
import { readOnHint } from "../../prompts/read-on-hint.js";
import { Budget } from "../../run/budget.js";
import { classifyError, type Failure } from "../../run/errors.js";
import { unlimited } from "../../run/limits.js";
import type { Attempted } from "../../run/retry.js";
import type { SubRunEnd } from "../../run/scope.js";
import type { Next } from "../../run/stages.js";
import type { ErrorKind, Observation } from "../../state/observation.js";
import type { Continuation, SubRun } from "../../state/pending.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../../state/usage.js";
import { type HandedOver, handedOverWith } from "../builtin/people.js";
import { readsOn } from "../builtin/read-kept-result.js";
import { toolErrorText } from "../error-text.js";
import { decidedAs, decisionsOn, lateNote, recordsOf, withDecisions } from "../human-input.js";
import { keepArtifact, keepResult, keptOf, type KeptResult, maxKeptChars } from "../kept-result.js";
import { type ReadCommand, readCommand } from "../read-command.js";
import { observed, type ToolCallContext, type ToolCallResult } from "../tool-call.js";
import {
  capResult,
  cutMiddle,
  defaultMaxResultChars,
  readResult,
  type ToolResult,
} from "../tool-result.js";
import { marksOf, type ToolPolicy } from "../policy.js";
import { resultFiles } from "../result-files.js";
import type { ToolEntry } from "../toolbox.js";
import type { CheckedRequest, RunRequest } from "./stage.js";

type Content = Pick<
  Observation,
  "ok" | "content" | "render" | "media" | "artifact" | "unread" | "error" | "maybeDuplicate"
> &
  KeptResult;

/** The result for the model, and for a person: complete and without a fence. */
type Judged = {
  readonly content: Content;
  readonly bare: string;
  /** The Command that the tool returned. */
  readonly command?: ReadCommand;
};

/** Makes a result of a tool's output: an observation (cut, fenced if untrusted), a handoff, or an interrupted sub-run. */
export async function judge(
  request: CheckedRequest,
  next: Next<RunRequest, Attempted<unknown>>,
): Promise<ToolCallResult> {
  const { call, entry, context } = request;
  const { run, continues } = context;
  const now = run.clock.now();
  const { startedAt, ms, usage: before } = continues?.subRun ?? { ...nothingYet, startedAt: now };
  const spent = openSpent(context);
  const last: RunRequest["last"] = {};
  const attempted = await next({ ...request, spent, last });
  const used = spent.usage();
  const { content, bare, command } = attempted.ok
    ? returned(attempted.value, request)
    : failed(attempted.error, request);
  const { end } = last;
  const observation = {
    callId: call.id,
    tool: call.name,
    args: call.args,
    ...content,
    attempts: attempted.attempts,
    startedAt,
    ms: ms + run.clock.now() - now,
    ...(end?.kind === "ended" ? { run: end.run } : {}),
    ...marks(entry, addUsage(before, used)),
  };
  return end?.kind === "waits"
    ? waits(observation, end, used, request)
    : ended(observation, bare, { end, used, command }, request);
}

/** How a call ended: its sub-run, the usage of its last part, and the Command that its tool returned. */
type Ended = {
  readonly command: ReadCommand | undefined;
  readonly end: SubRunEnd | undefined;
  readonly used: Usage;
};

function ended(
  observation: Observation,
  bare: string,
  { end, used, command }: Ended,
  { entry, context }: CheckedRequest,
): ToolCallResult {
  const handedOver = handedOverBy(observation, bare, end, entry);
  const isDirect = entry.policy.returnDirect === true || command?.writes.isEnd === true;
  return {
    ...(handedOver === undefined
      ? observed(withNotes(observation, context))
      : { ...observed(observation, "handed_off"), handedOver }),
    ...(observation.ok && isDirect ? { direct: bare } : {}),
    ...(command === undefined ? {} : { writes: command.writes }),
    ...(context.continues === undefined && entry.counts ? {} : { used }),
  };
}

function marks({ policy }: ToolEntry, usage: Usage): Pick<Observation, "trust" | "usage"> {
  return {
    ...defined({ trust: trustOf(policy) }),
    ...(usage.modelCalls > 0 || usage.toolCalls > 0 ? { usage } : {}),
  };
}

function trustOf({ trust, isModel }: ToolPolicy): Observation["trust"] {
  if (trust === "untrusted") return trust;
  return isModel === true ? "model" : undefined;
}

const nothingYet = { ms: 0, usage: noUsage };

function openSpent({ run, continues }: ToolCallContext): Budget {
  const spent = new Budget({ limits: unlimited, clock: run.clock, parent: run.budget });
  const state = continues?.subRun.state;
  if (state?.run !== undefined) spent.seedSubRun(state.run.id, state.usage);
  return spent;
}

/** The handoff of the call, its own or its sub-run's. */
function handedOverBy(
  { ok, value }: Observation,
  bare: string,
  end: SubRunEnd | undefined,
  { role }: ToolEntry,
): HandedOver | undefined {
  if (end?.kind === "ended" && end.handsOff !== undefined) return { reason: end.handsOff };
  return role === "hand_off" && ok ? handedOverWith(value, bare) : undefined;
}

/** The interrupted call with everything that it needs to resume, in another process too. */
function waits(
  observation: Observation & { readonly args: JsonObject },
  { state, requests }: SubRunEnd & { readonly kind: "waits" },
  used: Usage,
  { entry, context }: CheckedRequest,
): ToolCallResult {
  const { callId, tool, args, startedAt, ms, usage = noUsage } = observation;
  const { continues, decision, decisions } = context;
  const earlier = continues?.subRun;
  const { maybeDuplicate } = earlier ?? {};
  const subRun = {
    callId,
    tool,
    args,
    ...(entry.counts ? {} : { isStep: true as const }),
    ...(continues === undefined
      ? decidedAs({ decision, decisions })
      : decidedBefore(continues, entry)),
    ...defined({ maybeDuplicate }),
    parts: (earlier?.parts ?? 0) + 1,
    startedAt,
    ms,
    usage,
    requests,
    state,
  };
  const isCounted = earlier === undefined && entry.counts;
  return { kind: "waits", subRun, used: isCounted ? addUsage(toolUsage(1), used) : used };
}

/** People's decisions on the call before it began, and those that it asked for; every part of the call keeps them. */
function decidedBefore(
  continues: Continuation,
  entry: ToolEntry,
): Pick<SubRun, "decided" | "decisions"> {
  const { decided } = continues.subRun;
  return { ...defined({ decided }), ...withDecisions(decisionsOn(continues, entry)) };
}

/** The observation with notes about a person's part: changed arguments, and a late decision. */
function withNotes(observation: Observation, context: ToolCallContext): Observation {
  const { decision, continues } = context;
  const { decisions } = continues?.subRun ?? context;
  const isEdited = (continues?.subRun.decided ?? decision?.type) === "edit";
  const edited = `(A person changed the arguments to ${JSON.stringify(observation.args)}.)`;
  // What a server asks comes after the call was made, so that its answer approves nothing.
  const isAsked = continues !== undefined && continues.subRun.decided === undefined;
  const late = isAsked ? undefined : lateNote(recordsOf({ decision, decisions })[0]);
  const notes = [isEdited ? edited : undefined, late].filter((note) => note !== undefined);
  if (notes.length === 0) return observation;
  const content = [...notes, observation.content].join("\n");
  return { ...observation, ...keptOf(observation), content };
}

function returned(output: unknown, request: CheckedRequest): Judged {
  let result: ToolResult;
  let command: ReadCommand | undefined;
  try {
    command = isCommand(output) ? readCommand(output, request.call.id, request.context) : undefined;
    result = withoutKeys(readResult(command === undefined ? output : command.result));
  } catch (error) {
    return failed(error, request);
  }
  if (!result.failed) return { ...succeeded(result, request), ...defined({ command }) };
  // The tool's own message about its failure.
  const error = { kind: "rejected", message: errorText(result.content) } as const;
  return failure(redact(result.content), error, request);
}

/** A result: cut and fenced for the model, and kept whole. */
function succeeded(
  { content: whole, value, render, media, artifact, unread }: ToolResult,
  { call, entry, context }: CheckedRequest,
): Judged {
  const { tool, policy } = entry;
  const readsOnAs = readsOn(context) ? call.id : undefined;
  const { shown, hint } = shownOf(whole, policy.maxResultChars, readsOnAs);
  const fenced =
    policy.trust === "untrusted" ? fenceUntrusted(tool.name, shown, context.run.runId) : shown;
  const named = fileHint(media, call.id, context);
  const content = [fenced, hint, named, policy.resultPrompt]
    .filter((part) => part !== undefined)
    .join("\n");
  const isCut = shown !== whole;
  const kept = keepResult({ text: whole, value }, { isCut, isBare: content === shown });
  return {
    content: {
      ok: true,
      content,
      ...kept,
      ...defined({ render, media, artifact: keepArtifact(artifact) }),
      // A name is something that a model can use.
      ...(named === undefined ? defined({ unread }) : {}),
    },
    bare: whole,
  };
}

/** How a model gives the files of a result to a tool, where one takes files. In a plan it refers to the result. */
function fileHint(
  media: Observation["media"],
  callId: string,
  { toolbox, run: { runId }, isPlanned }: ToolCallContext,
): string | undefined {
  if (media === undefined || isPlanned === true) return undefined;
  const isTaken = [...toolbox.values()].some(({ tool }) => marksOf(tool).takesFiles !== undefined);
  return isTaken
    ? fileNamesHint(resultFiles(media, { runId, callId }).map(({ name }) => name))
    : undefined;
}

/** The part of a text that the model reads, and a hint how to read the rest. */
function shownOf(
  whole: string,
  maxChars = defaultMaxResultChars,
  callId: string | undefined,
): { readonly shown: string; readonly hint?: string } {
  if (whole.length <= maxChars) return { shown: whole };
  if (callId === undefined || whole.length > maxKeptChars) {
    return { shown: capResult(whole, maxChars) };
  }
  const room = Math.max(maxChars - maxHintChars, maxChars / 2);
  const { text: shown, from } = cutMiddle(whole, room) ?? { text: whole, from: 0 };
  return { shown, hint: readOnHint(callId, from) };
}

/** Room for the hint. */
const maxHintChars = 200;

/** A result without the keys of the models and the environment, in case a service returns them. */
function withoutKeys({ content, value, artifact, render, ...rest }: ToolResult): ToolResult {
  return {
    ...rest,
    content: withoutKnownSecrets(content),
    ...(value === undefined ? {} : { value: cleanJson(value) }),
    ...(artifact === undefined ? {} : { artifact: cleanJson(artifact) }),
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

function failed(error: unknown, request: CheckedRequest): Judged {
  const { budget } = request.context.run;
  const classified = classifyError(error);
  const kind = kindOf(classified, budget);
  const act = request.entry.policy.effect === "read" ? undefined : mayAct(classified, kind);
  const said = messageOf(error, kind, budget);
  const message =
    act === undefined ? said : `${asSentence(said)} It ${act}: find out before you call it again.`;
  const { content, bare } = failure(toolErrorText(kind, message), { kind, message }, request);
  return { content: act === undefined ? content : { ...content, maybeDuplicate: true }, bare };
}

function asSentence(text: string): string {
  return /[.!?。！？…]$/.test(text) ? text : `${text}.`;
}

/** Options for a failed call. */
function mayAct({ isEffectUnknown }: Failure, kind: ErrorKind): string | undefined {
  if (kind === "timeout" || kind === "cancelled") return "may still take effect";
  return isEffectUnknown === true ? "may have taken effect" : undefined;
}

function kindOf({ kind }: Failure, budget: Budget): ErrorKind {
  if (budget.aborted()) return "cancelled";
  return kind === "cancelled" ? "rejected" : kind;
}

function messageOf(error: unknown, kind: ErrorKind, budget: Budget): string {
  if (kind === "cancelled") return "the run was called off before the tool finished.";
  if (kind !== "timeout") return errorText(error);
  return budget.signal().aborted
    ? "the run's time was over before the tool finished."
    : `the tool did not answer in time (${errorLine(error).replace(/\.$/, "")}).`;
}

/** A failure with its text for the model: cut, and fenced if the tool is untrusted. */
function failure(
  text: string,
  error: NonNullable<Observation["error"]>,
  { entry: { tool, policy }, context }: CheckedRequest,
): Judged {
  const bare = capResult(text, policy.maxResultChars);
  const content =
    policy.trust === "untrusted" ? fenceUntrusted(tool.name, bare, context.run.runId) : bare;
  return { content: { ok: false, content, error }, bare };
}
