import type { GraphNode } from "@langchain/langgraph";

import {
  leavesOut,
  losesSomething,
  rewriteOutput,
  rewriterPrompt,
  rewriterTask,
} from "../roles/rewriter.js";
import { enterRun } from "../runtime/enter-run.js";
import { heard } from "../runtime/history.js";
import { type Instructions, textOf } from "../runtime/instructions.js";
import { isFollowUp, lastQuestion } from "../runtime/messages.js";
import type { AssistantState, Query } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";
import { noUsage } from "../state/usage.js";

type RewriterOptions = {
  readonly instructions: Instructions;
  /** Names that a rewritten question must keep. */
  readonly names: readonly string[];
};

type RewriterWrites = Writes<typeof AssistantState, "query" | "usage">;

/** Rewrites: puts into a follow-up question what the conversation leaves out. Without a good rewrite the question stays. */
export function createRewriter({
  instructions,
  names,
}: RewriterOptions): GraphNode<typeof AssistantState> {
  return async function rewriter(state, config): Promise<RewriterWrites> {
    const run = enterRun(state, config, "rewriter");
    const asked = lastQuestion(state.messages);
    const conversation = heard("rewriter", state, run);
    if (!isFollowUp(conversation) || !leavesOut(asked)) {
      return { query: { asked }, usage: noUsage };
    }
    const wanted = { output: rewriteOutput, task: rewriterTask(asked), mayRepair: 0 };
    const reply = await run.askFor("rewriter", wanted, {
      messages: rewriterPrompt(textOf(instructions, state, run), conversation),
      textWillDo: true,
    });
    const said = conversation.map(({ text }) => text).join("\n");
    const isGood =
      reply.ok && reply.value !== asked && !losesSomething(asked, reply.value, { names, said });
    const query: Query = isGood ? { asked, rewritten: reply.value } : { asked };
    return { query, usage: reply.usage };
  };
}
