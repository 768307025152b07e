import {
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  isToolMessage,
  ToolMessage,
} from "@langchain/core/messages";

import { insideFence } from "../../prompts/fence.js";
import { imagesIntroduction } from "../../prompts/image-text.js";
import { mediaIn, mediaKind } from "./media.js";

/**
 * Images of tools' results in a user's message behind all results of the turn: chat completions take none in a result,
 * and no message between the results.
 */
export function withImagesBehind(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  if (!messages.some((message) => isToolMessage(message) && hasImage(message))) return messages;
  let shown: ContentBlock[] = [];
  return messages.flatMap((message, at) => {
    if (!isToolMessage(message)) return [message];
    const next = messages[at + 1];
    shown.push(...shownOf(message));
    const isLast = next === undefined || !isToolMessage(next);
    const behind = isLast && shown.length > 0 ? [new HumanMessage({ content: shown })] : [];
    if (isLast) shown = [];
    return [hasImage(message) ? wordsOf(message) : message, ...behind];
  });
}

function hasImage(message: BaseMessage): boolean {
  return mediaIn([message]).has("image");
}

/** The images of a result, and whose they are. */
export function shownOf(message: ToolMessage): ContentBlock[] {
  const { content, name = "", tool_call_id: id, text } = message;
  if (typeof content === "string" || !hasImage(message)) return [];
  const isUntrusted = insideFence(text).before !== "";
  const introduction = { type: "text", text: imagesIntroduction(name, id, isUntrusted) } as const;
  return [introduction, ...content.filter(isImage)];
}

function wordsOf(message: ToolMessage): ToolMessage {
  const { content, text } = message;
  const rest = typeof content === "string" ? [] : content.filter((block) => !isImage(block));
  const isText = rest.every(({ type }) => type === "text");
  const left = isText ? text : rest;
  return new ToolMessage({
    ...message.lc_kwargs,
    content: left,
    tool_call_id: message.tool_call_id,
  });
}

function isImage(block: ContentBlock): boolean {
  return mediaKind(block) === "image";
}
