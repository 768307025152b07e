import { optionalPackage } from "../../errors.js";
import { readCsv } from "./csv.js";
import { decodeText } from "./decode.js";
import { packBlocks, sentencesOf } from "./blocks.js";
import { readHtml } from "./html.js";
import { readMarkdown } from "./markdown.js";
import type { ReadOptions, SourceContent } from "./piece.js";
import { readWorkbook } from "./workbook.js";

/** Reads the bytes of a source. Throws where it cannot be read at all; the message says why. */
export type SourceReader = (
  bytes: Uint8Array,
  options: ReadOptions,
) => Promise<SourceContent> | SourceContent;

/** The readers by the end of a file's name. */
export const sourceReaders: ReadonlyMap<string, SourceReader> = new Map([
  [".md", ofText(readMarkdown)],
  [".markdown", ofText(readMarkdown)],
  [".txt", ofText(readPlain)],
  [".text", ofText(readPlain)],
  [".html", ofText(readHtml)],
  [".htm", ofText(readHtml)],
  [".csv", ofText(readCsv)],
  [".tsv", ofText(readCsv)],
  [".xlsx", readWorkbook],
  [".xls", readWorkbook],
  [".ods", readWorkbook],
  [".docx", readWord],
  [".pdf", readPdf],
]);

function ofText(
  read: (text: string, options: ReadOptions) => Promise<SourceContent> | SourceContent,
): SourceReader {
  return (bytes, options) => {
    const text = decodeText(bytes);
    if (text === undefined) throw new Error("it is no text in UTF-8, UTF-16 or GB18030");
    return read(text, options);
  };
}

/** Paragraphs are parted by empty lines. */
function readPlain(text: string, { maxChars }: ReadOptions): SourceContent {
  let line = 1;
  const blocks = text.split(/(\n\s*\n)/).flatMap((part) => {
    const block = { path: [], line, parts: sentencesOf(part.trim()), glue: "" };
    line += part.split("\n").length - 1;
    return part.trim() === "" ? [] : [block];
  });
  return { pieces: packBlocks(blocks, maxChars), problems: [] };
}

async function readWord(bytes: Uint8Array, options: ReadOptions): Promise<SourceContent> {
  const { default: mammoth } = await optionalPackage(
    () => import("mammoth"),
    needed(options.name, "Word", "mammoth"),
  );
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) });
  return readHtml(value, options);
}

async function readPdf(bytes: Uint8Array, options: ReadOptions): Promise<SourceContent> {
  const { extractText, getDocumentProxy } = await optionalPackage(
    () => import("unpdf"),
    needed(options.name, "PDF", "unpdf"),
  );
  // Without its warnings, which it would print.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const { text } = await extractText(document, { mergePages: false });
  const blocks = text.map((page, at) => ({
    path: [],
    line: at + 1,
    parts: sentencesOf(page),
    glue: "",
  }));
  const pieces = blocks.flatMap((block) => packBlocks([block], options.maxChars));
  const problems = pieces.length === 0 ? [{ problem: "it holds no text, only pictures" }] : [];
  return { pieces, problems };
}

function needed(name: string, what: string, needs: string): string {
  return `${name}: ${what} needs the package "${needs}": npm install ${needs}.`;
}
