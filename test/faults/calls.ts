import { type FaultRun, type Setup, toolNames } from "./fault-run.js";
import { groupBy } from "./group-by.js";
import { type Expected, expectedOf, type Handling } from "./handling.js";

/** What a run did at one place, and what it was to do. */
export type Call = {
  readonly side: "model" | "tool";
  /** A request's place, or a tool's name. */
  readonly place: string;
  readonly handling: Handling | undefined;
  readonly made: Pick<Expected, "calls" | "fallbacks">;
  readonly expected: Expected;
  /** What a person is told of the fault. */
  readonly says: RegExp | undefined;
};

/** Every request and every tool that a run came to, beside what the faults there ask for. */
export function callsOf(run: FaultRun): readonly Call[] {
  return [...modelCalls(run), ...toolCalls(run)];
}

function modelCalls({ setup, requests }: FaultRun): Call[] {
  const { model, hasFallback = false } = setup;
  return [...groupBy(requests, ({ place }) => place)].map(([place, seen]) => {
    const isFaulty = (attempt: number) => setup.isFaulty("model", place, attempt);
    const handling = model?.handled[seen[0]?.kind ?? "text"];
    const fallbacks = seen.filter(({ isFallback }) => isFallback).length;
    return {
      side: "model",
      place,
      handling,
      made: { calls: seen.length - fallbacks, fallbacks },
      expected: expectedOf(handling ?? "one call", model ? isFaulty : () => false, hasFallback),
      says: model?.says,
    };
  });
}

function toolCalls({ setup, executions }: FaultRun): Call[] {
  const { tool: fault } = setup;
  return toolNames
    .filter((name) => executions.includes(name))
    .map((place) => {
      const isFaulty = (attempt: number) => setup.isFaulty("tool", place, attempt);
      const handling = toolHandling(setup, place);
      return {
        side: "tool",
        place,
        handling,
        made: { calls: executions.filter((name) => name === place).length, fallbacks: 0 },
        expected: expectedOf(handling ?? "one call", fault ? isFaulty : () => false, false),
        says: fault?.says,
      };
    });
}

/** A tool that does more than read is never run again. */
function toolHandling({ tool, effects = {} }: Setup, name: string): Handling | undefined {
  const isRead = !(name in effects) || effects[name] === "read";
  return tool?.handled === "retried" && !isRead ? "one call" : tool?.handled;
}
