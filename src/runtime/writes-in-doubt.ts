import { defined } from "../json/json.js";
import type { Conversation } from "../state/conversation.js";
import type { IsolatedCall } from "../state/pending.js";
import type { TakenDecision } from "../state/person-requests.js";
import { noUsage } from "../state/usage.js";
import { expired, personResult } from "../tools/call/approval.js";
import { wholeArguments } from "../tools/from-memory.js";
import { recordsOf, requestId, whyTooLate, withDecisions } from "../tools/human-input.js";
import type { ToolPolicy } from "../tools/policy.js";
import {
  emitToolEvents,
  observed,
  type PersonRequest,
  type ReadCall,
  refused,
  type ToolCallResult,
} from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";
import { askPeople } from "./interrupts.js";
import { type ToolBatch, type TurnContext, usageOf } from "./run-calls.js";

/**
 * Asks whether a write that may have run should run again. If so, it is committed once more before it starts, so that
 * every later process knows the answer and that it may have run.
 */
export async function askInDoubt(
  isolated: IsolatedCall,
  given: Conversation["decisions"],
  context: TurnContext,
): Promise<ToolBatch> {
  const { run, toolbox } = context;
  const { callId, tool: name, args: written, fromMemory } = isolated;
  const args = wholeArguments(isolated);
  const filled = Object.keys(fromMemory ?? {});
  const description = `${name} may already have been run before the program stopped. Run it again?`;
  const { expiresAfter } = toolbox.get(name)?.policy ?? {};
  const request: PersonRequest = {
    callId,
    ...defined({ expiresAfter }),
    // Every repetition is a question of its own.
    action: {
      id: requestId(run.runId, callId, `again ${isolated.decisions?.length ?? 0}`, args),
      name,
      args,
      ...(filled.length === 0 ? {} : { from_memory: filled }),
      description,
      effect: "write",
    },
    allowed: ["approve", "reject", "respond"],
  };
  const asked = await askPeople([request], given, run);
  if (asked.kind === "cannot_pause") return { results: [], usage: noUsage, waiting: [request] };
  const [decision] = asked.decisions;
  const records = recordsOf({ decision, decisions: isolated.decisions });
  const doubtful: IsolatedCall = { ...isolated, ...withDecisions(records), maybeDuplicate: true };
  const answer = decidedInDoubt({ id: callId, name, args: written }, decision, context);
  const result = marked(answer ?? { kind: "isolated", call: doubtful }, doubtful);
  if (result.kind === "observed") emitToolEvents(result.observation, false, run);
  return { results: [result], usage: usageOf([result]) };
}

/**
 * The result of a write that people decide not to run again: their own answer, or a refusal. Nothing when they approve
 * in time.
 */
function decidedInDoubt(
  call: ReadCall,
  decision: TakenDecision | undefined,
  { run, toolbox }: TurnContext,
): ToolCallResult | undefined {
  if (decision?.type === "respond") return personResult(call, decision.message, run);
  if (decision?.type === "approve") {
    const { policy = {} } = toolbox.get(call.name) ?? {};
    return lateInDoubt(call, whyTooLate(decision.record, policy), policy, run);
  }
  const said = decision?.type === "reject" ? decision.message : undefined;
  const message =
    "it may have taken effect before the program stopped, and a person decided not to run it again." +
    (said === undefined ? "" : ` They said: ${said}`);
  return observed(refused(call, "denied", message, { run }));
}

function lateInDoubt(call: ReadCall, late: string | undefined, policy: ToolPolicy, run: Run) {
  if (late === undefined) return undefined;
  const why = `not run again: it may have taken effect before the program stopped, and ${late}`;
  return expired(call, why, policy, { run });
}

/** The result of a call, marked when an earlier attempt may have taken effect. */
export function marked(
  result: ToolCallResult,
  { maybeDuplicate, decisions = [] }: IsolatedCall,
): ToolCallResult {
  if (maybeDuplicate === undefined) return result;
  if (result.kind === "isolated") return { ...result, call: { ...result.call, maybeDuplicate } };
  const kept = withDecisions(decisions);
  if (result.kind === "waits") {
    return { ...result, subRun: { ...result.subRun, ...kept, maybeDuplicate } };
  }
  if (result.kind !== "observed") return result;
  return { ...result, observation: { ...result.observation, ...kept, maybeDuplicate } };
}
