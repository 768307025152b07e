import type { Ledger } from "../run/ledger.js";
import type { Conversation } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import { failedOutcome, type LimitName, type Outcome } from "../state/outcome.js";
import type { Planning } from "../state/plan.js";
import type { ToolCallResult } from "../tools/tool-call.js";
import type { Run } from "./enter-run.js";
import type { TurnContext } from "./run-turn.js";
import type { Turn } from "./turn.js";
import { uncoveredEnd } from "./uncovered.js";

/** A turn that is complete. In graphs that plan, one without steps found no plan. */
type TurnDone = {
  readonly turn: Turn;
  readonly state: Conversation & Partial<Planning>;
  readonly observations: readonly Observation[];
};

/** How the run ends with this turn, if it does: by the result that ends it, or with the only one. */
export function endOfTurn(
  last: ToolCallResult | undefined,
  { turn, state, observations }: TurnDone,
  context: TurnContext,
): { outcome?: Outcome; answer?: string } {
  const end = endOfRun(last, context);
  if (end.outcome !== undefined) return end;
  const direct = last?.kind === "observed" ? last.direct : undefined;
  if (direct !== undefined && turn.calls.length === 1) {
    return { outcome: { status: "answered" }, answer: direct };
  }
  const unread = unreadEnd(observations, context.run);
  if (unread.outcome !== undefined) return unread;
  const wasTold = state.observations.length > 0 || state.steps?.length === 0;
  return uncoveredEnd([...state.observations, ...observations], wasTold, context.run);
}

/** How the run ends with a result that ends it: handed off, or at a limit. */
export function endOfRun(
  last: ToolCallResult | undefined,
  { run }: TurnContext,
): { outcome?: Outcome } {
  if (last?.kind !== "observed") return {};
  const { ends, handedOver } = last;
  if (ends === "handed_off") return { outcome: { status: "handed_off", ...handedOver } };
  if (ends !== undefined) {
    const limit = ends === "repeated" ? "repeatedCalls" : (limitAt(run.ledger) ?? "toolCalls");
    return { outcome: { status: "limit", limit } };
  }
  return {};
}

/** How the run ends with a result that no model can be given, where a person takes over for that. */
export function unreadEnd(
  observations: readonly Observation[],
  { settings }: Run,
): { outcome?: Outcome } {
  const result = observations.find(
    (each) => each.unread !== undefined && each.images === undefined,
  );
  const { tool, unread } = result ?? {};
  if (unread === undefined || !settings.handOffOn.includes("unreadable")) return {};
  const what = { image: "an image", audio: "audio", video: "a video", file: "a file" }[unread];
  const reason = `The result of ${tool} is ${what}, which the model cannot read.`;
  return { outcome: failedOutcome(reason, "unreadable") };
}

/** The limit that stands against any further call: a step of a plan counts no tool call. */
export function limitAt(ledger: Ledger): LimitName | undefined {
  return ledger.reached("toolCalls") ?? ledger.reached("modelCalls");
}
