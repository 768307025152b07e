import type { JsonObject } from "../json/json.js";
import type { ToolStep } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { addUsage, noUsage, toolUsage, type Usage } from "../state/usage.js";
import type { ToolCallResult } from "../tools/tool-call.js";
import { markBooked } from "./book-result.js";
import type { Pace } from "./pace.js";
import { runInTask, type TurnContext } from "./run-turn.js";

/** What a step's arguments come to that a result does not fit: written anew, if that could be done. */
type Repaired = { readonly args: JsonObject | undefined; readonly usage: Usage };

/** Writes the arguments of a step anew whose call failed of them. */
export type Repair = (
  step: ToolStep,
  evidence: readonly Observation[],
  failed: Observation,
) => Promise<Repaired>;

/** What running a plan needs beside what running calls does. */
export type PlanContext = TurnContext & {
  /** Mends arguments that a result does not fit. */
  readonly repair?: Repair;
  /** Decides how far a superstep goes; without one, as far as it can. */
  readonly pace?: Pace;
};

/** A result of a call that failed of what a reference put into it: made once more with arguments written anew. */
export async function repairedOnce(
  step: ToolStep,
  evidence: readonly Observation[],
  result: ToolCallResult,
  context: PlanContext,
): Promise<ToolCallResult> {
  const { run, repair } = context;
  if (repair === undefined || result.kind !== "observed" || evidence.length === 0) return result;
  if (!isUnfit(result.observation)) return result;
  const { id, tool } = step;
  const { args, usage } = await repair(step, evidence, result.observation);
  if (args === undefined) {
    markBooked(result, run);
    return withUsage(result, usage);
  }
  run.emit({ type: "arguments_repaired", callId: id, tool, content: { args } });
  const first = result.observation.attempts > 0 ? toolUsage(1) : noUsage;
  run.ledger.book(`${id}:first`, first, true);
  const again = await runInTask({ id, name: tool, args }, context);
  markBooked(again, run);
  return withUsage(again, addUsage(first, usage));
}

function isUnfit({ ok, error }: Observation): boolean {
  return !ok && (error?.kind === "invalid_arguments" || error?.kind === "rejected");
}

function withUsage(result: ToolCallResult, used: Usage): ToolCallResult {
  if (result.kind !== "observed") {
    return { ...result, used: addUsage(result.used ?? noUsage, used) };
  }
  const { observation } = result;
  const usage = addUsage(observation.usage ?? noUsage, used);
  return { ...result, observation: { ...observation, usage } };
}
