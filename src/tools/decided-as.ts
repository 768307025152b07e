import type { SoloCall } from "../state/conversation.js";
import type { Decision } from "../state/person.js";

/** The mark that a call which runs alone keeps of a person's decision. */
export function decidedAs(decision: Decision | undefined): Pick<SoloCall, "decided"> {
  return decision?.type === "approve" || decision?.type === "edit"
    ? { decided: decision.type }
    : {};
}
