import type { GraphNode } from "@langchain/langgraph";
import { z } from "zod";

import { defined } from "../json/json.js";
import { enterRun } from "../runtime/enter-run.js";
import { knownTexts } from "../runtime/messages.js";
import { observationIn, runConcurrently, usageOf } from "../runtime/run-calls.js";
import type { AssistantState, Passage, Query } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";
import type { Observation } from "../state/observation.js";
import { failedOutcome } from "../state/outcome.js";
import type { Toolbox } from "../tools/toolbox.js";

type RetrieverOptions = {
  /** The tool that searches. */
  readonly toolbox: Toolbox;
};

type RetrieverWrites = Writes<typeof AssistantState, "passages" | "observations" | "usage"> &
  Partial<Writes<typeof AssistantState, "outcome">>;

/** Retrieves: searches for the question as it was asked and as it was completed. */
export function createRetriever({ toolbox }: RetrieverOptions): GraphNode<typeof AssistantState> {
  const [tool = ""] = toolbox.keys();
  return async function retriever(state, config): Promise<RetrieverWrites> {
    const run = enterRun(state, config, "retriever");
    const { messages, query = { asked: "" } } = state;
    const calls = questionsIn(query).map((question, at) => ({
      id: `K${at + 1}`,
      name: tool,
      args: { question },
    }));
    const results = await runConcurrently(
      calls,
      { order: new Map(), known: new Map() },
      {
        toolbox,
        run,
        config,
        observations: [],
        texts: () => knownTexts(messages, run),
        wrappers: run.settings.wrapToolCall,
        state,
      },
    );
    const observations = results.flatMap(observationIn);
    const failed = observations.find(({ ok }) => !ok);
    const isOver = observations.every(({ ok }) => !ok);
    return {
      passages: joined(observations.map(passagesIn)),
      observations,
      usage: usageOf(results),
      ...(isOver
        ? { outcome: failedOutcome(failed?.error?.message ?? "nothing was searched") }
        : {}),
    };
  };
}

/** The completed question first: what it finds is meant. */
function questionsIn({ asked, rewritten }: Query): readonly string[] {
  return rewritten === undefined ? [asked] : [rewritten, asked];
}

const Found = z.object({
  hits: z.array(
    z.object({
      title: z.string(),
      text: z.string(),
      source: z.string(),
      line: z.number(),
      from: z.string().optional(),
      until: z.string().optional(),
    }),
  ),
});

function passagesIn({ ok, value }: Observation): readonly Omit<Passage, "id">[] {
  const found = Found.safeParse(value);
  if (!ok || !found.success) return [];
  return found.data.hits.map(({ from, until, ...hit }) => ({
    ...hit,
    ...defined({ from, until }),
  }));
}

/** The passages of several searches, by their places, each once; as many as the longest search found. */
function joined(lists: readonly (readonly Omit<Passage, "id">[])[]): readonly Passage[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const inTurn = Array.from({ length: longest }, (_, at) => lists.map((list) => list[at])).flat();
  const byPlace = new Map(
    inTurn.flatMap((passage) =>
      passage === undefined
        ? []
        : [[`${passage.source}\0${passage.line}\0${passage.text}`, passage] as const],
    ),
  );
  return [...byPlace.values()]
    .slice(0, longest)
    .map((passage, at) => ({ ...passage, id: `P${at + 1}` }));
}
