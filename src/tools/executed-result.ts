import type { SubRunEnd } from "../guards/parent-run.js";
import type { Observation } from "../state/observation.js";
import { addUsage, noUsage, toolUsage } from "../state/usage.js";
import { decidedAs } from "./decided-as.js";
import type { Executed } from "./execute-tool.js";
import { type HandedOver, handedOverWith } from "./hand-off.js";
import { keptOf } from "./kept-result.js";
import { observed } from "./observe-call.js";
import type { ToolCallContext, ToolCallResult } from "./tool-call.js";
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
  const isTold = ends !== undefined || !isEdited(context);
  return {
    ...observed(isTold ? observation : withEditNote(observation), ends),
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
  { continues, decision, isStep }: ToolCallContext,
): ToolCallResult {
  const { callId, tool, startedAt, ms, usage = noUsage } = observation;
  const { args } = observation;
  const earlier = continues?.subRun;
  const { decided } = earlier ?? decidedAs(decision);
  const subRun = {
    callId,
    tool,
    args,
    ...(isStep === true ? { isStep } : {}),
    ...(decided === undefined ? {} : { decided }),
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

function isEdited({ continues, decision }: ToolCallContext): boolean {
  return (continues?.subRun.decided ?? decision?.type) === "edit";
}

/** Tells the model that not its own arguments were used. */
function withEditNote(observation: Observation): Observation {
  const note = `(A person changed the arguments to ${JSON.stringify(observation.args)}.)`;
  const content = `${note}\n${observation.content}`;
  return { ...observation, ...keptOf(observation), content };
}
