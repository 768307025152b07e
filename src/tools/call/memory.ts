import { changeInFence } from "../../prompts/fence.js";
import type { Next } from "../../run/stages.js";
import type { Observation } from "../../state/observation.js";
import { keptOf } from "../kept-result.js";
import { callsInARow, judgeOtherWords, judgeRepetition } from "../repetition.js";
import {
  observed,
  recalled,
  refused,
  type ToolCall,
  type ToolCallContext,
  type ToolCallResult,
} from "../tool-call.js";
import { capResult } from "../tool-result.js";
import { policyIn } from "../toolbox.js";
import type { CheckedRequest, ReadRequest } from "./stage.js";

const sameCall = "this very call was made before and nothing has changed since. Use its result, do";
const otherWords = "the last calls of this tool brought one result, whatever the words. Use it, do";

/** Answers a repeated call from memory, or refuses it. Decisions of people are not checked. */
export async function memory(
  request: ReadRequest,
  next: Next<ReadRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const repeated = request.context.decision === undefined ? repeatedCall(request) : undefined;
  return repeated ?? next(request);
}

function repeatedCall({ call, context, filled }: ReadRequest): ToolCallResult | undefined {
  const { observations, toolbox, run, isPlanned } = context;
  const { repeatedCalls } = run.budget.limits;
  const asked = { tool: call.name, args: call.args, fromMemory: filled?.values };
  const rest = [observations, policyIn(toolbox), repeatedCalls] as const;
  const same = judgeRepetition(asked, ...rest);
  if (same.action === "recall") return observed(recalled(call, same.earlier, context));
  if (same.action !== "run") return refusal(call, same, sameCall, context);
  const similar = isPlanned === true ? same : judgeOtherWords(asked, ...rest);
  if (similar.action === "run") return undefined;
  return refusal(call, similar, otherWords, context);
}

function refusal(
  call: ToolCall,
  { action, earlier }: { readonly action: string; readonly earlier: Observation },
  why: string,
  context: ToolCallContext,
): ToolCallResult {
  const result = changeInFence(earlier.content, (text) => capResult(text, 1_000));
  const message = `${why} something different, or give your answer. Its result was: ${result}`;
  const ends = action === "stop" ? "repeated" : undefined;
  return observed(refused(call, "repeated", message, context), ends);
}

/** Says how often in a row a volatile tool was called; such calls are never answered from memory. */
export async function inARow(
  request: CheckedRequest,
  next: Next<CheckedRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { observations, run } = request.context;
  const { repeatedCalls } = run.budget.limits;
  const result = await next(request);
  const isVolatile = request.entry.policy.volatile === true;
  if (result.kind !== "observed" || !isVolatile || repeatedCalls === null) return result;
  const { observation } = result;
  const asked = { ...observation, fromMemory: request.fromMemory };
  const times = callsInARow(asked, observations).length + 1;
  if (times < repeatedCalls) return result;
  const note = `(You have now made this very call ${times} times in a row. If you have what you need, give your answer.)`;
  const content = `${observation.content}\n${note}`;
  return { ...result, observation: { ...observation, ...keptOf(observation), content } };
}
