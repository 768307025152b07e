import type { JsonObject } from "../plan/json.js";

/** What a person may answer to a request. */
export type AllowedDecision = "approve" | "edit" | "reject" | "respond";

/** One thing a person is asked: to let a call run, or to answer a question. */
export type ActionRequest = {
  readonly name: string;
  readonly args: JsonObject;
  readonly description: string;
};

/** What may be answered to the action request at the same position. */
export type ReviewConfig = {
  readonly action_name: string;
  readonly allowed_decisions: readonly AllowedDecision[];
};

/**
 * The one shape in which a run asks people, as an interrupt's value or in `outcome.requests`:
 * LangChain's human-in-the-loop request, which agent-chat-ui renders.
 */
export type PersonRequests = {
  readonly action_requests: readonly ActionRequest[];
  readonly review_configs: readonly ReviewConfig[];
  /** Why the last answer could not be used, when the same is asked again. */
  readonly error?: string;
};

/** A person's answer to one action request. */
export type Decision =
  | { readonly type: "approve" }
  | {
      readonly type: "edit";
      readonly edited_action: { name: string; args: JsonObject };
    }
  | { readonly type: "reject"; readonly message?: string }
  | { readonly type: "respond"; readonly message: string };
