import type { GraphNode, LangGraphRunnableConfig } from "@langchain/langgraph";

import {
  type FactChange,
  factsOutput,
  mayTellFacts,
  remembererPrompt,
  remembererTask,
} from "../roles/rememberer.js";
import { enterRun } from "../runtime/enter-run.js";
import {
  type FactsOption,
  factsPlace,
  forgetFacts,
  keepFact,
  readFacts,
} from "../runtime/facts.js";
import { lastQuestion } from "../runtime/messages.js";
import type { AssistantState } from "../state/assist.js";
import type { Writes } from "../state/conversation.js";
import { noUsage } from "../state/usage.js";

type RemembererWrites = Writes<typeof AssistantState, "usage"> &
  Partial<Writes<typeof AssistantState, "learned">>;

/**
 * Remembers: keeps what the user's last message tells about the user, in the user's own words, and forgets what it asks
 * to forget. It runs beside the rewriter. Where no reply comes, nothing changes.
 */
export function createRememberer(facts: FactsOption): GraphNode<typeof AssistantState> {
  return async function rememberer(
    state,
    config: LangGraphRunnableConfig,
  ): Promise<RemembererWrites> {
    const run = enterRun(state, config, "rememberer");
    const message = lastQuestion(state.messages);
    const { context, configurable = {} } = config;
    const { store, owner } = await factsPlace(facts, {
      store: config.store,
      context,
      configurable,
    });
    if (!mayTellFacts(message)) return { usage: noUsage };
    const known = await readFacts(store, owner);
    const wanted = {
      output: factsOutput(message, known),
      task: remembererTask,
      mayRepair: 0,
    };
    const reply = await run.askFor("rewriter", wanted, {
      messages: remembererPrompt(known, message),
      textWillDo: true,
    });
    const changes: readonly FactChange[] = reply.ok ? reply.value : [];
    for (const change of changes) {
      if (change.op === "forget") await forgetFacts(store, owner, change.key);
      else await keepFact(store, owner, { ...change, since: run.clock.now() });
    }
    const [first] = changes;
    if (first === undefined) return { usage: reply.usage };
    return { usage: reply.usage, learned: first.op === "keep" ? "kept" : "forgotten" };
  };
}
