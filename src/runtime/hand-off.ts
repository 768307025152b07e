import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  isToolMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Overwrite } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { defined } from "../json/json.js";
import { withUniqueIds } from "../models/reply.js";
import { redact } from "../observe/redact.js";
import { type Step, toolStepsOf } from "../plan/step.js";
import { handOffSentence, handOverSummary } from "../prompts/endings.js";
import { withoutFences } from "../prompts/results.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { planReading } from "../roles/plan-reading.js";
import type { RunTime } from "../run/scope.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";
import type { ErrorKind, Observation } from "../state/observation.js";
import { limitWords } from "../state/limits.js";
import {
  type HandOffCause,
  handOffCauses,
  isDeclined,
  type Outcome,
  type OutcomeCause,
  usualHandOffCauses,
} from "../state/outcome.js";
import type { RunRecord } from "../state/pending.js";
import type { Planning } from "../state/plan.js";
import type { Usage } from "../state/usage.js";
import { handOff } from "../tools/builtin/people.js";
import { policyIn, type Toolbox } from "../tools/toolbox.js";
import { clarifiedQuestion, hasOpenCalls, unreported } from "./messages.js";
import { planTools } from "./plan/context.js";

/** The state update of a run that resumes after a handoff. */
export type BackWrites = Writes<
  typeof ConversationState,
  "messages" | "answer" | "outcome" | "observations" | "run" | "pending" | "decisions"
>;

/** Whether a person hands a run back: it was handed off, and the decisions are an empty list. */
export function resumesHandoff({ decisions, outcome }: Conversation): boolean {
  return decisions?.length === 0 && outcome?.status === "handed_off";
}

/**
 * Resumes a run that was handed off. Finished steps stay finished; failed steps of a plan are open again, except those
 * that may have taken effect. Throws `invalid_input` for a plan that cannot be carried out: the person may have changed
 * it.
 */
export async function resumedHandoff(
  state: Conversation & Partial<Planning>,
  record: RunRecord,
  toolbox: Toolbox | undefined,
  time: RunTime,
): Promise<BackWrites> {
  const { observations } = state;
  const valid = toolbox === undefined ? observations : await validInPlan(state, toolbox, time);
  return {
    messages: handoffMessages(state),
    answer: undefined,
    outcome: undefined,
    observations: new Overwrite(valid),
    run: record,
    pending: undefined,
    decisions: undefined,
  };
}

/** The results that stay valid. For a new plan, earlier results get other ids, so that none is taken for a step of it. */
async function validInPlan(
  { messages, steps = [], observations }: Conversation & Partial<Planning>,
  toolbox: Toolbox,
  time: RunTime,
): Promise<Observation[]> {
  if (steps.length === 0) {
    const untold = new Set(unreported(messages, observations));
    return observations.map((each) =>
      untold.has(each) ? { ...each, callId: `earlier:${each.callId}` } : each,
    );
  }
  const valid = observations.filter((each) => stands(each, steps, toolbox));
  await checkSteps(steps, valid, toolbox, time);
  return valid;
}

/** Failures after which a call may have taken effect. */
const doubtful: ReadonlySet<ErrorKind> = new Set([
  "timeout",
  "unavailable",
  "cancelled",
  "internal",
]);

/** Whether a result stays valid. For calls outside of a plan the model decides. */
function stands(
  { callId, tool, ok, attempts, error, run }: Observation,
  steps: readonly Step[],
  toolbox: Toolbox,
): boolean {
  const step = steps.find(({ id }) => id === callId);
  if (ok || step === undefined) return true;
  if (attempts === 0) return false;
  // A sub-run has done a part of its work: the planner sees what is left.
  if (step.kind === "task" || run !== undefined) return true;
  const { effect } = policyIn(toolbox)(tool);
  return effect !== "read" && effect !== "idempotent" && doubtful.has(error?.kind ?? "internal");
}

async function checkSteps(
  steps: readonly Step[],
  valid: readonly Observation[],
  toolbox: Toolbox,
  time: RunTime,
): Promise<void> {
  const ended = new Set(valid.map(({ callId }) => callId));
  const open = toolStepsOf(steps).filter(({ id }) => !ended.has(id));
  if (open.length === 0) return;
  const tools = planTools(toolbox, time);
  const { issuesOf } = planReading(tools, { planSteps: null, earlier: [...ended] });
  const [issue] = await issuesOf({ steps: open, unread: [] });
  if (issue === undefined) return;
  const message = `The plan in the state cannot be carried out: ${issue.message}. Write other \`steps\` with updateState and hand the run back again.`;
  throw new PlangraphError("invalid_input", message);
}

/** The changed messages: the note about the handoff goes, and its tool result says that a person handed back. */
function handoffMessages({ messages, answer, observations }: Conversation): BaseMessage[] {
  const note = messages.findLast(
    ({ id, text }) => id?.startsWith("answer:") === true && text === answer,
  );
  const others = withoutSteps(messages).filter((message) => message !== note);
  return [
    ...(note?.id === undefined ? [] : [new RemoveMessage({ id: note.id })]),
    ...handedBackResults(others),
    ...writtenCalls(others, observations),
  ];
}

/**
 * The calls that a person wrote. A copy of an earlier call has the same id and would pass for made, so it gets a new
 * one.
 */
function writtenCalls(
  messages: readonly BaseMessage[],
  observations: readonly Observation[],
): AIMessage[] {
  const at = messages.findLastIndex(isAIMessage);
  const last = messages[at];
  if (last === undefined || !isAIMessage(last) || !hasOpenCalls(messages)) return [];
  const known = observations.map(({ callId }) => callId);
  return [withUniqueIds(last, messages.slice(0, at), known)];
}

/** For the model, so that it does not hand off again. */
const backNote = "(A person has seen to it and hands the conversation back: go on.)";

function handedBackResults(messages: readonly BaseMessage[]): ToolMessage[] {
  const asked = messages.findLastIndex(
    (message) => isAIMessage(message) && (message.tool_calls ?? []).length > 0,
  );
  return (
    messages
      .slice(asked + 1)
      .filter(isToolMessage)
      .filter(({ name, id }) => name === handOff.name && id !== undefined)
      // A router has told its route so.
      .filter(({ text }) => !text.endsWith(backNote))
      .map(({ id = "", name = "", text, tool_call_id }) => {
        return new ToolMessage({ id, name, tool_call_id, content: `${text}\n${backNote}` });
      })
  );
}

/** How a run ends. */
export type Ending = {
  readonly answer: string;
  readonly outcome: Outcome;
  /** The usage of writing the answer. */
  readonly usage: Usage;
  readonly structuredResponse?: Conversation["structuredResponse"];
  /** What its message carries besides. */
  readonly kwargs?: AIMessage["additional_kwargs"];
};

/** Turns an ending into a handoff where `causes` say so, and adds a summary for the person. */
export function asHandoff(
  ending: Ending,
  state: Conversation & Partial<Planning>,
  causes: readonly HandOffCause[],
): Ending {
  const { status, reason = "", summary } = atLimit(ending.outcome);
  const cause = causeOf(ending.outcome);
  const isTakenOver = cause !== undefined && causes.includes(isDeclined(cause) ? "failure" : cause);
  if (status !== "handed_off" && !isTakenOver) return ending;
  const outcome: Outcome = {
    ...ending.outcome,
    status: "handed_off",
    ...(isTakenOver ? { cause } : {}),
    reason,
    summary: summary ?? summaryOf(state, reason),
  };
  return { ...ending, outcome, answer: handOffSentence(reason) };
}

/** Why an outcome may be handed off; `undefined` for one that is not. */
function causeOf({ status, cause }: Outcome): OutcomeCause | undefined {
  if (status === "limit") return "limit";
  if (status === "failed") return cause ?? "failure";
  return status === "answered" ? cause : undefined;
}

/** An outcome with a reason, also at a limit. */
function atLimit({ reason, ...outcome }: Outcome): Outcome {
  const { limit } = outcome;
  if (limit === undefined) return { ...outcome, ...defined({ reason }) };
  const words = `The limit on ${limitWords(limit)} was reached.`;
  return { ...outcome, reason: reason === undefined ? words : `${words} ${reason}` };
}

function summaryOf(state: Conversation & Partial<Planning>, reason: string): string {
  const { messages, observations, objective = "", steps = [] } = state;
  const question = objective === "" ? clarifiedQuestion(messages) : objective;
  // The reason mentions the handoff already.
  const calls = withoutFences(observations.filter(({ tool }) => tool !== handOff.name));
  const others = steps.filter((step) => step.kind === "task" || step.tool !== handOff.name);
  return redact(handOverSummary({ question, observations: calls, steps: others, reason }));
}

/**
 * The causes for which a graph hands its runs off without a tool call: the option, else the usual ones where the graph has
 * the `hand_off` tool. Throws `invalid_option` for anything but a list of causes.
 */
export function handOffCausesFor(given: unknown, hasPerson: boolean): readonly HandOffCause[] {
  if (given === undefined) return hasPerson ? usualHandOffCauses : [];
  if (isCauses(given)) return given;
  const known = handOffCauses.map((cause) => `"${cause}"`).join(", ");
  const message = `handOffOn: expected a list of ${known}, got ${JSON.stringify(given)}.`;
  throw new PlangraphError("invalid_option", message);
}

function isCauses(given: unknown): given is readonly HandOffCause[] {
  const known: readonly unknown[] = handOffCauses;
  return Array.isArray(given) && given.every((cause) => known.includes(cause));
}
