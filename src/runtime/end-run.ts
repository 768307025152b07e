import { AIMessage, isAIMessage } from "@langchain/core/messages";

import { keptResults } from "../prompts/earlier-results.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import type { Outcome } from "../state/outcome.js";
import { addUsage } from "../state/usage.js";
import type { Run } from "./enter-run.js";
import { type Ending, asHandoff } from "./hand-off.js";
import { isKnown, unreported } from "./messages.js";

/** What the last node of a run writes. */
export type EndWrites = Writes<
  typeof ConversationState,
  "messages" | "answer" | "outcome" | "usage" | "run" | "structuredResponse"
>;

/** Closes a run: hands it to a person where that is its end, stops its clock, tells of its end, and makes the answer the conversation's last message. */
export function closeRun(state: Conversation, told: Ending, run: Run): EndWrites {
  const ending = asHandoff(told, state, run.settings.handOffOn);
  const { answer, outcome, usage, structuredResponse } = ending;
  const record = run.record();
  run.budget.close();
  const { status, limit, reason } = outcome;
  if (status === "handed_off") run.emit(handOffEvent(outcome));
  run.emit({
    type: "run_finished",
    outcome: { status, ...(limit === undefined ? {} : { limit }) },
    ...(status === "failed" && reason !== undefined ? { error: reason } : {}),
    usage: addUsage(state.usage, usage),
    ms: record.activeMs,
    content: { answer },
  });
  return {
    messages: finalMessages(state, ending, record.id),
    answer,
    outcome,
    usage,
    structuredResponse,
    run: record,
  };
}

function handOffEvent({ cause, reason = "", summary = "" }: Outcome) {
  const why = cause === undefined ? {} : { cause };
  return { type: "handed_off", ...why, content: { reason, summary } } as const;
}

/** The answer as the conversation's last message, unless it is that already; with what a front end is to show. */
function finalMessages(
  { messages, observations }: Conversation,
  { answer, outcome }: Ending,
  runId: string,
): AIMessage[] {
  const last = messages.at(-1);
  const isLast = last !== undefined && isAIMessage(last) && (last.tool_calls ?? []).length === 0;
  const render = renderedIn(observations);
  const kwargs = {
    ...(render.length === 0 ? {} : { render }),
    ...keptResults(unreported(messages, observations), isKnown),
  };
  if (isLast && last.text === answer) {
    return Object.keys(kwargs).length === 0 ? [] : [withKwargs(last, kwargs)];
  }
  const id = outcome.status === "needs_input" ? `waiting:${runId}` : `answer:${runId}`;
  return [new AIMessage({ id, content: answer, additional_kwargs: kwargs })];
}

/** The message, which takes the place of itself. */
function withKwargs(message: AIMessage, kwargs: AIMessage["additional_kwargs"]): AIMessage {
  const { id, content, response_metadata, usage_metadata, additional_kwargs } = message;
  return new AIMessage({
    ...(id === undefined ? {} : { id }),
    content,
    response_metadata,
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
    additional_kwargs: { ...additional_kwargs, ...kwargs },
  });
}

/** What a front end is to show of a run, in call order. */
type Rendered = NonNullable<Observation["render"]> & {
  /** The call whose result it is. */
  readonly callId: string;
};

/** What the results of a run, and of the runs inside it, are to be shown with. */
function renderedIn(observations: readonly Observation[]): Rendered[] {
  return observations.flatMap(({ callId, render, run }) => [
    ...(render === undefined ? [] : [{ callId, ...render }]),
    ...renderedIn(run?.observations ?? []),
  ]);
}
