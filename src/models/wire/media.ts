import { type BaseMessage, isHumanMessage } from "@langchain/core/messages";

import { isRecord } from "../../json/json.js";
import type { Quirk } from "../../state/capability.js";
import type { MediaKind } from "../../state/observation.js";

/** What is known of a model that cannot read a kind. */
export const mediaQuirks: { readonly [Kind in MediaKind]: Quirk } = {
  image: "no_images",
  audio: "no_audio",
  video: "no_video",
  file: "no_files",
};

/** The kinds of content blocks, by the names that LangChain and providers give them. */
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

/** What kind of content a block is; nothing for text. */
export function mediaKind(block: unknown): MediaKind | undefined {
  if (!isRecord(block) || block["source_type"] === "text") return undefined;
  return kindsByType.get(block["type"]) ?? kindOfType(block);
}

/** Google's blocks say it by their MIME type alone. */
function kindOfType({ type, mimeType, mime_type: snakeCased }: Record<string, unknown>) {
  if (type !== "media") return undefined;
  const [family] = String(mimeType ?? snakeCased).split("/");
  return kindsByType.get(family) ?? "file";
}

/** The kinds of content that messages hold beside text. */
export function mediaIn(messages: readonly BaseMessage[]): Set<MediaKind> {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const kinds = blocks.map((block) => mediaKind(block));
  return new Set(kinds.filter((kind) => kind !== undefined));
}

/** Marks a message with images of tools' results: whether there is a word beside them. */
const resultImagesMark = "plangraph_images";

/** What a message with images of results is marked with. */
export function markedImages(isWordless: boolean) {
  return { [resultImagesMark]: isWordless ? "wordless" : "worded" };
}

/**
 * What a model with these quirks cannot read of the last question, or of what came since: images of results only where
 * `ofResults` asks for it, and only where there is no word beside them.
 */
export function unreadableIn(
  messages: readonly BaseMessage[],
  quirks: ReadonlySet<Quirk>,
  ofResults = false,
): readonly MediaKind[] {
  const meant = sinceQuestion(messages).filter(({ additional_kwargs: marks }) => {
    const mark = marks[resultImagesMark];
    return mark === undefined || (ofResults && mark === "wordless");
  });
  return [...mediaIn(meant)].filter((kind) => quirks.has(mediaQuirks[kind]));
}

/** The last question, which may be several messages in a row, and what came since. */
function sinceQuestion(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const asked = messages.findLastIndex(isHumanMessage);
  const before = messages
    .slice(0, Math.max(asked, 0))
    .findLastIndex((each) => !isHumanMessage(each));
  return messages.slice(before + 1);
}
