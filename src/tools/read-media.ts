import { isRecord } from "../json/json.js";
import { mediaKind } from "../models/provider/media.js";
import { base64 } from "../platform.js";
import type { MediaBlock, MediaKind } from "../state/observation.js";

/** Maximum size of the images and files of one result, in bytes: every checkpoint holds them. */
export const maxMediaBytes = 5_000_000;

/** Number of images and files of one result that models see. */
export const maxMedia = 20;

/** An image, a PDF or a recording in a result. */
export type ReadMedia = {
  readonly kind: MediaKind;
  /** From its data, whatever the tool says. */
  readonly mimeType: string;
  readonly bytes: number;
  /** Base64. */
  readonly data: string;
  readonly block: MediaBlock;
};

/** The formats that providers accept, by the first characters of their base64 data. */
const formats = [
  { kind: "image", mimeType: "image/png", start: /^iVBORw0KGgo/ },
  { kind: "image", mimeType: "image/jpeg", start: /^\/9j\// },
  { kind: "image", mimeType: "image/gif", start: /^R0lGOD[dl]h/ },
  { kind: "image", mimeType: "image/webp", start: /^UklGR.{6}XRUJQ/ },
  { kind: "file", mimeType: "application/pdf", start: /^JVBERi0/ },
  { kind: "audio", mimeType: "audio/wav", start: /^UklGR.{6}XQVZF/ },
  { kind: "audio", mimeType: "audio/mp3", start: /^(?:SUQz|\/\/[vMIo])/ },
] as const;

type Format = (typeof formats)[number];

/**
 * The image, PDF or recording in a content block. Nothing for an address, which would be fetched by whoever runs the
 * model, and for data that no provider accepts: it would reject the request.
 */
export function readMedia(block: unknown): ReadMedia | undefined {
  if (!isRecord(block) || mediaKind(block) === undefined) return undefined;
  const data = dataIn(block);
  if (data === undefined) return undefined;
  const format = formats.find(({ start }) => start.test(data));
  if (format === undefined) return undefined;
  const [digits = ""] = data.split("=", 1);
  const bytes = Math.floor((digits.length * 3) / 4);
  const { kind, mimeType } = format;
  return { kind, mimeType, bytes, data, block: blockOf(format, data) };
}

function blockOf({ kind, mimeType }: Format, data: string): MediaBlock {
  if (kind === "image") {
    return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
  }
  const block = { type: kind, source_type: "base64", mime_type: mimeType, data } as const;
  // OpenAI's interface takes no file without a name.
  return kind === "file" ? { ...block, metadata: { filename: "document.pdf" } } : block;
}

/** The web address of a block's content; only the user decides what is fetched. */
export function addressIn(block: Record<string, unknown>): string | undefined {
  return placesIn(block).find((place) => /^https?:/i.test(place));
}

/** Base64 from the field that LangChain, MCP or the provider uses. */
function dataIn(block: Record<string, unknown>): string | undefined {
  const { data, source, file, input_audio: audio } = block;
  const nested = [source, file, audio].map((each) =>
    isRecord(each) ? (each["data"] ?? each["file_data"]) : undefined,
  );
  const found = [data, ...nested].find((each) => each !== undefined);
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
