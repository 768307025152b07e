import type { BaseMessage, ContentBlock } from "@langchain/core/messages";

/** What a message costs beside its text: role, name, separators. */
const perMessage = 8;

/** What a picture costs at most. */
const perImage = 2_000;

/**
 * A cautious estimate of a text's tokens without a tokenizer: three characters to one in European
 * scripts (JSON and code are dense), one each in those of Asia and for each half of an emoji.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u0900-\u1cff\u2e80-\udfff\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 3);
}

/** The estimated tokens of a message with its tool calls. */
export function messageTokens(message: BaseMessage): number {
  return perMessage + contentTokens(message) + estimateTokens(callsText(message));
}

function contentTokens({ content }: BaseMessage): number {
  if (typeof content === "string") return estimateTokens(content);
  return content.reduce((total, block) => total + blockTokens(block), 0);
}

/** A picture costs what its tiles cost, however long its data are. */
function blockTokens(block: ContentBlock): number {
  const text = JSON.stringify(block);
  if (!block.type.startsWith("image")) return estimateTokens(text);
  return text.length > perImage * 3 ? perImage : estimateTokens(text);
}

function callsText(message: BaseMessage): string {
  const calls: unknown = Reflect.get(message, "tool_calls");
  return Array.isArray(calls) && calls.length > 0 ? JSON.stringify(calls) : "";
}
