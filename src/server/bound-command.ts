import type { RunKwargs } from "@langchain/langgraph-api/storage";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import { PersonRequests } from "../state/person-requests.js";
import { boundTo, decisionsIn, idOf } from "../tools/human-input.js";

/** An interrupt of a thread, as its row has it. */
type Pending = { readonly id: string; readonly value: unknown };

/**
 * The command of a run, with its answer bound to what the thread asked when the run was created: delivered twice, or
 * after another answer, it answers nothing else. Throws `invalid_decisions` for decisions that name no request, where
 * they must.
 */
export function boundCommand(
  { command }: RunKwargs,
  interrupts: Readonly<Record<string, unknown>>,
  { requireDecisionIds }: { readonly requireDecisionIds: boolean },
): Pick<RunKwargs, "command"> {
  const resume: unknown = command?.resume;
  if (resume === undefined || isByInterrupt(resume)) return {};
  const pending = pendingIn(interrupts);
  const requests = requestsOf(pending);
  const isOfRequests = requests.length > 0 || isDecisions(resume);
  if (isOfRequests && requireDecisionIds) checkNamed(resume);
  // Of several questions, the graph says which one is answered.
  if (pending.length !== 1) return {};
  return { command: { ...command, resume: boundAnswer(resume, pending, requests) } };
}

function boundAnswer(
  resume: unknown,
  [pending]: readonly Pending[],
  [asked]: readonly PersonRequests[],
): unknown {
  if (asked !== undefined) return boundTo(asked, resume);
  return pending === undefined ? resume : { [pending.id]: resume };
}

function isDecisions(resume: unknown): boolean {
  return isRecord(resume) && Array.isArray(resume["decisions"]);
}

/** What the questions of a thread ask people. */
export function requestsOf(pending: readonly Pending[]): readonly PersonRequests[] {
  return pending.flatMap(({ value }) => PersonRequests.safeParse(value).data ?? []);
}

/** Whether it is a map from ids of interrupts, which LangGraph makes of 32 hexadecimal digits. */
export function isByInterrupt(resume: unknown): resume is Record<string, unknown> {
  if (!isRecord(resume)) return false;
  const keys = Object.keys(resume);
  return keys.length > 0 && keys.every((key) => /^[\da-f]{32}$/.test(key));
}

/** The questions of a thread. */
export function pendingIn(interrupts: Readonly<Record<string, unknown>>): readonly Pending[] {
  return Object.values(interrupts)
    .flat()
    .flatMap((each) => {
      if (!isRecord(each) || typeof each["id"] !== "string") return [];
      return [{ id: each["id"], value: each["value"] }];
    });
}

function checkNamed(resume: unknown): void {
  const nameless = decisionsIn(resume).findIndex((decision) => idOf(decision) === undefined);
  if (nameless === -1) return;
  throw new PlangraphError(
    "invalid_decisions",
    `Decision ${nameless + 1} names no request: expected the \`id\` of its action request, so that an answer which arrives twice does not answer the next question.`,
  );
}
