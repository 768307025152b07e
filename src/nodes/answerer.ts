import type { GraphNode } from "@langchain/langgraph";

import { answererPrompt, answererTask, type Grounded, groundedOutput } from "../roles/answerer.js";
import { enterRun } from "../runtime/enter-run.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { finalEnd } from "../runtime/reply-writes.js";
import type { AssistantState, Passage, Source } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";
import { failedOutcome } from "../state/outcome.js";
import { noUsage } from "../state/usage.js";

type AnswererOptions = { readonly instructions: Instructions };

type AnswererWrites = Writes<typeof AssistantState, "usage" | "run"> &
  Partial<Writes<typeof AssistantState, "answer" | "sources" | "failedWays" | "outcome">>;

/** Answers from the passages that were found, with what it quotes from them; it has no tools. */
export function createAnswerer({
  instructions,
}: AnswererOptions): GraphNode<typeof AssistantState> {
  return async function answerer(state, config): Promise<AnswererWrites> {
    const run = enterRun(state, config, "answerer");
    const { passages, query = { asked: "" }, failedWays } = state;
    const unknown = { failedWays: [...failedWays, "knowledge" as const] };
    if (passages.length === 0) return { ...unknown, usage: noUsage, run: run.record() };
    // Memory is read with the model's call.
    const questions = [query.asked, query.rewritten ?? ""];
    const titles = passages.map(({ title }) => title);
    const known = () => ({ known: run.memory.texts(), asked: [...questions, ...titles] });
    const wanted = {
      output: groundedOutput(passages, known),
      task: answererTask(query),
      mayRepair: 1,
    };
    const reply = await run.askFor("solver", wanted, {
      messages: answererPrompt(textOf(instructions, state, run), passages, run.runId),
      textWillDo: true,
    });
    const base = { usage: reply.usage, run: run.record() };
    if (reply.ok) return { ...base, ...(answered(reply.value, passages) ?? unknown) };
    const end = finalEnd(reply) ?? { outcome: failedOutcome(reply.problem, reply.cause) };
    return { ...base, ...(reply.isUnfit === true ? unknown : { outcome: end.outcome }) };
  };
}

/** The answer and its sources. Where no words of the model stand, the quotes are the answer. */
function answered({ answer, quotes }: Grounded, passages: readonly Passage[]) {
  if (quotes.length === 0) return undefined;
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const sources = quotes.flatMap(({ id, text: quote }): readonly Source[] => {
    const passage = byId.get(id);
    if (passage === undefined) return [];
    const { title, source, line } = passage;
    return [{ title, source, line, quote }];
  });
  return { answer: answer === "" ? quotes.map(({ text }) => text).join("\n") : answer, sources };
}
