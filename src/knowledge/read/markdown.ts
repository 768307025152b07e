import type { Token } from "marked";

import { optionalPackage } from "../../errors.js";
import { type Block, packBlocks, sentencesOf } from "./blocks.js";
import { frontMatter } from "./front-matter.js";
import type { ReadOptions, SourceContent, SourceProblem } from "./piece.js";

/** Reads Markdown: each piece stands under its headings; tables keep their header, code and lists stay whole. */
export async function readMarkdown(
  text: string,
  { maxChars, name }: ReadOptions,
): Promise<SourceContent> {
  const { lexer } = await optionalPackage(
    () => import("marked"),
    `${name}: this needs the package "marked": npm install marked.`,
  );
  const { fields, body, line, isUndated, problems: own } = frontMatter(text);
  if (isUndated) return { pieces: [], problems: own };
  const { blocks, problems } = blocksOf(lexer(body), line);
  const pieces = packBlocks(blocks, maxChars).map((piece) => ({ ...piece, ...fields }));
  return { pieces, problems: [...own, ...problems] };
}

type Read = { readonly blocks: readonly Block[]; readonly problems: readonly SourceProblem[] };

function blocksOf(tokens: readonly Token[], firstLine: number): Read {
  const blocks: Block[] = [];
  const problems: SourceProblem[] = [];
  let path: readonly Heading[] = [];
  let line = firstLine;
  for (const token of tokens) {
    const at = line + leadingLines(token.raw);
    if (token.type === "heading") path = under(path, token);
    if (isOpenFence(token)) problems.push({ line: at, problem: "this code block is never closed" });
    const block = blockOf(token);
    if (block !== undefined) {
      blocks.push({ ...block, path: path.map(({ text }) => text), line: at });
    }
    line += token.raw.split("\n").length - 1;
  }
  return { blocks, problems };
}

type Heading = { readonly depth: number; readonly text: string };

/** The headings above what follows; levels that were skipped leave no hole. */
function under(path: readonly Heading[], token: Token): readonly Heading[] {
  const depth = "depth" in token ? Number(token["depth"]) : 1;
  // Beside Chinese marks, stars that a person means as markup are none by the rules.
  const text = plainText(token).replaceAll(/\s+/g, " ").replaceAll("**", "").trim();
  return [...path.filter((above) => above.depth < depth), { depth, text }];
}

/** A heading, or a part of one, without its markup. */
function plainText(token: Token): string {
  if ("tokens" in token && token.tokens !== undefined) return token.tokens.map(plainText).join("");
  if (token.type === "br" || /^<(?:br\b|!--)/i.test(token.raw)) return " ";
  return "text" in token ? String(token.text) : token.raw;
}

const notRead = new Set(["heading", "space", "hr", "def"]);

type Parts = Pick<Block, "head" | "parts" | "tail" | "glue">;

function blockOf(token: Token): Parts | undefined {
  const told = token.type === "html" ? token.raw.replaceAll(/<!--[^]*?-->/g, "") : token.raw;
  const raw = told.trimEnd().replace(/^\n+/, "");
  if (notRead.has(token.type) || raw.trim() === "") return undefined;
  if (token.type === "table") return tableOf(raw.split("\n"));
  if (isFence(token)) return codeOf(raw.split("\n"), isOpenFence(token));
  if (token.type === "list") return { parts: itemsOf(raw), glue: "\n" };
  return { parts: sentencesOf(raw), glue: "" };
}

/** Without the spaces that only line up its columns. A single row, such as that of a page's layout, is its header. */
function tableOf(aligned: readonly string[]): Parts {
  const lines = aligned.map((line) => line.replaceAll(/ {2,}/g, " ").replaceAll(/-{4,}/g, "---"));
  if (lines.length < 3) return { parts: lines, glue: "\n" };
  return { head: lines.slice(0, 2).join("\n"), parts: lines.slice(2), glue: "\n" };
}

function codeOf(lines: readonly string[], isOpen: boolean): Parts {
  const [head = ""] = lines;
  const tail = /```+|~~~+/.exec(head)?.[0] ?? "```";
  return { head, parts: lines.slice(1, isOpen ? undefined : -1), tail, glue: "\n" };
}

/** The outer items of a list, each with those inside it. */
function itemsOf(list: string): readonly string[] {
  return list.split(/\n(?=\S)/);
}

function isFence({ type, raw }: Token): boolean {
  return type === "code" && /^\s*(?:```|~~~)/.test(raw);
}

/** A block of code that the end of the text ends. */
function isOpenFence(token: Token): boolean {
  const lines = token.raw.trimEnd().split("\n");
  return isFence(token) && (lines.length < 2 || !/^\s*(?:```+|~~~+)$/.test(lines.at(-1) ?? ""));
}

function leadingLines(raw: string): number {
  return /^\n*/.exec(raw)?.[0].length ?? 0;
}
