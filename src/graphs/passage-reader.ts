import { END, type GraphNode, START, StateGraph } from "@langchain/langgraph";

import type { ModelRole } from "../models/model.js";
import { createQuestionWriter } from "../nodes/question-writer.js";
import { createIntake } from "../nodes/intake.js";
import { createReranker } from "../nodes/reranker.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { contextSchema, type RunOptions } from "../runtime/options.js";
import { PassagesState } from "../state/passages.js";

/** What passages are read for, with the role of the model that reads them. */
const readers = {
  reranker: { role: "reranker", createReader: createReranker },
  question_writer: { role: "executor", createReader: createQuestionWriter },
} as const satisfies {
  readonly [name: string]: {
    readonly role: ModelRole;
    readonly createReader: () => GraphNode<typeof PassagesState>;
  };
};

/** A compiled graph that reads passages. */
export type PassageReader = GraphOf<(typeof PassagesState)["spec"]>;

/**
 * A graph of one model call about passages: it scores them for a question, or writes questions that they answer.
 *
 *     START → intake → reader → END
 *
 * It never pauses. Called inside another run it shares that run's limits, usage, events and abort signal.
 */
export function createPassageReader(
  name: keyof typeof readers,
  run: Pick<RunOptions, "models" | "environment" | "modelIdleMs" | "limits">,
): PassageReader {
  const { role, createReader } = readers[name];
  const graph = new StateGraph(PassagesState, contextSchema([role]))
    .addNode("intake", createIntake({ roles: [role], reset: unread }))
    .addNode("reader", createReader())
    .addEdge(START, "intake")
    .addEdge("intake", "reader")
    .addEdge("reader", END);
  return compileGraph(graph, { name, checkpointer: false, run });
}

const unread = { scores: undefined, questions: undefined, model: undefined };
