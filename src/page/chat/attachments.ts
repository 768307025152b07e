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

/** A file that cannot go with a question, and why. */
export type LeftOut = { readonly name: string; readonly why: "tooLarge" | "unread" };

export type ReadFiles = {
  readonly read: readonly Attachment[];
  readonly leftOut: readonly LeftOut[];
};

/** Reads files as what is sent. */
export async function readFiles(files: readonly File[]): Promise<ReadFiles> {
  const all = await Promise.all(files.map(readFile));
  return {
    read: all.filter((file) => "part" in file),
    leftOut: all.filter((file) => "why" in file),
  };
}

async function readFile(file: File): Promise<Attachment | LeftOut> {
  const { name, type, size } = file;
  if (size > mostBytes) return { name, why: "tooLarge" };
  const address = await addressOf(file);
  if (address === undefined) return { name, why: "unread" };
  const image = type.startsWith("image/") ? address : undefined;
  return { name, image, part: partOf(file, address.slice(address.indexOf(",") + 1)) };
}

/** A file as a data address; nothing where it cannot be read. */
function addressOf(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("loadend", () =>
      resolve(typeof reader.result === "string" ? reader.result : undefined),
    );
    reader.readAsDataURL(file);
  });
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
