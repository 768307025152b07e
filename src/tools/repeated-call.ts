import { inARow, judgeOtherWords, judgeRepetition } from "../guards/repetition.js";
import { changeInFence } from "../prompts/fence.js";
import type { Observation } from "../state/observation.js";
import { capResult } from "./cap-result.js";
import { keptOf } from "./kept-result.js";
import { observed, recalled, refused } from "./observe-call.js";
import type { ToolCall, ToolCallContext, ToolCallResult } from "./tool-call.js";
import { policyIn, type ToolEntry } from "./toolbox.js";

const sameCall = "this very call was made before and nothing has changed since. Use its result, do";
const otherWords = "the last calls of this tool brought one result, whatever the words. Use it, do";

/** What becomes of a call that repeats what was done: its result from memory, or a refusal; nothing of one that runs. */
export function repeatedCall(call: ToolCall, context: ToolCallContext): ToolCallResult | undefined {
  const { observations, toolbox, run, isPlanned } = context;
  const { repeatedCalls } = run.ledger.limits;
  const asked = { tool: call.name, args: call.args };
  const rest = [observations, policyIn(toolbox), repeatedCalls] as const;
  const same = judgeRepetition(asked, ...rest);
  if (same.action === "recall") return observed(recalled(call, same.earlier, context));
  if (same.action !== "run") return refusal(call, same, sameCall, context);
  const similar = isPlanned === true ? same : judgeOtherWords(asked, ...rest);
  if (similar.action !== "refuse" && similar.action !== "stop") return undefined;
  return refusal(call, similar, otherWords, context);
}

function refusal(
  call: ToolCall,
  { action, earlier }: { readonly action: "refuse" | "stop"; readonly earlier: Observation },
  why: string,
  context: ToolCallContext,
): ToolCallResult {
  const result = changeInFence(earlier.content, (text) => capResult(text, 1_000));
  const message = `${why} something different, or give your answer. Its result was: ${result}`;
  const ends = action === "stop" ? "repeated" : undefined;
  return observed(refused(call, "repeated", message, context), ends);
}

/** The result of a volatile tool, which is never answered from memory, with a word on how often it was called in a row. */
export function toldInARow(
  result: ToolCallResult,
  { policy }: ToolEntry,
  { observations, run }: ToolCallContext,
): ToolCallResult {
  const { repeatedCalls } = run.ledger.limits;
  if (result.kind !== "observed" || policy.volatile !== true || repeatedCalls === null)
    return result;
  const { observation } = result;
  const times = inARow(observation, observations).length + 1;
  if (times < repeatedCalls) return result;
  const note = `(You have now made this very call ${times} times in a row. If you have what you need, give your answer.)`;
  const content = `${observation.content}\n${note}`;
  return { ...result, observation: { ...observation, ...keptOf(observation), content } };
}
