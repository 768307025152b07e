import { ClassifiedError } from "../run/errors.js";
import type { NamedFile } from "../run/scope.js";
import { maxMediaBytes } from "../tools/read-media.js";
import { isFileName } from "../tools/result-files.js";

/** A file as it is sent. No model chooses its name. */
export type SentFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

/** Reads the value of a parameter that is a file of one of these content types. */
export type ReadFile = (value: string, accepted: string) => SentFile;

/** What a file holds, before it is known what the service takes. */
type Content = { readonly type: string; readonly bytes: Uint8Array; readonly name?: string };

/**
 * Reads files for a request: those of the run's results by name, `data:` URLs, and any other value as the text of a file.
 * Nothing is read from a disk or an address. The function throws `invalid_arguments` for a name of no file, for data that
 * are not what they say, for a type that the service does not take, and for more than 5 MB.
 */
export function fileReader(files: () => readonly NamedFile[] = () => []): ReadFile {
  return (value, accepted) => {
    const { bytes, ...content } = contentOf(value, files);
    if (bytes.length > maxMediaBytes) throw tooLarge();
    const type = typeFor(content.type, accepted.split(/, ?/));
    return { name: content.name ?? `file.${extensionOf(type)}`, type, bytes };
  };
}

/** The error for files that are too large together. */
export function tooLarge(): ClassifiedError {
  return unfit(`at most ${maxMediaBytes / 1_000_000} MB of files are sent in one request.`);
}

const plainText = "text/plain";

function contentOf(value: string, files: () => readonly NamedFile[]): Content {
  if (isFileName(value)) return namedContent(value.trim(), files());
  const [, type, parameters = ""] = /^data:([\w.+-]+\/[\w.+-]+)((?:;[^;,]*)*),/i.exec(value) ?? [];
  if (type === undefined) return { type: plainText, bytes: Buffer.from(value, "utf8") };
  const data = value.slice(value.indexOf(",") + 1);
  const isBase64 = /;\s*base64$/i.test(parameters);
  return { type: type.toLowerCase(), bytes: isBase64 ? base64Bytes(data) : escapedBytes(data) };
}

function namedContent(name: string, files: readonly NamedFile[]): Content {
  const file = files.find((each) => each.name === name);
  if (file !== undefined) {
    return { name, type: file.mimeType, bytes: Buffer.from(file.data, "base64") };
  }
  const known = files.map((each) => each.name).join(", ");
  throw unfit(
    `there is no file ${name} in the results of this run; there are: ${known === "" ? "none" : known}.`,
  );
}

function base64Bytes(data: string): Uint8Array {
  if (/^[\w+/-]*={0,2}$/.test(data)) return Buffer.from(data, "base64");
  throw unfit("the data: URL is not base64, although it says so.");
}

function escapedBytes(data: string): Uint8Array {
  try {
    return Buffer.from(decodeURIComponent(data), "utf8");
  } catch {
    throw unfit("the data: URL has a % that escapes nothing.");
  }
}

/** Content types that no text has. */
const neverText = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip)$)/;

/** The type of a file as the service takes it. */
function typeFor(type: string, accepted: readonly string[]): string {
  if (accepted.some((each) => matches(type, each))) return type;
  // A document says so of anything.
  if (accepted.includes("application/octet-stream")) return "application/octet-stream";
  const [stated] = accepted.filter((each) => !each.includes("*") && !neverText.test(each));
  if (type === plainText && stated !== undefined) return stated;
  const came = type === plainText ? "text" : type;
  throw unfit(
    `the service takes a file of type ${accepted.join(" or ")}, not ${came}: give the name of a file of an earlier result, or a data: URL.`,
  );
}

function matches(type: string, accepted: string): boolean {
  const [family, kind] = accepted.toLowerCase().split("/");
  if (family === "*") return true;
  return kind === "*" ? type.startsWith(`${family}/`) : type === accepted.toLowerCase();
}

/** Extensions that are not the name of the type. */
const extensions: ReadonlyMap<string, string> = new Map([
  ["plain", "txt"],
  ["svg+xml", "svg"],
  ["mpeg", "mp3"],
]);

function extensionOf(type: string): string {
  const kind = type.replace(/^.*\//, "");
  return extensions.get(kind) ?? (/^[a-z\d]{2,4}$/.test(kind) ? kind : "bin");
}

function unfit(message: string): ClassifiedError {
  return new ClassifiedError("invalid_arguments", message);
}
