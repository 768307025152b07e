import { type BaseMessage, SystemMessage } from "@langchain/core/messages";

import { isControlFlow } from "../../run/errors.js";
import { CallFailed, promptSentence } from "../model-failure.js";
import type { SystemPrompt } from "../model-hook.js";
import type { ModelCall, ModelStage } from "./stage.js";

/** Puts the graph's system prompt before the instructions of the role. A function that throws fails the call. */
export const systemPrompt: ModelStage = async (call, next) => {
  if (call.systemPrompt === undefined) return next(call);
  const prompt = await promptFor(call, call.systemPrompt);
  return next({ ...call, messages: withPrompt(prompt, call.messages) });
};

async function promptFor(
  { state, messages, config, model }: ModelCall,
  given: SystemPrompt,
): Promise<SystemMessage> {
  if (typeof given !== "function") return asMessage(given);
  try {
    return asMessage(await given({ messages, ...state }, config));
  } catch (error) {
    if (isControlFlow(error)) throw error;
    throw new CallFailed({ kind: "failed", reason: promptSentence(error), model: model.name });
  }
}

function asMessage(prompt: unknown): SystemMessage {
  if (typeof prompt === "string") return new SystemMessage(prompt);
  if (SystemMessage.isInstance(prompt)) return prompt;
  throw new TypeError(`expected a text or a SystemMessage, got ${typeof prompt}`);
}

function withPrompt(prompt: SystemMessage, messages: readonly BaseMessage[]): BaseMessage[] {
  const [first, ...rest] = messages;
  if (first === undefined || first.type !== "system") return [prompt, ...messages];
  return [joined(prompt, first), ...rest];
}

/** Both in one message; the blocks of a prompt stay as they are, because they may carry a provider's cache marks. */
function joined(prompt: SystemMessage, own: BaseMessage): SystemMessage {
  if (typeof prompt.content === "string") {
    return new SystemMessage([prompt.content, own.text].filter((text) => text !== "").join("\n\n"));
  }
  return new SystemMessage({ content: [...prompt.content, { type: "text", text: own.text }] });
}
