import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { z } from "zod";

import type { Observation } from "../state/observation.js";
import { changeInFence } from "./fence.js";
import { callText } from "./results.js";

const Result = z.object({
  call: z.string(),
  content: z.string(),
  /** A trusted tool returned it. */
  isKnown: z.boolean().optional(),
});
const Results = z.array(Result);

type Kept = z.infer<typeof Result>;

/** The key in a message's `additional_kwargs` for results without a message of their own. */
const resultsKey = "plangraph_results";

/** The longest kept result, all results of a run, and all results in a prompt, in characters. */
const maxChars = { result: 2_000, run: 8_000, told: 16_000 };

/**
 * The results that a run keeps in a message for later runs, if any: of steps and their sub-runs, which have no
 * messages. Long ones are cut, and of many the latest stay; `before` were kept already. `isKnown`: a result may ground
 * arguments.
 */
export function keptResults(
  observations: readonly Observation[],
  isKnown: (observation: Observation) => boolean,
  before: readonly Kept[] = [],
): { readonly [resultsKey]?: z.infer<typeof Results> } {
  const made = [...observations.flatMap(insideOf), ...observations].filter(
    ({ attempts }) => attempts > 0,
  );
  const results = latest(
    [...before, ...made.map((each) => keptResult(each, isKnown(each)))],
    maxChars.run,
  );
  return results.length === 0 ? {} : { [resultsKey]: results };
}

/** The results of the calls in a sub-run. */
function insideOf({ run }: Observation): readonly Observation[] {
  const inside = run?.observations ?? [];
  return [...inside.flatMap(insideOf), ...inside];
}

/** The kept results of one run, or of all. */
export function resultsIn({ additional_kwargs: more }: BaseMessage): readonly Kept[] {
  // Most messages keep none, and a failing check costs more than none.
  if (more[resultsKey] === undefined) return [];
  const read = Results.safeParse(more[resultsKey]);
  return read.success ? read.data : [];
}

function keptResult(observation: Observation, isKnown: boolean): Kept {
  const { ok, content } = observation;
  const text = changeInFence(content, (whole) =>
    whole.length > maxChars.result ? `${whole.slice(0, maxChars.result)}…` : whole,
  );
  return {
    call: `${callText(observation)}${ok ? "" : " FAILED"}`,
    content: text,
    ...(isKnown ? { isKnown } : {}),
  };
}

/** The last results of a list that fit. */
function latest(results: readonly Kept[], most: number): Kept[] {
  let left = most;
  const fitting = results.toReversed().filter(({ call, content }) => {
    left -= call.length + content.length;
    return left >= 0;
  });
  return fitting.toReversed();
}

/** The conversation with kept results of earlier runs after it; the latest, if not all fit. */
export function withEarlierResults(messages: readonly BaseMessage[]): BaseMessage[] {
  const kept = messages.map((message) => resultsIn(message));
  if (kept.every(({ length }) => length === 0)) return [...messages];
  const fitting = new Set(latest(kept.flat(), maxChars.told));
  return messages.flatMap((message, at) => {
    const results = (kept[at] ?? []).filter((result) => fitting.has(result));
    return results.length === 0 ? [message] : [message, new HumanMessage(told(results))];
  });
}

/** The same as one message, for a role that does not see the conversation; absent if there are none. */
export function earlierResults(messages: readonly BaseMessage[]): HumanMessage[] {
  const results = latest(
    messages.flatMap((message) => resultsIn(message)),
    maxChars.told,
  );
  return results.length === 0 ? [] : [new HumanMessage(told(results))];
}

function told(results: readonly Kept[]): string {
  const lines = results.map(({ call, content }) => `- ${call}: ${content}`);
  return `(What the tools returned before, for an earlier question:\n${lines.join("\n")})`;
}
