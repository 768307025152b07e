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

/** A tool's return value, parsed: its text, its structured value, how to show it, and whether it reports a failure. */
export type ToolResult = Pick<
  Observation,
  "content" | "value" | "render" | "images" | "artifact" | "unread"
> & { readonly failed: boolean };

/** Parses the return value of a LangChain tool that was invoked with a tool call. Throws for a value that is not data. */
export function readResult(output: unknown): ToolResult {
  if (!isToolMessage(output)) return { ...textAndValue(output), failed: false };
  const { content, value, images, unread } = textAndValue(output.content);
  const failed = output.status === "error";
  const { artifact, data, render } = failed ? {} : readArtifact(output.artifact, content);
  return {
    content,
    ...defined({ value: data ?? value, images, artifact, render }),
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

type Read = Pick<Observation, "content" | "value" | "images" | "unread">;

function textAndValue(output: unknown): Read {
  if (output === undefined || output === null || output === "") return { content: "(no result)" };
  if (typeof output === "string")
    return { content: output, ...defined({ value: valueOf(output) }) };
  if (Array.isArray(output)) return readList(output);
  const value = jsonOf(output);
  return { content: writtenOf(value), ...defined({ value }) };
}

/** A list of content blocks as text, with the images that models may see; other lists are data. */
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

/** Content blocks as lines, and the images in them up to a total size. */
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

/** Maximum size of the images of one result, in bytes: every checkpoint holds them. */
const maxImageBytes = 5_000_000;

/** Number of images of one result that models see. */
export const maxImages = 20;

type ReadImage = {
  /** From its data, whatever the tool says. */
  readonly mimeType: string;
  readonly bytes: number;
  readonly block: ImageBlock;
};

/** The formats that all providers accept, by the first characters of their base64 data. */
const formats = [
  { mimeType: "image/png", start: /^iVBORw0KGgo/ },
  { mimeType: "image/jpeg", start: /^\/9j\// },
  { mimeType: "image/gif", start: /^R0lGOD[dl]h/ },
  { mimeType: "image/webp", start: /^UklGR.{6}XRUJQ/ },
] as const;

/** The image in a content block. Nothing for a URL, or for data that no provider accepts: it would reject the request. */
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

/** The web address of a block's content; only the user decides what is fetched. */
function addressIn(block: Record<string, unknown>): string | undefined {
  return placesIn(block).find((place) => /^https?:/i.test(place));
}

/** Base64 from the field that LangChain, MCP or the provider uses. */
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
