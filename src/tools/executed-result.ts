import type { SubRunEnd } from "../run/scope.js";
import type { SubRun } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import { addUsage, noUsage, toolUsage } from "../state/usage.js";
import { type HandedOver, handedOverWith } from "./builtin/people.js";
import type { Executed } from "./execute-tool.js";
import { decidedAs, lateNote, recordsOf, withDecisions } from "./human-input.js";
import { keptOf } from "./kept-result.js";
import { observed, type ToolCallContext, type ToolCallResult } from "./tool-call.js";
import type { ToolEntry } from "./toolbox.js";

/** What running a tool makes of its call: an observation, an end of the run, or a sub-run that waits. */
export function executedResult(
  executed: Executed,
  entry: ToolEntry,
  context: ToolCallContext,
): ToolCallResult {
  const { observation, bare, end, used } = executed;
  if (end?.kind === "waits") return waits(executed, end, context);
  const handedOver = handedOverBy(executed, entry);
  const ends = handedOver === undefined ? undefined : "handed_off";
  const notes = ends === undefined ? notesOf(observation, context) : [];
  return {
    ...observed(withNotes(observation, notes), ends),
    ...(handedOver === undefined ? {} : { handedOver }),
    ...(isDirect(executed, entry) ? { direct: bare } : {}),
    ...(context.continues === undefined && context.isStep !== true ? {} : { used }),
  };
}

/** What the call hands to a person, by itself or because its sub-run does. */
function handedOverBy(
  { observation, bare, end }: Executed,
  { role }: ToolEntry,
): HandedOver | undefined {
  if (end?.kind === "ended" && end.handsOff !== undefined) return { reason: end.handsOff };
  const isHandOff = role === "hand_off" && observation.ok;
  return isHandOff ? handedOverWith(observation.value, bare) : undefined;
}

function isDirect({ observation }: Executed, { policy }: ToolEntry): boolean {
  return observation.ok && policy.returnDirect === true;
}

/** The call with all that it takes to go on, in another process too. */
function waits(
  { observation, used }: Executed,
  { state, requests }: SubRunEnd & { readonly kind: "waits" },
  { continues, decision, decisions, isStep }: ToolCallContext,
): ToolCallResult {
  const { callId, tool, args, startedAt, ms, usage = noUsage } = observation;
  const earlier = continues?.subRun;
  const subRun = {
    callId,
    tool,
    args,
    ...(isStep === true ? { isStep } : {}),
    ...(earlier === undefined ? decidedAs({ decision, decisions }) : decidedBefore(earlier)),
    parts: (earlier?.parts ?? 0) + 1,
    startedAt,
    ms,
    usage,
    requests,
    state,
  };
  const isCounted = earlier === undefined && isStep !== true;
  return { kind: "waits", subRun, used: isCounted ? addUsage(toolUsage(1), used) : used };
}

/** What people decided of the call before it began, as every part of it keeps it. */
function decidedBefore({ decided, decisions = [] }: SubRun): Pick<SubRun, "decided" | "decisions"> {
  return { ...(decided === undefined ? {} : { decided }), ...withDecisions(decisions) };
}

function isEdited({ continues, decision }: ToolCallContext): boolean {
  return (continues?.subRun.decided ?? decision?.type) === "edit";
}

/** What the model is told of a person's part in the call: other arguments, and how old its reasons are. */
function notesOf({ args }: Observation, context: ToolCallContext): string[] {
  const edited = `(A person changed the arguments to ${JSON.stringify(args)}.)`;
  const { decisions } = context.continues?.subRun ?? context;
  const late = lateNote(recordsOf({ decision: context.decision, decisions })[0]);
  return [...(isEdited(context) ? [edited] : []), ...(late === undefined ? [] : [late])];
}

function withNotes(observation: Observation, notes: readonly string[]): Observation {
  if (notes.length === 0) return observation;
  const content = [...notes, observation.content].join("\n");
  return { ...observation, ...keptOf(observation), content };
}
