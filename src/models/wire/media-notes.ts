import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";

import { cannotBeRead, withoutImages } from "../../prompts/image-text.js";
import type { Quirk } from "../../state/capability.js";
import type { MediaKind } from "../../state/observation.js";
import { messageLike } from "../message-like.js";
import { mediaIn, mediaKind, mediaQuirks } from "./media.js";

const notes: { readonly [Kind in MediaKind]: string } = {
  image: "[an image, which you cannot read]",
  audio: "[an audio recording, which you cannot read]",
  video: "[a video, which you cannot read]",
  file: "[a file, which you cannot read]",
};

/** Messages with a note in the place of everything that a model with these quirks cannot read: never with nothing. */
export function withNotes(
  messages: readonly BaseMessage[],
  quirks: ReadonlySet<Quirk>,
): readonly BaseMessage[] {
  const isUnread = (kind: MediaKind) => quirks.has(mediaQuirks[kind]);
  if (![...mediaIn(messages)].some(isUnread)) return messages;
  return messages.map((message) => {
    const { content } = message;
    if (typeof content === "string" || ![...mediaIn([message])].some(isUnread)) return message;
    if (isToolMessage(message) && isImages(message) && isUnread("image")) {
      return withContent(message, withoutImages(message.text, cannotBeRead));
    }
    const noted = content.map((block) => {
      const kind = mediaKind(block);
      return kind === undefined || !isUnread(kind) ? block : { type: "text", text: notes[kind] };
    });
    return withContent(message, noted);
  });
}

/** Whether a message has images and no other such content. */
function isImages(message: BaseMessage): boolean {
  const kinds = mediaIn([message]);
  return kinds.has("image") && kinds.size === 1;
}

function withContent(message: BaseMessage, content: MessageContent): BaseMessage {
  if (isAIMessage(message)) return messageLike(message, { content });
  const { id, name, additional_kwargs, response_metadata } = message;
  const fields = {
    content,
    additional_kwargs,
    response_metadata,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  };
  if (isHumanMessage(message)) return new HumanMessage(fields);
  if (!isToolMessage(message)) return message;
  const { tool_call_id, status } = message;
  return new ToolMessage({ ...fields, tool_call_id, ...(status === undefined ? {} : { status }) });
}
