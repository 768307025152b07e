import type { Next } from "../../run/stages.js";
import { checkArguments } from "../check-arguments.js";
import { type Filled, wholeArguments } from "../from-memory.js";
import { observed, refused, type ToolCallResult } from "../tool-call.js";
import type { CheckedRequest, FilledRequest } from "./stage.js";

/**
 * Refuses a call for which the memory of the run lacks a value, and checks all arguments. The observation keeps what
 * was filled apart: models read the others.
 */
export async function fill(
  request: FilledRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { filled, ...rest } = request;
  if (filled === undefined) return next(rest);
  const { decision } = request.context;
  // A call that a person refuses, or answers, does not run.
  const runs = decision?.type !== "reject" && decision?.type !== "respond";
  const problem = runs ? await problemOf(request, filled) : undefined;
  if (problem !== undefined) return problem;
  return withFilled(await next({ ...rest, fromMemory: filled.values }), filled.values);
}

async function problemOf(
  { call, entry, context }: FilledRequest,
  { values, missing }: Filled,
): Promise<ToolCallResult | undefined> {
  if (missing.length > 0) {
    return observed(refused(call, "unavailable", unknownSentence(missing), context));
  }
  const { tool, whole = tool } = entry;
  const args = wholeArguments({ args: call.args, fromMemory: values });
  const problem = await checkArguments(whole, args, undefined, { tool, args: call.args });
  if (problem === undefined) return undefined;
  return observed(refused(call, "invalid_arguments", problem, context));
}

function unknownSentence(names: readonly string[]): string {
  const which = names.join(" and which ");
  return `not run: the application does not know just now which ${which} is meant. Do not make it up: your next reply asks the user for it.`;
}

/** The result of a call with what the memory filled in: the repetition guard tells calls apart by it. */
export function withFilled(
  result: ToolCallResult,
  fromMemory: FilledRequest["fromMemory"],
): ToolCallResult {
  if (result.kind !== "observed" || fromMemory === undefined) return result;
  return { ...result, observation: { ...result.observation, fromMemory } };
}
