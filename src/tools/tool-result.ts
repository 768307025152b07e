import { isToolMessage } from "@langchain/core/messages";

import { parseExact } from "../json/exact-json.js";
import { defined, isRecord, isTooDeep, type Json } from "../json/json.js";
import { mediaKind } from "../models/provider/media.js";
import { base64 } from "../platform.js";
import { cannotBeRead, imageMark } from "../prompts/image-text.js";
import { EffectUnknown } from "../run/errors.js";
import type { ImageBlock, MediaKind, Observation } from "../state/observation.js";
import { ToolError } from "./policy.js";
import { returnedError, writeJson } from "./write-result.js";

/** What a tool returned, read: its text, its structured value, how to show it, whether it says it failed. */
export type ToolResult = Pick<Observation, "content" | "value" | "render" | "images" | "unread"> & {
  readonly failed: boolean;
};

/** Reads whatever a LangChain tool returns when it is invoked with a tool call. Throws for what is no data. */
export function readResult(output: unknown): ToolResult {
  if (!isToolMessage(output)) return { ...textAndValue(output), failed: false };
  const { content, value, images, unread } = textAndValue(output.content);
  const failed = output.status === "error";
  const { artifact, render } = failed ? {} : readArtifact(output.artifact, content);
  return {
    content,
    ...defined({ value: artifact ?? value, images, render }),
    ...(artifact === undefined ? defined({ unread }) : {}),
    failed,
  };
}

/** The result beside a text, and how to render it; an error for what is no data contains the text. */
function readArtifact(artifact: unknown, text: string) {
  try {
    if (artifact instanceof Error) throw returnedError(artifact);
    const render = renderOf(artifact);
    return { artifact: jsonOf(render === undefined ? artifact : valueBeside(artifact)), render };
  } catch (error) {
    if (error instanceof ToolError) {
      throw new ToolError(error.kind, `${error.message}\nIts text: ${text}`, { cause: error });
    }
    if (!(error instanceof EffectUnknown)) throw error;
    throw new EffectUnknown(error.kind, `${error.message} Its text: ${text}`, { cause: error });
  }
}

type Read = Pick<Observation, "content" | "value" | "images" | "unread">;

function textAndValue(output: unknown): Read {
  if (output === undefined || output === null || output === "") return { content: "(no result)" };
  if (typeof output === "string")
    return { content: output, ...defined({ value: valueOf(output) }) };
  if (Array.isArray(output)) return readList(output);
  const value = jsonOf(output);
  return { content: writtenOf(value), ...defined({ value }) };
}

/** A list of content blocks as text, with the images that models may see beside it; other lists are data. */
function readList(list: readonly unknown[]): Read {
  const isWorded = list.some(isText);
  const { lines, images } = readBlocks(list);
  const text = lines.join("\n");
  const unread = isWorded ? undefined : unreadKind(list);
  if (images.length > 0) return { content: text, images, ...defined({ unread }) };
  if (isWorded) return { content: text };
  const value = jsonOf(list);
  const content = unread === undefined ? writtenOf(value) : text;
  return { content, ...defined({ value, unread }) };
}

function writtenOf(value: Json | undefined): string {
  return value === undefined ? "(data that nest too deep)" : JSON.stringify(value);
}

/** Content blocks as lines, and the images among them up to a total size. */
function readBlocks(blocks: readonly unknown[]) {
  const images: ImageBlock[] = [];
  let left = maxImageBytes;
  const lines = blocks.flatMap((block) => {
    const image = readImage(block);
    if (image?.block === undefined || image.bytes > left || images.length === maxImages) {
      return blockText(block, image);
    }
    left -= image.bytes;
    images.push(image.block);
    return [imageMark];
  });
  return { lines, images };
}

/** What a result without a word consists of; an address is something that a model can use. */
function unreadKind(output: unknown): MediaKind | undefined {
  const [first]: readonly unknown[] = Array.isArray(output) ? output : [];
  const kind = mediaKind(first);
  return kind === undefined || /https?:/.test(writeJson(first)) ? undefined : kind;
}

function isText(block: unknown): boolean {
  return isRecord(block) && block["type"] === "text";
}

/** A content block as text; other blocks are named, not dropped. */
function blockText(block: unknown, image: ReadImage | undefined): string[] {
  if (!isRecord(block)) return [];
  if (isText(block)) return [String(block["text"])];
  if (image?.block !== undefined) return [tooMuch(image)];
  const kind = mediaKind(block);
  if (kind === undefined) return [`[${String(block["type"])}]`];
  return [`[${kind}] ${addressIn(block) ?? cannotBeRead}`];
}

function tooMuch({ mimeType, bytes }: ReadImage): string {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${imageMark} (${mimeType}, ${size}: more than ${maxImages} images or ${maxImageBytes / 1_000_000} MB of them cannot be read.)`;
}

/**
 * Reads back what LangChain made text of: objects, lists, numbers and booleans. What nests too deep stays a text: it would
 * exhaust the stack.
 */
function valueOf(text: string): Json | undefined {
  if (!/^\s*([[{]|(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false)\s*$)/.test(text)) return undefined;
  try {
    const value = parseExact(text);
    // Digits that no number keeps: the text says them.
    return isTooDeep(value) || typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The result itself in an artifact that says how to show it: its `value`, or all of it. */
function valueBeside(artifact: unknown): unknown {
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

/** The value as JSON data, nothing of one that nests too deep. Throws for what is no data, like a circular artifact. */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  // A copy has no circles: looking for its depth comes to an end.
  const json: Json = JSON.parse(writeJson(value));
  return isTooDeep(json) ? undefined : json;
}

/** Default cap of a tool result, in characters. */
export const defaultMaxResultChars = 16_000;

/** Cuts the middle out of a long text, keeping head and tail, and says how much is gone. */
export function capResult(text: string, maxChars: number = defaultMaxResultChars): string {
  return cutMiddle(text, maxChars)?.text ?? text;
}

/** A text without its middle, and where in the whole text the gap begins; nothing for a text that is short enough. */
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

/** What the images of one result may have together, in bytes: every checkpoint holds them. */
const maxImageBytes = 5_000_000;

/** How many images of one result models see. */
export const maxImages = 20;

type ReadImage = {
  /** By its data, whatever the tool says. */
  readonly mimeType: string;
  readonly bytes: number;
  readonly block: ImageBlock;
};

/** The formats that all providers take, by the beginnings of their data in base64. */
const formats = [
  { mimeType: "image/png", start: /^iVBORw0KGgo/ },
  { mimeType: "image/jpeg", start: /^\/9j\// },
  { mimeType: "image/gif", start: /^R0lGOD[dl]h/ },
  { mimeType: "image/webp", start: /^UklGR.{6}XRUJQ/ },
] as const;

/** The image in a content block; nothing for an address, and for data that no provider takes as an image: a request with them is refused. */
export function readImage(block: unknown): ReadImage | undefined {
  if (!isRecord(block) || mediaKind(block) !== "image") return undefined;
  const data = dataIn(block);
  if (data === undefined) return undefined;
  const format = formats.find(({ start }) => start.test(data));
  if (format === undefined) return undefined;
  const { mimeType } = format;
  const [digits = ""] = data.split("=", 1);
  const bytes = Math.floor((digits.length * 3) / 4);
  return {
    mimeType,
    bytes,
    block: { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } },
  };
}

/** The address of what a block shows, where it is on the web: nobody but the user decides what is fetched. */
function addressIn(block: Record<string, unknown>): string | undefined {
  return placesIn(block).find((place) => /^https?:/i.test(place));
}

/** Base64, from whichever field LangChain, MCP or a provider puts it into. */
function dataIn(block: Record<string, unknown>): string | undefined {
  const { data, source } = block;
  const found = isRecord(source) ? (data ?? source["data"]) : data;
  if (found instanceof Uint8Array) return base64(found);
  const url = placesIn(block).find((place) => /^data:/i.test(place));
  const text = typeof found === "string" ? found : (url ?? "");
  const read = text.replace(/^data:[^,]{0,200};base64,/i, "").replaceAll(/\s/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(read) ? read : undefined;
}

function placesIn({ image_url: image, url, source }: Record<string, unknown>): string[] {
  const nested = [image, source].map((each) => (isRecord(each) ? each["url"] : undefined));
  return [image, url, ...nested].filter((place) => typeof place === "string");
}
