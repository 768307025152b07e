import type { ModelReply } from "../models/model-request.js";
import type { Outcome } from "../state/outcome.js";

/** How a run ends on a reply that did not come; nothing when it came. */
export function replyOutcome(reply: ModelReply): Outcome | undefined {
  if (reply.kind === "limit") return { status: "limit", limit: reply.limit };
  if (reply.kind === "failed") return { status: "failed", reason: reply.reason };
  return undefined;
}
