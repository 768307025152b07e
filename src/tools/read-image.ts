import { isRecord } from "../json/json.js";
import { mediaKind } from "../models/provider/media.js";
import type { ImageBlock } from "../state/observation.js";

/** What the images of one result may have together, in bytes: every checkpoint holds them. */
export const maxImageBytes = 5_000_000;

/** How many images of one result models see. */
export const maxImages = 20;

/** An image that a tool returned, read. */
export type ReadImage = {
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
  const bytes = Buffer.byteLength(data, "base64");
  return {
    mimeType,
    bytes,
    block: { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } },
  };
}

/** The address of what a block shows, where it is on the web: nobody but the user decides what is fetched. */
export function addressIn(block: Record<string, unknown>): string | undefined {
  return placesIn(block).find((place) => /^https?:/i.test(place));
}

/** Base64, from whichever field LangChain, MCP or a provider puts it into. */
function dataIn(block: Record<string, unknown>): string | undefined {
  const { data, source } = block;
  const found = isRecord(source) ? (data ?? source["data"]) : data;
  if (found instanceof Uint8Array) return Buffer.from(found).toString("base64");
  const url = placesIn(block).find((place) => /^data:/i.test(place));
  const text = typeof found === "string" ? found : (url ?? "");
  const base64 = text.replace(/^data:[^,]{0,200};base64,/i, "").replaceAll(/\s/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? base64 : undefined;
}

function placesIn({ image_url: image, url, source }: Record<string, unknown>): string[] {
  const nested = [image, source].map((each) => (isRecord(each) ? each["url"] : undefined));
  return [image, url, ...nested].filter((place) => typeof place === "string");
}
