import type { GraphNode } from "@langchain/langgraph";

import { rerankerPrompt, rerankerTask, scoresOutput } from "../roles/reranker.js";
import { enterRun } from "../runtime/enter-run.js";
import { lastQuestion } from "../runtime/messages.js";
import { readerEnd, type ReaderWrites } from "../runtime/reader-end.js";
import type { PassagesState } from "../state/passages.js";

/** Reranks: scores passages for the question, and ends the run. */
export function createReranker(): GraphNode<typeof PassagesState> {
  return async function reranker(state, config): Promise<ReaderWrites> {
    const run = enterRun(state, config, "reranker");
    const { messages, passages, usage } = state;
    const wanted = {
      output: scoresOutput(passages.length),
      task: rerankerTask(lastQuestion(messages)),
      mayRepair: 1,
    };
    const reply = await run.askFor("reranker", wanted, {
      messages: rerankerPrompt(passages, run.runId),
    });
    return { ...readerEnd(reply, usage, run), scores: reply.ok ? reply.value : undefined };
  };
}
