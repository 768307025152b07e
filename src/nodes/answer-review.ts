import type { GraphNode } from "@langchain/langgraph";

import { defined, type Json, type JsonObject } from "../json/json.js";
import type { JsonOutputSchema } from "../models/structured-output.js";
import { answerReviewOf, awaitsReview, notReleased } from "../prompts/checks.js";
import { type Check, type CheckedText, checkText } from "../runtime/checks.js";
import { closeRun, type EndWrites } from "../runtime/end-run.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { inTask } from "../runtime/in-task.js";
import { askPeople, type ProblemWith } from "../runtime/interrupts.js";
import { lastQuestion } from "../runtime/messages.js";
import { waitingEnd } from "../runtime/turn-writes.js";
import type { Conversation, ConversationState, Draft, Writes } from "../state/conversation.js";
import type { Decision, TakenDecision } from "../state/person-requests.js";
import { noUsage } from "../state/usage.js";
import { requestId } from "../tools/human-input.js";
import type { PersonRequest } from "../tools/tool-call.js";

/** Whether a person reads an answer before it goes out: each one, or those for which a function says so. */
export type ReviewAnswer =
  | boolean
  | ((
      draft: Draft,
      runtime: { readonly context: unknown; readonly state: Readonly<Record<string, unknown>> },
    ) => boolean | Promise<boolean>);

/** What an answer must pass before it goes out. */
export type AnswerChecks = {
  readonly checkAnswer?: Check | undefined;
  readonly reviewAnswer?: ReviewAnswer | undefined;
  /** The output schema of the answer. */
  readonly output?: JsonOutputSchema<Json> | undefined;
};

/** A draft, and whether a person must read it. */
type Judged = { readonly draft: Draft; readonly asks: boolean };

type ReviewWrites = EndWrites & Writes<typeof ConversationState, "draft" | "decisions">;

/** Ends a run whose answer must pass first: a check by code, then a person, who may edit or reject it. */
export function createAnswerReview(checks: AnswerChecks): GraphNode<typeof ConversationState> {
  return async function answerReview(state, config): Promise<ReviewWrites> {
    const run = enterRun(state, config, "answerReview");
    const { draft = { answer: "" }, decisions } = state;
    // The decisions are on a draft that was judged before the run ended for them.
    const { draft: judged, asks } =
      decisions === undefined
        ? await inTask(
            () => "checkAnswer",
            config,
            async () => judge(draft, checks, run),
          )
        : { draft, asks: true };
    const released = asks ? await reviewed(judged, state, checks, run) : judged;
    const { answer, outcome = { status: "answered" }, structuredResponse } = released;
    const isWaiting = outcome.status === "needs_input";
    return {
      ...closeRun(state, { answer, outcome, structuredResponse, usage: noUsage }, run),
      draft: isWaiting ? judged : undefined,
      decisions: undefined,
    };
  };
}

/** Checks a draft by code, and decides whether a person must read it. */
async function judge(draft: Draft, checks: AnswerChecks, run: Run): Promise<Judged> {
  const { status = "answered" } = draft.outcome ?? {};
  if (status === "needs_input" || status === "refused") return { draft, asks: false };
  const checked = await checkedDraft(draft, checks, run);
  const isAnswer = status === "answered" || status === "limit";
  const mayAsk = isAnswer && checked.outcome?.status === draft.outcome?.status;
  return { draft: checked, asks: mayAsk && (await isReviewed(checked, checks, run)) };
}

/** The draft after the check of every text in it. */
async function checkedDraft(
  draft: Draft,
  { checkAnswer, output }: AnswerChecks,
  run: Run,
): Promise<Draft> {
  if (checkAnswer === undefined) return draft;
  const answer = await checkText("checkAnswer", checkAnswer, draft.answer, run);
  if (draft.outcome?.status === "handed_off") return handedOff(draft, answer);
  if (!answer.ok) return { answer: answer.answer, outcome: answer.outcome };
  const changed = { ...draft, answer: answer.text };
  if (draft.structuredResponse === undefined || output === undefined) return changed;
  const json = JSON.stringify(draft.structuredResponse);
  const form = await checkText(
    "checkAnswer",
    async (text, runtime) => {
      const said = await checkAnswer(text, runtime);
      if (typeof said === "string") await valueIn(said, output);
      return said;
    },
    json,
    run,
  );
  if (!form.ok) return { answer: form.answer, outcome: form.outcome };
  return { ...changed, structuredResponse: await valueIn(form.text, output) };
}

/** A handoff stays one, whatever its words: a person is still needed. */
function handedOff(draft: Draft, checked: CheckedText): Draft {
  const answer = checked.ok ? checked.text : checked.answer;
  const { outcome = { status: "handed_off" } } = draft;
  const reason = outcome.reason === draft.answer ? answer : outcome.reason;
  return { answer, outcome: { ...outcome, ...defined({ reason }) } };
}

/** The object of a `responseFormat` in a text. Throws where it does not fit. */
async function valueIn(text: string, output: JsonOutputSchema<Json>): Promise<Json> {
  const value: unknown = JSON.parse(text);
  const read = await output.read(value);
  if (read.ok) return read.value;
  throw new TypeError(`the changed structuredResponse does not fit: ${read.problem}`);
}

/** Whether a person must read a draft. Where the function fails, one must. */
async function isReviewed(
  draft: Draft,
  { reviewAnswer = false }: AnswerChecks,
  { state, config }: Run,
): Promise<boolean> {
  if (typeof reviewAnswer === "boolean") return reviewAnswer;
  try {
    const said: unknown = await reviewAnswer(draft, { context: config.context, state });
    return said !== false;
  } catch {
    return true;
  }
}

/** The draft after a person's decision, or how the run ends to wait for it. */
async function reviewed(
  draft: Draft,
  state: Conversation,
  { output }: AnswerChecks,
  run: Run,
): Promise<Draft> {
  const request = requestFor(draft, state, run);
  const problemWith: ProblemWith = async ([decision]) => problemIn(decision, output);
  const asked = await askPeople([request], state.decisions, run, problemWith);
  if (asked.kind === "cannot_pause") {
    const { outcome } = waitingEnd([request], run);
    return { answer: awaitsReview, outcome: { ...outcome, reason: awaitsReview } };
  }
  return decided(draft, asked.decisions[0]);
}

function requestFor(draft: Draft, { messages }: Conversation, run: Run): PersonRequest {
  const args: JsonObject = shownIn(draft);
  const id = requestId(run.runId, "answer", "review", args);
  const hasForm = draft.structuredResponse !== undefined;
  return {
    callId: "answer",
    action: { id, ...answerReviewOf(args, lastQuestion(messages), draft.answer) },
    // Words of a person would not have the form.
    allowed: hasForm ? ["approve", "edit", "reject"] : ["approve", "edit", "reject", "respond"],
  };
}

function shownIn({ answer, structuredResponse }: Draft): JsonObject {
  return { answer, ...defined({ structuredResponse }) };
}

/** Why an edited answer cannot go out. */
async function problemIn(
  decision: Decision | undefined,
  output: JsonOutputSchema<Json> | undefined,
): Promise<string | undefined> {
  if (decision?.type !== "edit") return undefined;
  const { answer, structuredResponse, ...others } = decision.edited_action.args;
  if (typeof answer !== "string" || answer.trim() === "")
    return "expected the text of the answer as args.answer.";
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `there is no "${unknown}" in an answer.`;
  if (structuredResponse === undefined) return undefined;
  if (output === undefined) return "the graph has no responseFormat.";
  const read = await output.read(structuredResponse);
  return read.ok ? undefined : `structuredResponse: ${read.problem}`;
}

/** The answer as a person decided. */
function decided(draft: Draft, decision: TakenDecision | undefined): Draft {
  const { outcome: before = { status: "answered" } } = draft;
  const review = defined({ review: decision?.record });
  const outcome = { ...before, ...review };
  if (decision === undefined || decision.type === "reject") {
    const reason = decision?.message ?? "A person rejected the answer.";
    return { answer: notReleased, outcome: { status: "refused", reason, ...review } };
  }
  if (decision.type === "approve") return { ...draft, outcome };
  if (decision.type === "respond") return { answer: decision.message, outcome };
  return { ...draft, ...edited(decision.edited_action.args, draft), outcome };
}

function edited({ answer, structuredResponse }: JsonObject, draft: Draft) {
  const text = typeof answer === "string" ? answer : draft.answer;
  return { answer: text, ...defined({ structuredResponse }) };
}
