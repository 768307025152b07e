import type { SoloCall } from "../state/conversation.js";
import type { DecisionRecord } from "../state/person.js";
import type { ToolCallContext } from "./tool-call.js";

type Decided = Pick<ToolCallContext, "decision" | "decisions">;

/** The mark that a call keeps of what people decided of it, wherever it goes on. */
export function decidedAs({
  decision,
  decisions,
}: Decided): Pick<SoloCall, "decided" | "decisions"> {
  const { type } = decision ?? {};
  return {
    ...(type === "approve" || type === "edit" ? { decided: type } : {}),
    ...withDecisions(recordsOf({ decision, decisions })),
  };
}

/** All that is kept of decisions on a call: of those before, and of the last one. */
export function recordsOf({ decision, decisions = [] }: Decided): readonly DecisionRecord[] {
  return decision?.record === undefined ? decisions : [...decisions, decision.record];
}

/** The records as the field that keeps them; nothing where there are none. */
export function withDecisions(records: readonly DecisionRecord[]): Pick<SoloCall, "decisions"> {
  return records.length === 0 ? {} : { decisions: records };
}
