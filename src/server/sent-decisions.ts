import type { JsonObject } from "../json/json.js";
import { Decision, type PersonRequests } from "../state/person-requests.js";
import { boundTo, decisionsIn, idOf, inOneForm } from "../tools/human-input.js";
import { isByInterrupt, pendingIn, requestsOf } from "./bound-command.js";

/** A decision that somebody sent, with the request that it answers. */
export type SentDecision = {
  readonly type: Decision["type"];
  readonly requestId: string | undefined;
  /** The call that was asked about; undefined where the thread no longer asked. */
  readonly tool: string | undefined;
  /** Its arguments; those that the person wrote, where they were edited. */
  readonly args: JsonObject | undefined;
  readonly message: string | undefined;
  /** Whom the decision names. */
  readonly decidedBy: string | undefined;
};

/** The decisions in the answer of a new run, with what its thread asks. Answers of another form are none. */
export function sentDecisions(
  resume: unknown,
  interrupts: Readonly<Record<string, unknown>>,
): SentDecision[] {
  const pending = pendingIn(interrupts);
  const answers = isByInterrupt(resume)
    ? Object.entries(resume).map(([id, answer]) => ({
        answer,
        asked: requestsOf(pending.filter((one) => one.id === id)),
      }))
    : [{ answer: resume, asked: requestsOf(pending) }];
  return answers.flatMap(({ answer, asked }) => {
    const [first] = asked;
    const named = first === undefined ? answer : boundTo(first, answer);
    return decisionsIn(named).flatMap((given) => sentDecision(given, asked));
  });
}

function sentDecision(given: unknown, asked: readonly PersonRequests[]): SentDecision[] {
  const requestId = idOf(given);
  const requests = asked.flatMap(({ action_requests: all, review_configs: configs }) =>
    all.map((request, at) => ({ request, allowed: configs[at]?.allowed_decisions ?? [] })),
  );
  const found = requests.find(({ request }) => request.id !== "" && request.id === requestId);
  const read = Decision.safeParse(inOneForm(given, found?.allowed ?? []));
  if (!read.success) return [];
  const decision = read.data;
  const edited = decision.type === "edit" ? decision.edited_action.args : undefined;
  return [
    {
      type: decision.type,
      requestId,
      tool: found?.request.name,
      args: edited ?? found?.request.args,
      message: "message" in decision ? decision.message : undefined,
      decidedBy: decision.by,
    },
  ];
}
