import { type Message, newQuestion } from "../model/thread-state.js";

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

/** A question with its files, as the content of a message. Texts are read here: any model can read those. */
export function contentOf(text: string, files: readonly Attachment[]): unknown {
  if (files.length === 0) return text;
  const parts = files.map(({ name, type, data }) => {
    if (type.startsWith("image/"))
      return { type: "image", source_type: "base64", mime_type: type, data };
    if (type.startsWith("text/") || type === "application/json") {
      const bytes = Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0);
      return { type: "text", text: `${name}:\n${new TextDecoder().decode(bytes)}\n` };
    }
    return {
      type: "file",
      source_type: "base64",
      mime_type: type,
      data,
      metadata: { filename: name },
    };
  });
  return [...parts, ...(text === "" ? [] : [{ type: "text", text }])];
}

/** A question with its files, as the conversation shows it. */
export function questionOf(text: string, files: readonly Attachment[]): Message {
  const images = files.filter(isImage).map(({ type, data }) => `data:${type};base64,${data}`);
  const names = files.filter((file) => !isImage(file)).map(({ name }) => name);
  return newQuestion(text, images, names);
}

function isImage({ type }: Attachment): boolean {
  return type.startsWith("image/");
}
