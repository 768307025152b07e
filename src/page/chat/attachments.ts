import { textFilePart } from "../model/thread-state.js";

/** A file that goes with a question. */
export type Attachment = {
  readonly name: string;
  /** It as an address, where it is a picture. */
  readonly image: string | undefined;
  /** It as a part of a message. */
  readonly part: unknown;
};

/** The largest file that is sent, in bytes. */
const mostBytes = 8_000_000;

/** Reads files as what is sent; `leftOut` are the names of those that are too large. */
export async function readFiles(
  files: readonly File[],
): Promise<{ readonly read: readonly Attachment[]; readonly leftOut: readonly string[] }> {
  const large = files.filter(({ size }) => size > mostBytes);
  const read = await Promise.all(files.filter((file) => !large.includes(file)).map(readFile));
  return { read, leftOut: large.map(({ name }) => name) };
}

async function readFile(file: File): Promise<Attachment> {
  const address = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      resolve(typeof reader.result === "string" ? reader.result : ""),
    );
    reader.readAsDataURL(file);
  });
  const { name, type } = file;
  const image = type.startsWith("image/") ? address : undefined;
  return { name, image, part: partOf(file, address.slice(address.indexOf(",") + 1)) };
}

/** A file as a part of a message. Texts are read here. */
function partOf({ name, type }: File, data: string): unknown {
  const encoded = { source_type: "base64", mime_type: type, data };
  if (type.startsWith("image/")) return { type: "image", ...encoded };
  if (type.startsWith("text/") || type === "application/json") {
    const bytes = Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0);
    return textFilePart(name, new TextDecoder().decode(bytes));
  }
  return { type: "file", ...encoded, metadata: { filename: name } };
}
