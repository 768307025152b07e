import { AIMessage, isAIMessage } from "@langchain/core/messages";

import { defined } from "../json/json.js";
import { taskTool } from "../plan/step.js";
import { keptResults } from "../prompts/earlier-results.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import type { RunRecord } from "../state/pending.js";
import { addUsage, type Usage } from "../state/usage.js";
import { wholeText } from "../tools/kept-result.js";
import { llmToolName } from "../tools/builtin/llm.js";
import { answerId, type Run } from "./enter-run.js";
import { type Ending, asHandoff } from "./hand-off.js";
import { isKnown, unreported } from "./messages.js";

/** The state update of a run's last node. */
export type EndWrites = Writes<
  typeof ConversationState,
  "messages" | "answer" | "outcome" | "usage" | "run" | "structuredResponse"
>;

/**
 * Ends a run: hands it off where `handOffOn` says so, stops its clock, emits its end, and makes the answer the last
 * message.
 */
export function closeRun(state: Conversation, told: Ending, run: Run): EndWrites {
  const ending = asHandoff(told, state, run.settings.handOffOn);
  const { answer, outcome, usage, structuredResponse } = ending;
  const record = finishRun(state.usage, ending, run);
  return {
    messages: finalMessages(state, ending, run),
    answer,
    outcome,
    usage,
    structuredResponse,
    run: record,
  };
}

/** Stops the clock of a run and emits its end. */
export function finishRun(before: Usage, { answer, outcome, usage }: Ending, run: Run): RunRecord {
  const record = run.record();
  run.budget.close();
  const { status, limit, cause, reason } = outcome;
  if (status === "handed_off") run.emit(handOffEvent(outcome));
  run.emit({
    type: "run_finished",
    outcome: { status, ...defined({ limit }), ...(cause === "no_knowledge" ? { cause } : {}) },
    ...(status === "failed" && reason !== undefined ? { error: reason } : {}),
    usage: addUsage(before, usage),
    ms: record.activeMs,
    content: { answer },
  });
  return record;
}

function handOffEvent({ cause, reason = "", summary = "" }: Outcome) {
  return { type: "handed_off", ...defined({ cause }), content: { reason, summary } } as const;
}

/** The answer as the last message, unless it already is, or is empty and brings nothing: model servers refuse that. */
function finalMessages(state: Conversation, { answer, outcome, kwargs: more }: Ending, run: Run) {
  const last = state.messages.at(-1);
  const isLast = last !== undefined && isAIMessage(last) && (last.tool_calls ?? []).length === 0;
  const isSaid = isLast && last.text === answer;
  const { runId } = run;
  const kwargs = { ...answerKwargs(state, answer, run), ...more };
  const isBare = Object.keys(kwargs).length === 0;
  if (isBare && (isSaid || answer === "")) return [];
  if (isSaid) return [withKwargs(last, kwargs)];
  const id = outcome.status === "needs_input" ? `waiting:${runId}` : answerId(runId);
  return [new AIMessage({ id, content: answer, additional_kwargs: kwargs })];
}

/** The tools whose results a model of the graph writes. */
const writers: ReadonlySet<string> = new Set([taskTool, llmToolName]);

/** What the answer's message carries: the UI components of the results, and results that no message has. */
function answerKwargs(
  { messages, observations, draft }: Conversation,
  answer: string,
  { holdsAnswer }: Run,
): AIMessage["additional_kwargs"] {
  // The result that is the answer goes out only as the answer that passed.
  const isHeld = ({ callId }: Observation) => holdsAnswer && callId === draft?.result;
  const render = renderedIn(
    observations.filter((one) => !isHeld(one) || wholeText(one) === answer),
  );
  // What a model wrote for a step may be the answer that did not pass.
  const isWritten = ({ tool, run }: Observation) => run !== undefined || writers.has(tool);
  const shared = holdsAnswer
    ? observations.filter((each) => !isWritten(each) && !isHeld(each))
    : observations;
  return {
    ...(render.length === 0 ? {} : { render }),
    ...keptResults(unreported(messages, shared), isKnown),
  };
}

/** A copy of the message with more `additional_kwargs`; it replaces the original. */
function withKwargs(message: AIMessage, kwargs: AIMessage["additional_kwargs"]): AIMessage {
  const { id, content, response_metadata, usage_metadata, additional_kwargs } = message;
  return new AIMessage({
    ...defined({ id }),
    content,
    response_metadata,
    ...defined({ usage_metadata }),
    additional_kwargs: { ...additional_kwargs, ...kwargs },
  });
}

/** A UI component for a result. */
type Rendered = NonNullable<Observation["render"]> & {
  /** The call that returned the result. */
  readonly callId: string;
};

/** The UI components of a run's results, sub-runs included, in call order. */
function renderedIn(observations: readonly Observation[]): Rendered[] {
  return observations.flatMap(({ callId, render, run }) => [
    ...(render === undefined ? [] : [{ callId, ...render }]),
    ...renderedIn(run?.observations ?? []),
  ]);
}
