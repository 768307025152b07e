import { defined, type JsonObject } from "../json/json.js";
import { type Next, stages } from "../run/stages.js";
import type { Continuation } from "../state/pending.js";
import { noUsage } from "../state/usage.js";
import { approval } from "./call/approval.js";
import { check } from "./call/check.js";
import { fill, withFilled } from "./call/fill.js";
import { execute } from "./call/execute.js";
import { hooks } from "./call/hooks.js";
import { judge } from "./call/judge.js";
import { inARow, memory } from "./call/memory.js";
import { read } from "./call/read.js";
import { report } from "./call/report.js";
import { retries } from "./call/retries.js";
import type { CallRequest, CheckedRequest } from "./call/stage.js";
import { start } from "./call/start.js";
import { filledBy } from "./from-memory.js";
import { decisionsOn, withDecisions } from "./human-input.js";
import {
  observed,
  refused,
  type ToolCall,
  type ToolCallContext,
  type ToolCallResult,
} from "./tool-call.js";

/** The stages of a call whose tool runs, outermost first. */
const running = stages<CheckedRequest, ToolCallResult>()
  .through(judge) // makes a result of the output: an observation, a handoff, an interrupted sub-run
  .through(hooks) // the user's wrapToolCall
  .through(retries) // repeats a call after a passing failure, where its effect allows it
  .to(execute); // invokes the tool, with its time-out and the run's abort signal

/** The stages of every tool call, outermost first. */
const road = stages<CallRequest, ToolCallResult>()
  .through(report) // keeps people's decisions with the result, and emits the end of the call
  .through(resumed) // resumes the call's sub-run: the call passed the stages below when it began
  .through(read) // reads the arguments and fits them to the tool's schema
  .through(memory) // answers a repeated call from memory, or refuses it
  .through(check) // refuses an unknown tool and arguments that do not fit
  .through(fill) // fills parameters from the memory of the run
  .through(approval) // asks a person, or does what the person decided
  .through(inARow) // says how often a volatile tool was called in a row
  .through(start) // leaves a write until it is committed; asks the limits, counts the call, emits its start
  .to(running);

/** The stages of a call before its turn: it may ask people, and does not run. */
const early = stages<CallRequest, ToolCallResult>()
  .through(read)
  .through(memory)
  .through(check)
  .through(fill)
  .through(approval)
  .to(async ({ call, context }) =>
    observed(refused(call, "cancelled", "not run: its turn has not come.", context)),
  );

/**
 * Runs one tool call; tools run only here. Errors become observations for the model; only LangGraph's control flow is
 * thrown. Requests to people and uncommitted writes are returned as data.
 */
export function runToolCall(call: ToolCall, context: ToolCallContext): Promise<ToolCallResult> {
  return road({ call, context });
}

async function resumed(
  request: CallRequest,
  next: Next<CallRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, context } = request;
  const entry = context.toolbox.get(call.name);
  const { continues } = context;
  if (entry === undefined || continues === undefined) return next(request);
  const { args } = continues.subRun;
  const isWrite = entry.elicits && entry.policy.effect === "write";
  if (isWrite && !context.execution.isCommitted) return madeAgain(call, args, continues);
  const { values: fromMemory } = filledBy(entry, {}, context.run.memory) ?? {};
  const result = await running({ call: { ...call, args }, entry, context, fromMemory });
  return withFilled(result, fromMemory);
}

/** A write that is sent again, with answers: it is recorded first, as it was before it asked. */
function madeAgain(
  { id: callId, name: tool }: ToolCall,
  args: JsonObject,
  continues: Continuation,
): ToolCallResult {
  const { maybeDuplicate } = continues.subRun;
  const kept = {
    ...withDecisions(decisionsOn(continues, { elicits: true })),
    ...defined({ maybeDuplicate }),
  };
  const call = { callId, tool, args, reason: "write" as const, continues, ...kept };
  return { kind: "isolated", call, used: noUsage };
}

/** A call's request for approval or its question, before its turn; nothing without one, or if it may be refused. */
export async function requestBefore(
  call: ToolCall,
  context: ToolCallContext,
): Promise<ToolCallResult | undefined> {
  const result = await early({ call, context });
  return result.kind === "asks" ? result : undefined;
}
