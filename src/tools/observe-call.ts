import type { Json } from "../json/json.js";
import { nearestFirst } from "../plan/nearest.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { keptOf } from "./kept-result.js";
import type { CallEnd, ToolCall, ToolCallContext, ToolCallResult } from "./tool-call.js";

/** A call's observation as its result; `ends` where the run goes to its end after it. */
export function observed(observation: Observation, ends?: CallEnd): ToolCallResult {
  // Half a surrogate pair, left by a cut, is no text to a server: it refuses the whole request.
  const content = observation.content.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
  const whole = { ...observation, content };
  return { kind: "observed", observation: whole, ...(ends === undefined ? {} : { ends }) };
}

/** The observation of a call that was not carried out. */
export function refused(
  call: ToolCall,
  kind: ErrorKind,
  message: string,
  { run }: Pick<ToolCallContext, "run">,
): Observation {
  return {
    callId: call.id,
    tool: call.name,
    args: jsonArgs(call.args),
    ok: false,
    content: `Error (${kind}): ${message}`,
    error: { kind, message },
    attempts: 0,
    startedAt: run.clock.now(),
    ms: 0,
  };
}

/** The observation of a call that an earlier, identical one answers. */
export function recalled(
  call: ToolCall,
  earlier: Observation,
  { run }: Pick<ToolCallContext, "run">,
): Observation {
  const nudge =
    "(You already made this very call. This is its result from memory; use it, or do something else.)";
  // Not what the earlier call used: that is counted with it.
  const { tool, args, ok, render, error, trust } = earlier;
  return {
    tool,
    args,
    ok,
    ...keptOf(earlier),
    ...(render === undefined ? {} : { render }),
    ...(trust === undefined ? {} : { trust }),
    ...(error === undefined ? {} : { error }),
    callId: call.id,
    content: `${earlier.content}\n${nudge}`,
    attempts: 0,
    startedAt: run.clock.now(),
    ms: 0,
  };
}

/** What a model is told that asked for a tool that does not exist. */
export function unknownTool(name: string, names: readonly string[]): string {
  const known = nearestFirst(name, names);
  return known.length === 0
    ? `there is no tool "${name}", and there are no tools at all.`
    : `there is no tool "${name}". The tools are: ${known.join(", ")}.`;
}

/** Arguments that could not be read, as far as JSON can hold them. */
export function jsonArgs(args: unknown): Json {
  try {
    const copy: Json = JSON.parse(JSON.stringify(args));
    return copy;
  } catch {
    return {};
  }
}
