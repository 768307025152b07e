import type { PersonRequest } from "../../src/tools/tool-call.js";

/** The request to approve an order. */
export const approval = (callId: string): PersonRequest => ({
  callId,
  action: {
    id: `request-${callId}`,
    name: "order",
    args: { item: "tea" },
    description: "Run order?",
  },
  allowed: ["approve", "edit", "reject", "respond"],
});

/** A question to the user. */
export const askedUser: PersonRequest = {
  callId: "q",
  action: {
    id: "request-q",
    name: "ask_user",
    args: { question: "Which?" },
    description: "Which?",
  },
  allowed: ["respond", "edit", "reject"],
};
