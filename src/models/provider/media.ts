import {
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  isAIMessage,
  isHumanMessage,
  isToolMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";

import { isRecord } from "../../json/json.js";
import { insideFence } from "../../prompts/fence.js";
import { cannotBeRead, mediaIntroduction, withoutMedia } from "../../prompts/media-text.js";
import type { MissingCapability } from "../../state/capability.js";
import type { MediaKind } from "../../state/observation.js";
import { messageLike } from "../message.js";

/** The capability that a model without a kind of content lacks. */
export const mediaCapabilities: { readonly [Kind in MediaKind]: MissingCapability } = {
  image: "no_images",
  audio: "no_audio",
  video: "no_video",
  file: "no_files",
};

/** The kinds of content blocks, by their names in LangChain and at providers. */
const kindsByType: ReadonlyMap<unknown, MediaKind> = new Map([
  ["image", "image"],
  ["image_url", "image"],
  ["input_image", "image"],
  ["audio", "audio"],
  ["audio_url", "audio"],
  ["input_audio", "audio"],
  ["video", "video"],
  ["video_url", "video"],
  ["file", "file"],
  ["input_file", "file"],
  ["document", "file"],
]);

/** The kind of content of a block; `undefined` for text. */
export function mediaKind(block: unknown): MediaKind | undefined {
  if (!isRecord(block) || block["source_type"] === "text") return undefined;
  return kindsByType.get(block["type"]) ?? kindOfType(block);
}

/** Google's blocks say it only by their MIME type. */
function kindOfType({ type, mimeType, mime_type: snakeCased }: Record<string, unknown>) {
  if (type !== "media") return undefined;
  const [family] = String(mimeType ?? snakeCased).split("/");
  return kindsByType.get(family) ?? "file";
}

/** The kinds of content in messages beside text. */
export function mediaIn(messages: readonly BaseMessage[]): Set<MediaKind> {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const kinds = blocks.map((block) => mediaKind(block));
  return new Set(kinds.filter((kind) => kind !== undefined));
}

/** Marks a message with media of tool results, with whether it has text beside them. */
const resultMediaMark = "plangraph_media";

/** The mark of a message with media of results. */
export function markedMedia(isWordless: boolean) {
  return { [resultMediaMark]: isWordless ? "wordless" : "worded" };
}

/**
 * The kinds that a model without these capabilities cannot read in the last question or later messages: media of
 * results only if `ofResults` asks for it, and only without text beside them.
 */
export function unreadableIn(
  messages: readonly BaseMessage[],
  missing: ReadonlySet<MissingCapability>,
  ofResults = false,
): readonly MediaKind[] {
  const meant = sinceQuestion(messages).filter(({ additional_kwargs: marks }) => {
    const mark = marks[resultMediaMark];
    return mark === undefined || (ofResults && mark === "wordless");
  });
  return [...mediaIn(meant)].filter((kind) => missing.has(mediaCapabilities[kind]));
}

/** The last question, which may be several messages in a row, and all later messages. */
function sinceQuestion(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const asked = messages.findLastIndex(isHumanMessage);
  const before = messages
    .slice(0, Math.max(asked, 0))
    .findLastIndex((each) => !isHumanMessage(each));
  return messages.slice(before + 1);
}

const notes: { readonly [Kind in MediaKind]: string } = {
  image: "[an image, which you cannot read]",
  audio: "[an audio recording, which you cannot read]",
  video: "[a video, which you cannot read]",
  file: "[a file, which you cannot read]",
};

/**
 * Messages with a note in place of all content that a model without these capabilities cannot read; never with nothing.
 */
export function withNotes(
  messages: readonly BaseMessage[],
  missing: ReadonlySet<MissingCapability>,
): readonly BaseMessage[] {
  const isUnread = (kind: MediaKind) => missing.has(mediaCapabilities[kind]);
  if (![...mediaIn(messages)].some(isUnread)) return messages;
  return messages.map((message) => {
    const { content } = message;
    if (typeof content === "string" || ![...mediaIn([message])].some(isUnread)) return message;
    if (isToolMessage(message)) return withContent(message, readableOf(message, isUnread));
    const noted = content.map((block) => {
      const kind = mediaKind(block);
      return kind === undefined || !isUnread(kind) ? block : { type: "text", text: notes[kind] };
    });
    return withContent(message, noted);
  });
}

/** A result's content without the kinds that cannot be read. */
function readableOf(
  { content, text }: ToolMessage,
  isUnread: (kind: MediaKind) => boolean,
): MessageContent {
  const blocks = typeof content === "string" ? [] : content.filter(isMedia);
  const kindOf = (block: ContentBlock) => mediaKind(block) ?? "file";
  const left = blocks.filter((block) => !isUnread(kindOf(block)));
  const unread = new Set(blocks.map(kindOf).filter(isUnread));
  const noted = withoutMedia(text, unread, cannotBeRead);
  return left.length === 0 ? noted : [{ type: "text", text: noted }, ...left];
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

/** Media of results as a user's message after all results of the turn: chat completions allow none in a result. */
export function withMediaBehind(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  if (!messages.some((message) => isToolMessage(message) && hasMedia(message))) return messages;
  let shown: ContentBlock[] = [];
  return messages.flatMap((message, at) => {
    if (!isToolMessage(message)) return [message];
    const next = messages[at + 1];
    shown.push(...shownOf(message));
    const isLast = next === undefined || !isToolMessage(next);
    const behind = isLast && shown.length > 0 ? [new HumanMessage({ content: shown })] : [];
    if (isLast) shown = [];
    return [hasMedia(message) ? wordsOf(message) : message, ...behind];
  });
}

function hasMedia(message: BaseMessage): boolean {
  return mediaIn([message]).size > 0;
}

/** The media of a result, and its name. */
export function shownOf(message: ToolMessage): ContentBlock[] {
  const { content, name = "", tool_call_id: id, text } = message;
  if (typeof content === "string" || !hasMedia(message)) return [];
  const isUntrusted = insideFence(text).before !== "";
  const introduction = { type: "text", text: mediaIntroduction(name, id, isUntrusted) } as const;
  return [introduction, ...content.filter(isMedia)];
}

function wordsOf(message: ToolMessage): ToolMessage {
  const { content, text } = message;
  const rest = typeof content === "string" ? [] : content.filter((block) => !isMedia(block));
  const isText = rest.every(({ type }) => type === "text");
  const left = isText ? text : rest;
  return new ToolMessage({
    ...message.lc_kwargs,
    content: left,
    tool_call_id: message.tool_call_id,
  });
}

function isMedia(block: ContentBlock): boolean {
  return mediaKind(block) !== undefined;
}
