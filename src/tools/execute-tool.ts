import type { JsonObject } from "../json/json.js";
import { Ledger } from "../run/ledger.js";
import { unlimited } from "../run/limits.js";
import type { ParentRun, SubRunEnd } from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { attemptTool } from "./attempt-tool.js";
import { checkArguments } from "./check-arguments.js";
import { trustedTexts } from "./grounded.js";
import { judgeAttempt } from "./judge-attempt.js";
import { readArguments } from "./read-arguments.js";
import { readsOn } from "./read-kept-result.js";
import type { ReadCall, ToolCallContext } from "./tool-call.js";
import { ToolError } from "./tool-error.js";
import type { ToolEntry } from "./toolbox.js";
import { runWrapped } from "./wrap-tool-call.js";

/** What came of running a tool. */
export type Executed = {
  readonly observation: Observation & { readonly args: JsonObject };
  /** The result as a person reads it: whole. */
  readonly bare: string;
  /** How the sub-run that the tool is ended, where the calling run has a part in it. */
  readonly end: SubRunEnd | undefined;
  /** What this part of the call used, the call itself left out. */
  readonly used: Usage;
};

/** Runs a checked call inside the hooks: time-out, abort, retries where the effect allows them, and the result as an observation. */
export async function executeTool(
  entry: ToolEntry,
  call: ReadCall,
  context: ToolCallContext,
): Promise<Executed> {
  const { run, continues, wrappers } = context;
  const { id: callId, name: tool, args } = call;
  const now = run.clock.now();
  const { startedAt, ms, usage: before } = continues?.subRun ?? { ...nothingYet, startedAt: now };
  if (continues === undefined) run.emit({ type: "tool_started", callId, tool, content: { args } });
  const spent = openSpent(context);
  const last: { end?: SubRunEnd } = {};
  const runTool = async (given: unknown) => {
    delete last.end;
    const fitting = given === args ? call : await refitted(given, entry, call);
    if (fitting instanceof ToolError) return { ok: false, error: fitting, attempts: 0 } as const;
    return attemptTool(entry, fitting, context, parentOf(entry, call, context, spent, last));
  };
  const request = requestOf(entry, call, context);
  const attempted = await runWrapped(wrappers, request, runTool, request.runtime.signal);
  const used = spent.usage();
  const usage = addUsage(before, used);
  const { told, bare } = judgeAttempt(attempted, entry, {
    ledger: run.ledger,
    runId: run.runId,
    readsOn: readsOn(context) ? callId : undefined,
  });
  const observation = {
    callId,
    tool,
    args,
    ...told,
    ...(entry.policy.trust === "untrusted" ? { trust: "untrusted" as const } : {}),
    attempts: attempted.attempts,
    startedAt,
    ms: ms + run.clock.now() - now,
    ...(usage.modelCalls > 0 || usage.toolCalls > 0 ? { usage } : {}),
    ...(last.end?.kind === "ended" ? { run: last.end.run } : {}),
  };
  return { observation, bare, end: last.end, used };
}

const nothingYet = { ms: 0, usage: noUsage };

/** The ledger of what this part of the call uses. */
function openSpent({ run, continues }: ToolCallContext): Ledger {
  const spent = new Ledger({ limits: unlimited, clock: run.clock, parent: run.ledger });
  const state = continues?.subRun.state;
  if (state?.run !== undefined) spent.knows(state.run.id, state.usage);
  return spent;
}

/** What graphs inside the tool work for; a tool that is a graph leaves its end in `last`. */
function parentOf(
  { role }: ToolEntry,
  { id: callId }: ReadCall,
  { inTask, continues, run, texts, observations }: ToolCallContext,
  ledger: Ledger,
  last: { end?: SubRunEnd },
): ParentRun {
  const { runId, clock, timeZone, locale } = run;
  const shared = { ledger, inTask, of: { runId, callId }, time: { clock, timeZone, locale } };
  if (role !== "sub_run") return shared;
  const report = (end: SubRunEnd) => {
    last.end = end;
  };
  const known = () => [...texts(), ...trustedTexts(observations)];
  return { ...shared, lastWords: ledger, call: { continues, known, report } };
}

/** The call with the arguments that a hook gave it. */
async function refitted(
  given: unknown,
  { tool }: ToolEntry,
  call: ReadCall,
): Promise<ReadCall | ToolError> {
  const read = readArguments(given);
  const problem = read.ok ? await checkArguments(tool, read.args) : read.problem;
  if (problem !== undefined) return new ToolError("invalid_arguments", problem);
  return read.ok ? { ...call, args: read.args } : call;
}

function requestOf(
  { tool }: ToolEntry,
  { id, name, args }: ReadCall,
  { config, run, state }: ToolCallContext,
) {
  const { context, configurable, store, writer } = config;
  const signal = run.ledger.signal();
  return {
    toolCall: { type: "tool_call" as const, id, name, args },
    tool,
    state,
    runtime: {
      context,
      ...(configurable === undefined ? {} : { configurable }),
      store,
      writer,
      signal,
    },
  };
}
