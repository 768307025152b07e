import { isToolMessage } from "@langchain/core/messages";

import { parseExact } from "../json/exact-json.js";
import { defined, isRecord, isTooDeep, type Json } from "../json/json.js";
import { mediaKind } from "../models/provider/media.js";
import { cannotBeRead, mediaMark } from "../prompts/media-text.js";
import { EffectUnknown } from "../run/errors.js";
import type { MediaBlock, MediaKind, Observation } from "../state/observation.js";
import { addressIn, maxMedia, maxMediaBytes, type ReadMedia, readMedia } from "./read-media.js";
import { ToolError } from "./policy.js";
import { returnedError, writeJson } from "./write-result.js";

/** A tool's return value, parsed: its text, its structured value, how to show it, and whether it reports a failure. */
export type ToolResult = Pick<
  Observation,
  "content" | "value" | "render" | "media" | "artifact" | "unread"
> & { readonly failed: boolean };

/** Parses the return value of a LangChain tool that was invoked with a tool call. Throws for a value that is not data. */
export function readResult(output: unknown): ToolResult {
  if (!isToolMessage(output)) return { ...textAndValue(output), failed: false };
  const { content, value, media, unread } = textAndValue(output.content);
  const failed = output.status === "error";
  const { artifact, data, render } = failed ? {} : readArtifact(output.artifact, content);
  return {
    content,
    ...defined({ value: data ?? value, media, artifact, render }),
    ...(data === undefined ? defined({ unread }) : {}),
    failed,
  };
}

/** The artifact of a result, the data in it, and how to render it; an error for an artifact that is not data contains the text. */
function readArtifact(artifact: unknown, text: string) {
  try {
    if (artifact instanceof Error) throw returnedError(artifact);
    const render = renderOf(artifact);
    const whole = jsonOf(artifact);
    return { artifact: whole, data: render === undefined ? whole : valueBeside(whole), render };
  } catch (error) {
    if (error instanceof ToolError) {
      throw new ToolError(error.kind, `${error.message}\nIts text: ${text}`, { cause: error });
    }
    if (!(error instanceof EffectUnknown)) throw error;
    throw new EffectUnknown(error.kind, `${error.message} Its text: ${text}`, { cause: error });
  }
}

/** What a model reads where a tool returned nothing: references bring an empty text, or null. */
const noResult = "(no result)";

type Read = Pick<Observation, "content" | "value" | "media" | "unread">;

function textAndValue(output: unknown): Read {
  if (output === undefined || output === null || output === "") {
    return { content: noResult, value: output ?? null };
  }
  if (typeof output === "string")
    return { content: output, ...defined({ value: valueOf(output) }) };
  if (Array.isArray(output)) return readList(output);
  const value = jsonOf(output);
  return { content: writtenOf(value), ...defined({ value }) };
}

/** A list of content blocks as text, with what models may see or hear; other lists are data. */
function readList(list: readonly unknown[]): Read {
  const isWorded = list.some(isText);
  const { lines, media } = readBlocks(list);
  const text = lines.join("\n");
  const unread = isWorded ? undefined : unreadKind(list);
  if (media.length > 0) return { content: text, media, ...defined({ unread }) };
  if (isWorded) return { content: text };
  const value = jsonOf(list);
  const content = unread === undefined ? writtenOf(value) : text;
  return { content, ...defined({ value, unread }) };
}

function writtenOf(value: Json | undefined): string {
  return value === undefined ? "(data that nest too deep)" : JSON.stringify(value);
}

/** Content blocks as lines, and the media in them up to a total size. */
function readBlocks(blocks: readonly unknown[]) {
  const media: MediaBlock[] = [];
  let left = maxMediaBytes;
  const lines = blocks.flatMap((block) => {
    const read = readMedia(block);
    if (read === undefined) return blockText(block);
    if (read.bytes > left || media.length === maxMedia) return [tooMuch(read)];
    left -= read.bytes;
    media.push(read.block);
    return [mediaMark(read.kind)];
  });
  return { lines, media };
}

/** The content of a result without text; a URL is something that a model can use. */
function unreadKind(output: unknown): MediaKind | undefined {
  const [first]: readonly unknown[] = Array.isArray(output) ? output : [];
  const kind = mediaKind(first);
  return kind === undefined || /https?:/.test(writeJson(first)) ? undefined : kind;
}

function isText(block: unknown): boolean {
  return isRecord(block) && block["type"] === "text";
}

/** A content block as text; other blocks are named, not dropped. */
function blockText(block: unknown): string[] {
  if (!isRecord(block)) return [];
  if (isText(block)) return [String(block["text"])];
  const kind = mediaKind(block);
  if (kind === undefined) return [`[${String(block["type"])}]`];
  return [`${mediaMark(kind)} ${addressIn(block) ?? cannotBeRead}`];
}

function tooMuch({ kind, mimeType, bytes }: ReadMedia): string {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${mediaMark(kind)} (${mimeType}, ${size}: more than ${maxMedia} images and files or ${maxMediaBytes / 1_000_000} MB of them cannot be read.)`;
}

/**
 * Parses text that LangChain made of objects, lists, numbers and booleans. Values nested too deep stay text: they would
 * exhaust the stack.
 */
function valueOf(text: string): Json | undefined {
  if (!/^\s*([[{]|(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false)\s*$)/.test(text)) return undefined;
  try {
    const value = parseExact(text);
    // A number would lose digits; the text keeps them.
    return isTooDeep(value) || typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The data in an artifact that says how to show it: its `value`, or all of it. */
function valueBeside(artifact: Json | undefined): Json | undefined {
  return isRecord(artifact) && "value" in artifact ? artifact["value"] : artifact;
}

function renderOf(artifact: unknown): Observation["render"] {
  const render: unknown = isRecord(artifact) ? artifact["render"] : undefined;
  if (!isRecord(render) || typeof render["component"] !== "string") return undefined;
  const props = jsonOf(render["props"]);
  return {
    component: render["component"],
    props: isRecord(props) ? props : {},
  };
}

/** The value as JSON data; nothing if it nests too deep. Throws for values that are not data (a circular artifact). */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  // A copy has no cycles, so that its depth can be measured.
  const json: Json = JSON.parse(writeJson(value));
  return isTooDeep(json) ? undefined : json;
}

/** Default maximum of a tool result, in characters. */
export const defaultMaxResultChars = 16_000;

/** Cuts the middle out of a long text, keeps head and tail, and says how much is missing. */
export function capResult(text: string, maxChars: number = defaultMaxResultChars): string {
  return cutMiddle(text, maxChars)?.text ?? text;
}

/** A text without its middle, and the position of the gap in the whole text; nothing for a short text. */
export function cutMiddle(
  text: string,
  maxChars: number,
): { readonly text: string; readonly from: number } | undefined {
  if (text.length <= maxChars) return undefined;
  const note = (cut: number) => `\n… [${cut} of ${text.length} characters cut] …\n`;
  const room = Math.max(0, maxChars - note(text.length).length);
  const head = Math.ceil(room * 0.7);
  const tail = room - head;
  const end = tail === 0 ? "" : text.slice(-tail);
  return { text: `${text.slice(0, head)}${note(text.length - room)}${end}`, from: head };
}
