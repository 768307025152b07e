import { readMedia } from "../tools/read-media.js";
import type { HttpResponse } from "./http/guarded-request.js";

/** A response with a body that is no text. */
type Binary = Pick<HttpResponse, "headers"> & { readonly bytes: Uint8Array };

/** A content block for a tool's result. */
type Block = { readonly type: "image" | "file" | "audio" } & Readonly<Record<string, string>>;

/** An image, a PDF or a recording as a block that a model may see or hear; anything else by its type and size. */
export function binaryContent({ headers, bytes }: Binary): string | Block[] {
  const mimeType = mimeTypeIn(headers);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  const kinds = ["image", "file", "audio"] as const;
  const blocks = kinds.map((type) => ({ type, source_type: "base64", mime_type: mimeType, data }));
  // The data decide: a service may state another type, or none.
  const block = blocks.find((each) => readMedia(each)?.kind === each.type);
  return block === undefined
    ? `[${binaryName({ headers, bytes })} and cannot be read here]`
    : [block];
}

/** A body that is no text, in words. */
export function binaryName({ headers, bytes }: Binary): string {
  return `${mimeTypeIn(headers)}: ${bytes.length} bytes that are no text`;
}

function mimeTypeIn(headers: HttpResponse["headers"]): string {
  const [type = ""] = (headers["content-type"] ?? "").split(";", 1);
  return type.trim() === "" ? "no content type" : type.trim().toLowerCase();
}
