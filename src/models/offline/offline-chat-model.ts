import * as chat from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

import { type OfflineOptions, offlineReply } from "./offline-reply.js";

type Options = chat.BaseChatModelCallOptions & OfflineOptions;
type Call = Parameters<chat.BaseChatModel<Options>["_streamResponseChunks"]>;

const usage_metadata = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
const unset = [undefined, undefined, undefined, undefined] as const;

function inChunks([messages, options]: Call): ChatGenerationChunk[] {
  const reply = offlineReply(messages, options);
  const words = typeof reply === "string" ? (reply.match(/(?<!\s)\s*\S+/g) ?? []) : [];
  const spoken = [...words].map((word) => new AIMessageChunk(word));
  const called = typeof reply === "string" ? [] : [{ ...reply, args: JSON.stringify(reply.args) }];
  const calls = called.map((call) => ({ ...call, id: `offline_${messages.length}`, index: 0 }));
  const last = new AIMessageChunk({ content: "", tool_call_chunks: calls });
  Object.assign(last, { usage_metadata });
  return [...spoken, last].map(
    (message) => new ChatGenerationChunk({ text: message.text, message }),
  );
}

/** A deterministic stand-in for a model: no neural network, only `offlineGrammar`. */
export class OfflineChatModel extends chat.BaseChatModel<Options> {
  override _llmType(): string {
    return "offline";
  }

  override get profile() {
    return { imageInputs: false, audioInputs: false, videoInputs: false, pdfInputs: false };
  }

  override bindTools(tools: chat.BindToolsInput[], options: Partial<Options> = {}) {
    return this.withConfig({ ...options, tools: tools.map((each) => convertToOpenAITool(each)) });
  }

  override async _generate(...call: Call) {
    return { generations: [inChunks(call).reduce((whole, chunk) => whole.concat(chunk))] };
  }

  override async *_streamResponseChunks(...call: Call) {
    for (const chunk of inChunks(call)) {
      yield chunk;
      await call[2]?.handleLLMNewToken(chunk.text, ...unset, { chunk });
    }
  }
}
