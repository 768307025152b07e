import type { AgentEvent, AgentEventBody } from "../observe/events.js";
import { planMade } from "../runtime/tell-plan.js";
import type { Observation } from "../state/observation.js";
import { callKey } from "./calls.js";
import type { Result } from "./read-chunk.js";
import type { View } from "./view.js";

/** Shows a run's events, and of its state what no event has told here. */
export type Recall = {
  readonly event: (event: AgentEvent) => void;
  readonly state: (state: Result) => void;
};

/**
 * Lets a view see the whole plan of a run that `goesOn` after another process began it: what is done is told
 * by the state alone. A new run tells all of it by events, and its state begins with that of the run before it.
 */
export function createRecall(view: Pick<View, "event">, goesOn: boolean): Recall {
  const ended = new Set<string>();
  return {
    event: (event) => {
      if (event.type === "tool_finished") ended.add(callKey(event.runId, event.callId));
      view.event(event);
    },
    state: (state) => {
      const { runId } = state;
      if (!goesOn || runId === undefined || state.steps.length === 0) return;
      const tell = (event: AgentEventBody, at: number) => {
        view.event({ ...event, runId, node: "worker", at });
      };
      tell(planMade(state.steps), Date.now());
      for (const observation of state.observations) {
        const key = callKey(runId, observation.callId);
        if (ended.has(key)) continue;
        ended.add(key);
        for (const event of eventsOf(observation)) tell(event, observation.startedAt);
      }
    },
  };
}

function eventsOf(observation: Observation): AgentEventBody[] {
  const { callId, tool, args, ok, attempts, ms, error, content } = observation;
  return [
    { type: "tool_started", callId, tool, content: { args } },
    {
      type: "tool_finished",
      callId,
      tool,
      ok,
      attempts,
      ms,
      ...(error === undefined ? {} : { error: error.kind }),
      content: { result: content },
    },
  ];
}
