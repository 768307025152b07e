import { HumanMessage, isHumanMessage } from "@langchain/core/messages";
import type { GraphNode } from "@langchain/langgraph";

import { defined, type Json } from "../json/json.js";
import type { ModelReply } from "../models/model-request.js";
import { type JsonOutputSchema, writtenInForm } from "../models/structured-output.js";
import {
  finalAnswerPrompt,
  evidencePrompt,
  evidenceTask,
  failedSentence,
  type Known,
  stoppedSentence,
} from "../prompts/endings.js";
import { failureLines, openLines, resultLines, withoutFences } from "../prompts/results.js";
import { withoutSteps } from "../prompts/shown-steps.js";
import { answerTask } from "../prompts/structured.js";
import { agentPrompt } from "../roles/agent.js";
import { joinOutput } from "../roles/joiner.js";
import { closeRun, type EndWrites } from "../runtime/end-run.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import type { Ending } from "../runtime/hand-off.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { lastQuestion, unreported } from "../runtime/messages.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";
import type { LimitName } from "../state/limits.js";
import { failedOutcome, type Outcome } from "../state/outcome.js";
import type { Planning } from "../state/plan.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import { wholeText } from "../tools/kept-result.js";

type FinalizerOptions = {
  readonly instructions: Instructions;
  /** The output schema of the answer. */
  readonly output?: JsonOutputSchema<Json> | undefined;
};

/** Maximum characters of one result in the final-answer call and in the call for the response format. */
const maxResultChars = 2_000;

/** Ends every run: sets the outcome and makes the last message the answer. */
export function createFinalizer(options: FinalizerOptions): GraphNode<typeof ConversationState> {
  return async function finalizer(state, config): Promise<EndWrites | DraftWrites> {
    const run = enterRun(state, config, "finalizer");
    const ending = await endingOf(state, run, options);
    return run.holdsAnswer ? drafted(ending, state, run) : closeRun(state, ending, run);
  };
}

/** Keeps how the run ends until its answer has passed. */
function drafted(
  { usage, ...draft }: Ending,
  { observations }: Conversation,
  run: Run,
): DraftWrites {
  const result = observations.findLast((each) => wholeText(each) === draft.answer)?.callId;
  return { draft: { ...draft, ...defined({ result }) }, usage, run: run.record() };
}

type DraftWrites = Writes<typeof ConversationState, "draft" | "usage" | "run">;

/** The answer that a node has, or its draft. */
function saidIn({ draft, answer }: Conversation): string | undefined {
  return draft?.answer ?? answer;
}

async function endingOf(state: Conversation, run: Run, options: FinalizerOptions): Promise<Ending> {
  const { outcome = { status: "answered" } } = state;
  if (outcome.endedBy !== undefined) return endedByHook(state, outcome);
  if (outcome.status === "answered") return answered(state, run, options);
  if (outcome.limit === "outputTokens") return cutShort(state, run);
  if (outcome.limit === "repeatedCalls") return repeatedEnd(state, run, options);
  if (outcome.limit !== undefined) return stopped(outcome.limit, state, run, options);
  return { answer: endingWords(outcome, state), outcome, usage: noUsage };
}

/** A middleware has ended the run: the last message is its answer, and no model is asked again. */
function endedByHook(state: Conversation, outcome: Outcome): Ending {
  return { answer: state.draft?.answer ?? lastReply(state) ?? "", outcome, usage: noUsage };
}

/** The text of the last message, unless the user wrote it. */
function lastReply({ messages }: Conversation): string | undefined {
  const last = withoutSteps(messages).at(-1);
  return last === undefined || isHumanMessage(last) ? undefined : last.text;
}

/** The answer at an end without a model call. */
function endingWords({ status, reason = "" }: Outcome, state: Conversation): string {
  return saidIn(state) ?? (status === "failed" ? failedSentence(reason, knownIn(state)) : reason);
}

/** A cut answer is returned cut: another one would be cut as well. */
function cutShort(state: Conversation, run: Run): Ending {
  const limit = "outputTokens";
  run.emit({ type: "limit_reached", limit });
  const answer = saidIn(state) ?? stoppedSentence(limit, knownIn(state));
  return { answer, outcome: { ...state.outcome, status: "limit", limit }, usage: noUsage };
}

async function answered(
  state: Conversation,
  run: Run,
  { instructions, output }: FinalizerOptions,
): Promise<Ending> {
  const answer = saidIn(state) ?? lastReply(state);
  if (answer === undefined) return unanswered(state);
  const outcome: Outcome = { status: "answered" };
  if (output === undefined) return { answer, outcome, usage: noUsage };
  const written = await writtenInForm(answer, output);
  if (written !== undefined)
    return { answer, outcome, usage: noUsage, structuredResponse: written };
  const wanted = { output, task: answerTask(answer, unreportedResults(state)) };
  const messages = agentPrompt(
    heard("executor", state, run),
    textOf(instructions, state, run),
    run.dateLine(),
  );
  const structured = await run.askFor("executor", wanted, { messages });
  const { usage } = structured;
  if (structured.ok) return { answer, outcome, usage, structuredResponse: structured.value };
  const { problem, cause, cut } = structured;
  const limit = cut === undefined ? structured.limit : "outputTokens";
  if (limit === undefined) return { answer, outcome: failedOutcome(problem, cause), usage };
  run.emit({ type: "limit_reached", limit });
  return { answer, outcome: { status: "limit", limit, reason: problem }, usage };
}

/** The end of a run whose last message is not a reply. */
function unanswered(state: Conversation): Ending {
  const outcome = failedOutcome("A hook left no reply of the model: the messages end without one.");
  return { answer: endingWords(outcome, state), outcome, usage: noUsage };
}

/** The results and failures of a run, for a person. */
function knownIn(state: Conversation): Known {
  const known = withoutFences(state.observations);
  return { results: resultLines(known), failures: failureLines(known), open: openIn(state) };
}

/** The open steps, in a graph with a plan. */
function openIn({ steps = [], observations }: Conversation & Partial<Planning>): string[] {
  return openLines(steps, observations);
}

/** The results of a plan's steps, which are in no message. */
function unreportedResults({ messages, observations }: Conversation): string[] {
  return resultLines(unreported(messages, observations), maxResultChars);
}

/** After repeated calls: the answer, if it follows from the results; else the same as at any limit. */
async function repeatedEnd(
  state: Conversation,
  run: Run,
  options: FinalizerOptions,
): Promise<Ending> {
  const limit = "repeatedCalls";
  const found = mayAsk(limit, run)
    ? await answerFromEvidence(state, options.instructions, run)
    : { usage: noUsage };
  const ending =
    found.answer === undefined
      ? await stopped(limit, state, run, options)
      : await answered({ ...state, answer: found.answer }, run, options);
  return { ...ending, usage: addUsage(found.usage, ending.usage) };
}

/** Whether a model is asked for an answer at a limit. A person who takes over needs none. */
function mayAsk(limit: LimitName, { settings, finalAnswerOwner }: Run): boolean {
  if (settings.handOffOn.includes("limit")) return false;
  // A parent run that gives the final answer, and has reached a limit, uses what is known here.
  const reached = finalAnswerOwner?.reached(limit === "toolCalls" ? limit : "modelCalls");
  return settings.earlyStopping !== "force" && reached === undefined;
}

/** At a limit: the model's answer from the known results, or a fixed sentence with them. */
async function stopped(
  limit: LimitName,
  state: Conversation,
  run: Run,
  { instructions }: FinalizerOptions,
): Promise<Ending> {
  run.emit({ type: "limit_reached", limit });
  const outcome: Outcome = { ...state.outcome, status: "limit", limit };
  const { messages: conversation, observations } = state;
  const fixed = stoppedSentence(limit, knownIn(state));
  if (!mayAsk(limit, run)) return { answer: fixed, outcome, usage: noUsage };
  const messages = agentPrompt(
    heard("executor", state, run),
    textOf(instructions, state, run),
    run.dateLine(),
  );
  const failures = failureLines(unreported(conversation, observations), maxResultChars);
  const known = { results: unreportedResults(state), failures, open: openIn(state) };
  const trailingMessages = [new HumanMessage(finalAnswerPrompt(limit, known))];
  const asked = { messages, trailingMessages, streamToUser: true, isFinalAnswer: true };
  const reply = await run.ask("executor", asked);
  const said = saidAtLast(reply);
  return { answer: said === "" ? fixed : said, outcome, usage: reply.usage };
}

function saidAtLast(reply: ModelReply): string {
  if (reply.kind !== "replied") return reply.kind === "limit" ? (reply.said?.text ?? "") : "";
  return (reply.message.tool_calls ?? []).length === 0 ? reply.message.text : "";
}

/** The reply must state the decision: prose alone may be an answer or a guess. */
const { readText: _, ...output } = joinOutput;

/** Asks once whether the run's results answer its question: the answer if they do, nothing if something is missing. */
async function answerFromEvidence(
  state: Conversation,
  instructions: Instructions,
  run: Run,
): Promise<{ readonly answer?: string; readonly usage: Usage }> {
  const { messages, observations } = state;
  const results = resultLines(observations, maxResultChars);
  if (results.length === 0) return { usage: noUsage };
  const asked = evidencePrompt(lastQuestion(messages), results);
  const wanted = { output, task: evidenceTask, mayRepair: 0 };
  const reply = await run.askFor("executor", wanted, {
    messages: [
      ...agentPrompt(
        heard("executor", state, run),
        textOf(instructions, state, run),
        run.dateLine(),
      ),
      new HumanMessage(asked),
    ],
  });
  const { usage } = reply;
  return reply.ok && reply.value.action === "finish"
    ? { answer: reply.value.answer, usage }
    : { usage };
}
