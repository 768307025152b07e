import type { JsonObject } from "../json/json.js";
import { answeredByPerson } from "./answered-by-person.js";
import { checkArguments, trustedTexts, ungrounded } from "./check-arguments.js";
import { executeTool } from "./execute-tool.js";
import { executedResult } from "./executed-result.js";
import { decidedAs, recordsOf, withDecisions } from "./human-input.js";
import { fitArguments, readArguments } from "./read-arguments.js";
import { repeatedCall, toldInARow } from "./repetition.js";
import {
  jsonArgs,
  observed,
  type ReadCall,
  refused,
  tellObservation,
  type ToolCall,
  type ToolCallContext,
  type ToolCallResult,
  unknownTool,
} from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";

/**
 * Carries out one tool call: the only place where a tool runs. It finds the tool, reads, coerces and
 * validates the arguments, asks for a person where the policy wants one, and runs the tool with
 * time-out, abort, retries and caps. What goes wrong is an observation that tells the model what to
 * do; it throws nothing but LangGraph's own control flow. What needs a person, and a write whose
 * start is not yet on record, comes back as data.
 */
export async function runToolCall(
  call: ToolCall,
  context: ToolCallContext,
): Promise<ToolCallResult> {
  const result = withRecords(await resultOf(call, context), context);
  if (result.kind === "observed") {
    const { observation } = result;
    // A tool that runs has told of its start; other calls start and end at once.
    const isAnswered = context.toolbox.get(call.name)?.role === "ask_user";
    const hasStarted = observation.attempts > 0 && !isAnswered;
    tellObservation(observation, hasStarted, context.run);
  }
  return result;
}

/** A call's end with what is kept of the decisions on it. */
function withRecords(result: ToolCallResult, context: ToolCallContext): ToolCallResult {
  if (result.kind !== "observed") return result;
  const { decisions } = context.continues?.subRun ?? context;
  const kept = withDecisions(recordsOf({ decision: context.decision, decisions }));
  return { ...result, observation: { ...result.observation, ...kept } };
}

/**
 * What a call asks people before its turn has come: its approval, or the question that it is. Undefined where it asks
 * nothing or may be refused; nothing runs.
 */
export async function requestBefore(
  call: ToolCall,
  context: ToolCallContext,
): Promise<ToolCallResult | undefined> {
  const checked = await checkedCall(call, context);
  if (!("entry" in checked)) return undefined;
  const answered = answeredByPerson(checked.read, checked.entry, context);
  return answered?.kind === "asks" ? answered : undefined;
}

async function resultOf(call: ToolCall, context: ToolCallContext): Promise<ToolCallResult> {
  const { continues } = context;
  const tool = context.toolbox.get(call.name);
  if (tool !== undefined && continues !== undefined) {
    return execute({ ...call, args: continues.subRun.args }, tool, context);
  }
  const checked = await checkedCall(call, context);
  if (!("entry" in checked)) return checked;
  const { read, entry } = checked;
  return (
    answeredByPerson(read, entry, context) ??
    toldInARow(await execute(read, entry, context), entry, context)
  );
}

/** A call that nothing stands against, or what does. */
async function checkedCall(
  call: ToolCall,
  context: ToolCallContext,
): Promise<{ readonly read: ReadCall; readonly entry: ToolEntry } | ToolCallResult> {
  const entry = context.toolbox.get(call.name);
  const { read, ...how } = await readCall(call, entry, context);
  const asked = "args" in read ? read : { ...call, args: jsonArgs(call.args) };
  const repeated = context.decision === undefined ? repeatedCall(asked, context) : undefined;
  if (repeated !== undefined) return repeated;
  if (!("args" in read)) return read;
  if (entry === undefined) {
    const names = [...context.toolbox.keys()];
    return observed(refused(read, "unknown_tool", unknownTool(call.name, names), context));
  }
  return (await unfitArguments(read, how, entry, context)) ?? { read, entry };
}

/** How a call was read: its arguments as they were written, and of those that are no dates why. */
type HowRead = { readonly written?: JsonObject; readonly unread?: ReadonlyMap<string, string> };

/** The call with its arguments as an object: those a person edited, or those the model wrote. */
async function readCall(
  call: ToolCall,
  entry: ToolEntry | undefined,
  context: ToolCallContext,
): Promise<HowRead & { readonly read: ReadCall | ToolCallResult }> {
  const { decision } = context;
  // What a person writes into a question is the answer to it.
  const isEdited = decision?.type === "edit" && entry?.role !== "ask_user";
  const raw = isEdited ? decision.edited_action.args : call.args;
  const read = readArguments(raw);
  if (!read.ok) {
    return { read: observed(refused(call, "invalid_arguments", read.problem, context)) };
  }
  const { args: written } = read;
  if (entry === undefined) return { read: { ...call, args: written } };
  const { args, unread } = fitArguments(entry.tool, written, context.run);
  const fitted = readArguments(args);
  return { read: { ...call, args: fitted.ok ? fitted.args : written }, written, unread };
}

async function unfitArguments(
  call: ReadCall,
  { written, unread }: HowRead,
  { tool, policy }: ToolEntry,
  context: ToolCallContext,
): Promise<ToolCallResult | undefined> {
  const problem = await checkArguments(tool, call.args, unread);
  if (problem !== undefined) return observed(refused(call, "invalid_arguments", problem, context));
  // A person has seen the arguments, or written them.
  const grounded = context.decision === undefined ? (policy.grounded ?? []) : [];
  const texts = grounded.length === 0 ? [] : known(context);
  // A user who wrote "last Monday" has given the date.
  const unknown = grounded.length === 0 ? [] : ungrounded(grounded, call.args, texts);
  const invented = unknown.length === 0 ? [] : ungrounded(unknown, written ?? call.args, texts);
  if (invented.length === 0) return undefined;
  const message =
    `the value of ${invented.join(", ")} was neither written by the user nor returned by a trusted tool. ` +
    "Look it up with such a tool first, or ask the user; do not make it up.";
  return observed(refused(call, "invalid_arguments", message, context));
}

/** Where the value of a `grounded` parameter may come from. */
function known({ observations, texts }: ToolCallContext): string[] {
  return [...texts(), ...trustedTexts(observations)];
}

async function execute(
  call: ReadCall,
  entry: ToolEntry,
  context: ToolCallContext,
): Promise<ToolCallResult> {
  const held = context.continues === undefined ? heldBack(call, entry, context) : undefined;
  return held ?? executedResult(await executeTool(entry, call, context), entry, context);
}

/** A call that does not start: a write whose start is not on record, and one that a limit forbids. */
function heldBack(
  call: ReadCall,
  { policy }: ToolEntry,
  context: ToolCallContext,
): ToolCallResult | undefined {
  if (policy.effect === "write" && context.onRecord !== true) {
    const { id, name, args } = call;
    const decided = decidedAs(context);
    return { kind: "alone", call: { callId: id, tool: name, args, why: "writes", ...decided } };
  }
  const { ledger } = context.run;
  const reached =
    context.isStep === true ? ledger.reached("modelCalls") : ledger.begin("toolCalls");
  if (reached === undefined) return undefined;
  const message = `not run: the run's limit of ${reached} was reached.`;
  return observed(refused(call, "cancelled", message, context), "limit");
}
