import type { Conversation, SoloCall } from "../state/conversation.js";
import type { Decision } from "../state/person.js";
import { refused } from "../tools/observe-call.js";
import type { PersonRequest, ToolCall, ToolCallResult } from "../tools/tool-call.js";
import { askPeople } from "./ask-people.js";
import { runSolo, runTogether, type TurnContext } from "./run-turn.js";
import type { Turn } from "./turn.js";

/** What one superstep of a turn brought. */
export type Round = {
  readonly results: readonly ToolCallResult[];
  /** What people must answer before the turn can go on, in a run that cannot pause. */
  readonly waiting?: readonly PersonRequest[];
};

/** Runs a turn's open calls side by side; what needs a person is asked at once when the others are done. */
export async function roundTogether(
  { pending }: Turn,
  decisions: Conversation["decisions"],
  context: TurnContext,
): Promise<Round> {
  const results = await runTogether(pending, context);
  const requests = results.flatMap((result) => (result.kind === "asks" ? [result.request] : []));
  const isEnding = results.some(
    (result) => result.kind === "observed" && result.ends !== undefined,
  );
  if (requests.length === 0 || isEnding) return { results };
  const asked = await askPeople(requests, decisions, context.run, context.config);
  if (asked.kind === "cannot_pause") return { results, waiting: requests };
  const decided = await runDecided(requests, asked.decisions, pending, context);
  return {
    results: [...results.filter(({ kind }) => kind !== "asks"), ...decided],
  };
}

/** Runs the calls as the model asked for them: a request may show more than their arguments. */
function runDecided(
  requests: readonly PersonRequest[],
  decisions: readonly Decision[],
  pending: readonly ToolCall[],
  context: TurnContext,
): Promise<ToolCallResult[]> {
  const byCall = new Map(decisions.map((decision, at) => [requests[at]?.callId ?? "", decision]));
  const calls = pending.filter(({ id }) => byCall.has(id));
  return runTogether(calls, context, byCall);
}

/** Runs the next call that runs alone. A write that was on record before a crash may have happened: people decide. */
export async function roundAlone(solo: SoloCall, context: TurnContext): Promise<Round> {
  const { run, config } = context;
  if (solo.why === "pauses" || run.onRecord.has(solo.callId)) {
    return { results: [await runSolo(solo, context)] };
  }
  const { callId, tool: name, args } = solo;
  const description = `${name} may already have been run before the program stopped. Run it again?`;
  const request: PersonRequest = {
    callId,
    action: { name, args, description },
    allowed: ["approve", "reject"],
  };
  const asked = await askPeople([request], undefined, run, config);
  const approved = asked.kind === "answered" && asked.decisions[0]?.type === "approve";
  const result = approved
    ? await runSolo(solo, context)
    : unknownEffect({ id: callId, name, args }, context);
  return { results: [withMark(result)] };
}

function unknownEffect(call: ToolCall, { run }: TurnContext): ToolCallResult {
  const message =
    "it may have taken effect before the program stopped, and a person decided not to run it again.";
  return {
    kind: "observed",
    observation: refused(call, "denied", message, { run }),
  };
}

function withMark(result: ToolCallResult): ToolCallResult {
  if (result.kind !== "observed") return result;
  return {
    ...result,
    observation: { ...result.observation, maybeDuplicate: true },
  };
}
