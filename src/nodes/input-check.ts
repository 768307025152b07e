import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { notLetThrough } from "../prompts/checks.js";
import { type Check, checkText, givenTexts } from "../runtime/checks.js";
import { enterRun } from "../runtime/enter-run.js";
import type { Conversation, ConversationState, Writes } from "../state/conversation.js";

type Admitted = Writes<typeof ConversationState, "run"> &
  Partial<
    Writes<typeof ConversationState, "messages" | "outcome" | "answer" | "draft" | "decisions">
  >;

/**
 * Checks what came with this call before any model reads it: every message of the user and of the system, because a
 * caller may send several. A changed text takes the place of the given one in the state, and so does a word about it where
 * it is refused, with its images and files: no later run reads it.
 */
export function createInputCheck(check: Check) {
  return async function checkInput(
    state: Conversation,
    config: LangGraphRunnableConfig,
  ): Promise<Admitted> {
    const run = enterRun(state, config, "checkInput");
    const record = { run: run.record() };
    const changed: BaseMessage[] = [];
    const given = givenTexts(run.input);
    const sent = state.messages.filter(isFromCaller).filter(({ text }) => given?.has(text) ?? true);
    for (const [at, message] of sent.entries()) {
      const checked = await checkText("checkInput", check, message.text, run);
      if (!checked.ok) {
        const { outcome, answer } = checked;
        // The next question on the thread must not bring them before a model.
        const kept = sent.slice(at).map((one) => withText(one, notLetThrough, []));
        const ended = { outcome, answer, draft: undefined, decisions: undefined };
        return { ...record, ...ended, messages: [...changed, ...kept] };
      }
      if (checked.text !== message.text) changed.push(withText(message, checked.text));
    }
    return changed.length === 0 ? record : { ...record, messages: changed };
  };
}

function isFromCaller({ type }: BaseMessage): boolean {
  return type === "human" || type === "system";
}

/** The message with another text. */
function withText(
  { id = "", type, content }: BaseMessage,
  text: string,
  media = typeof content === "string" ? [] : content.filter((block) => block.type !== "text"),
): BaseMessage {
  const fields = { id, content: media.length === 0 ? text : [{ type: "text", text }, ...media] };
  return type === "system" ? new SystemMessage(fields) : new HumanMessage(fields);
}
