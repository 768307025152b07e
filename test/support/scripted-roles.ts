import { isAIMessage } from "@langchain/core/messages";

import { type ModelReply, type ScriptedModel, scriptedModel } from "../../src/testing/index.js";

/** What the models of an assistant reply, by role, in the order of the turns. */
export type RoleReplies = {
  readonly router?: readonly ModelReply[];
  readonly solver?: readonly ModelReply[];
  readonly executor?: readonly ModelReply[];
  /** What is kept or forgotten of the user. */
  readonly facts?: readonly object[];
};

/** Models by role that reply as given. A question is complete as it is. */
export function scriptedRoles({
  router = [],
  solver = [],
  executor = [],
  facts = [],
}: RoleReplies) {
  return {
    router: scriptedModel(router),
    // Completing a question and remembering run side by side.
    rewriter: scriptedModel((messages) =>
      messages.some(({ text }) => text.includes('"facts"'))
        ? JSON.stringify({ facts })
        : JSON.stringify({ question: messages.at(-1)?.text ?? "" }),
    ),
    solver: scriptedModel(solver),
    executor: scriptedModel(executor),
  };
}

/** All that models were sent: the words of messages, their tool calls, and the tools. */
export function sentTo(models: { readonly [role: string]: ScriptedModel }): string {
  const calls = Object.values(models).flatMap(({ calls: made }) => made);
  return JSON.stringify(
    calls.map(({ messages, tools }) => [
      messages.map((each) => [each.content, isAIMessage(each) ? each.tool_calls : []]),
      tools,
    ]),
  );
}

/** The way that a router's model chooses. */
export function way(route: "knowledge" | "agent"): string {
  return JSON.stringify({ reason: "By what it asks.", route });
}

/** An answer from documents, with what it quotes. */
export function quoting(quotes: readonly string[], answer: string): string {
  return JSON.stringify({ quotes, answer });
}
