import type { GraphNode } from "@langchain/langgraph";

import {
  questionsOutput,
  questionWriterPrompt,
  questionWriterTask,
} from "../roles/question-writer.js";
import { enterRun } from "../runtime/enter-run.js";
import { readerEnd, type ReaderWrites } from "../runtime/reader-end.js";
import type { StructuredReply } from "../models/structured-output.js";
import { isDeclined } from "../state/outcome.js";
import type { PassagesState } from "../state/passages.js";

/** Writes questions that the passages answer, and ends the run. None where the model has a reply, but no use for it. */
export function createQuestionWriter(): GraphNode<typeof PassagesState> {
  return async function questionWriter(state, config): Promise<ReaderWrites> {
    const run = enterRun(state, config, "questionWriter");
    const { passages, usage } = state;
    const wanted = { output: questionsOutput, task: questionWriterTask(passages), mayRepair: 1 };
    const reply = await run.askFor("executor", wanted, {
      messages: questionWriterPrompt(passages, run.runId),
    });
    return { ...readerEnd(reply, usage, run), questions: questionsIn(reply) };
  };
}

function questionsIn(reply: StructuredReply<readonly string[]>): readonly string[] | undefined {
  if (reply.ok) return reply.value;
  // Asked again, the same text would get the same reply.
  return reply.isUnfit === true || isDeclined(reply.cause) ? [] : undefined;
}
