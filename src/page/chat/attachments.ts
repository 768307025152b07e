import { type Message, newQuestion, textFilePart } from "../model/thread-state.js";

/** A file that goes with a question. */
export type Attachment = { readonly name: string; readonly type: string; readonly data: string };

/** The largest file that is sent, in bytes. */
export const mostBytes = 8_000_000;

/** Reads a file as what is sent. */
export async function readFile(file: File): Promise<Attachment> {
  const address = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      resolve(typeof reader.result === "string" ? reader.result : ""),
    );
    reader.readAsDataURL(file);
  });
  return { name: file.name, type: file.type, data: address.slice(address.indexOf(",") + 1) };
}

/** A question as the content of a message. */
export function contentOf({ text, attached }: Message): unknown {
  if (attached.length === 0) return text;
  return [...attached, ...(text === "" ? [] : [{ type: "text", text }])];
}

/** A question with its files, as the conversation shows it. */
export function questionOf(text: string, files: readonly Attachment[]): Message {
  return newQuestion(text, {
    images: files.filter(isImage).map(({ type, data }) => `data:${type};base64,${data}`),
    files: files.filter((file) => !isImage(file)).map(({ name }) => name),
    attached: files.map(partOf),
  });
}

/** A file as a part of a message. Texts are read here. */
function partOf(file: Attachment): unknown {
  const { name, type, data } = file;
  if (isImage(file)) return { type: "image", source_type: "base64", mime_type: type, data };
  if (type.startsWith("text/") || type === "application/json") {
    const bytes = Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0);
    return textFilePart(name, new TextDecoder().decode(bytes));
  }
  const metadata = { filename: name };
  return { type: "file", source_type: "base64", mime_type: type, data, metadata };
}

function isImage({ type }: Attachment): boolean {
  return type.startsWith("image/");
}
