import { AIMessage, type BaseMessage, isAIMessage, ToolMessage } from "@langchain/core/messages";

import { defined, isRecord } from "../json/json.js";
import { taskTool } from "../plan/step.js";
import type { Observation } from "../state/observation.js";

/** The beginning of the ids of messages that show steps of a plan to people. */
const shown = "steps:";

/** Marks a message whose text grounds no arguments. */
export const groundlessMark = "plangraph_groundless";

function isShownStep({ id, type }: BaseMessage): boolean {
  return type !== "human" && id?.startsWith(shown) === true;
}

/** The conversation without the steps that it shows: they are no calls of an agent, and models read their results elsewhere. */
export function withoutSteps(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  return messages.some(isShownStep) ? messages.filter((one) => !isShownStep(one)) : messages;
}

/** A word to the user about a plan that goes on. Models do not read it. */
export function reportMessage(
  text: string,
  messages: readonly BaseMessage[],
  runId: string,
): AIMessage {
  const nth = messages.filter(isShownStep).length + 1;
  return new AIMessage({ id: `${shown}${runId}:report:${nth}`, content: text });
}

/** Steps that have ended, as chat clients show tool calls: one message with the calls, and one for each result. */
export function stepMessages(
  observations: readonly Observation[],
  messages: readonly BaseMessage[],
  runId: string,
): BaseMessage[] {
  if (observations.length === 0) return [];
  const nth = messages.filter((one) => isShownStep(one) && isAIMessage(one)).length + 1;
  const steps = observations.map((observation) => {
    const { callId, tool, args } = observation;
    const id = `${callId}-${runId.slice(0, 8)}-${nth}`;
    return {
      ...observation,
      call: { id, name: tool === taskTool ? "task" : tool, args: isRecord(args) ? args : {} },
    };
  });
  const calls = new AIMessage({
    id: `${shown}${runId}:${nth}`,
    content: "",
    tool_calls: steps.map(({ call }) => ({ ...call, type: "tool_call" })),
  });
  const results = steps.map(
    ({ call: { id, name }, content, ok, artifact }) =>
      new ToolMessage({
        id: `${shown}${id}`,
        content,
        tool_call_id: id,
        name,
        status: ok ? "success" : "error",
        ...defined({ artifact }),
        // A client may drop the ids of messages: then they are read as an agent's.
        additional_kwargs: { [groundlessMark]: true },
      }),
  );
  return [calls, ...results];
}
