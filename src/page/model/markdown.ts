/** A piece of a line. Text is text: no HTML is read. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong"; readonly inside: readonly Inline[] }
  | { readonly kind: "em"; readonly inside: readonly Inline[] }
  | { readonly kind: "del"; readonly inside: readonly Inline[] }
  | { readonly kind: "link"; readonly url: string; readonly inside: readonly Inline[] };

/** A block of a text. */
export type Block =
  | { readonly kind: "paragraph"; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: "heading"; readonly level: number; readonly line: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "list";
      readonly ordered: boolean;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: "quote"; readonly inside: readonly Block[] }
  | {
      readonly kind: "table";
      readonly head: Cells;
      readonly rows: readonly Cells[];
      /** How each column is aligned. */
      readonly align: readonly Alignment[];
    }
  | { readonly kind: "rule" };
/** How the column of a table is aligned; empty where its author did not say. */
export type Alignment = "left" | "right" | "center" | "";
type Cells = readonly (readonly Inline[])[];

/** How deep blocks and pieces may lie in one another; what lies deeper is text. */
const deepest = 6;

/**
 * Reads the Markdown that models write: paragraphs, headings, lists, quotes, tables, code, bold, italics and links to web
 * pages. Everything else, HTML above all, stays the text that it is.
 */
export function readMarkdown(text: string): readonly Block[] {
  return blocksIn(text.replaceAll("\r\n", "\n").split("\n"), 0);
}

type Read = { readonly block: Block; readonly used: number };

function blocksIn(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if ((lines[at] ?? "").trim() === "") {
      at += 1;
      continue;
    }
    const { block, used } = blockAt(lines.slice(at), depth);
    blocks.push(block);
    at += used;
  }
  return blocks;
}

function blockAt(lines: readonly string[], depth: number): Read {
  const readers =
    depth < deepest ? [codeAt, headingAt, ruleAt, tableAt, quoteAt, listAt] : [codeAt];
  for (const read of readers) {
    const found = read(lines, depth);
    if (found !== undefined) return found;
  }
  return paragraphAt(lines, depth);
}

function codeAt(lines: readonly string[]): Read | undefined {
  const [first = ""] = lines;
  const fence = /^\s*(`{3,}|~{3,})/.exec(first)?.[1];
  if (fence === undefined) return undefined;
  const end = lines.findIndex((line, at) => at > 0 && line.trim().startsWith(fence));
  const inside = lines.slice(1, end === -1 ? undefined : end);
  return {
    block: { kind: "code", text: inside.join("\n") },
    used: inside.length + (end === -1 ? 1 : 2),
  };
}

function headingAt([first = ""]: readonly string[]): Read | undefined {
  const [, marks, text = ""] = /^(#{1,6})\s+(\S.*)$/.exec(first) ?? [];
  if (marks === undefined) return undefined;
  return { block: { kind: "heading", level: marks.length, line: readInline(text) }, used: 1 };
}

function ruleAt([first = ""]: readonly string[]): Read | undefined {
  return /^\s*([-*_])\s*(?:\1\s*){2,}$/.test(first)
    ? { block: { kind: "rule" }, used: 1 }
    : undefined;
}

function tableAt(lines: readonly string[]): Read | undefined {
  const [head = "", line = ""] = lines;
  if (!head.includes("|") || !/^[\s|:-]+$/.test(line) || !line.includes("-")) return undefined;
  const end = lines.findIndex((each, at) => at > 1 && !each.includes("|"));
  const rows = lines.slice(2, end === -1 ? undefined : end).map(cellsOf);
  const align = textsOf(line).map(alignmentOf);
  return { block: { kind: "table", head: cellsOf(head), rows, align }, used: rows.length + 2 };
}

function alignmentOf(marks: string): Alignment {
  if (!marks.endsWith(":")) return marks.startsWith(":") ? "left" : "";
  return marks.startsWith(":") ? "center" : "right";
}

function cellsOf(line: string): Cells {
  return textsOf(line).map((text) => readInline(text));
}

function textsOf(line: string): readonly string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

function quoteAt(lines: readonly string[], depth: number): Read | undefined {
  const end = lines.findIndex((line) => !line.startsWith(">"));
  const quoted = lines.slice(0, end === -1 ? undefined : end);
  if (quoted.length === 0) return undefined;
  const inside = blocksIn(
    quoted.map((line) => line.replace(/^> ?/, "")),
    depth + 1,
  );
  return { block: { kind: "quote", inside }, used: quoted.length };
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/;

function listAt(lines: readonly string[], depth: number): Read | undefined {
  const first = markIn(lines[0] ?? "");
  if (first === undefined) return undefined;
  const items: string[][] = [];
  let used = 0;
  for (const line of lines) {
    const mark = markIn(line);
    if (mark !== undefined && isNext(first, mark)) items.push([ticked(line.slice(mark.length))]);
    else if (line.trim() === "" || /^\s{2,}/.test(line))
      items.at(-1)?.push(line.replace(/^\s{1,4}/, ""));
    else break;
    used += 1;
  }
  const blocks = items.map((inside) => blocksIn(inside, depth + 1));
  return { block: { kind: "list", ordered: first.ordered, items: blocks }, used };
}

/** An item of a list of tasks, with its sign. */
function ticked(text: string): string {
  return text.replace(/^\[([ xX])\]\s/, (_, tick: string) => (tick === " " ? "☐ " : "☑ "));
}

type Mark = { readonly length: number; readonly indent: number; readonly ordered: boolean };

function isNext(first: Mark, mark: Mark): boolean {
  return mark.indent <= first.indent && mark.ordered === first.ordered;
}

/** The mark of an item: where it stands, and whether it counts. */
function markIn(line: string): Mark | undefined {
  const [all, indent = "", mark = ""] = item.exec(line) ?? [];
  return all === undefined
    ? undefined
    : { length: all.length, indent: indent.length, ordered: /\d/.test(mark) };
}

/** How the lines of other blocks begin. */
const beginning = /^\s*(?:`{3}|~{3})|^#{1,6}\s+\S|^>|^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/;

function paragraphAt(lines: readonly string[], depth: number): Read {
  const begins = (line: string) => depth < deepest && beginning.test(line);
  const end = lines.findIndex((line, at) => at > 0 && (line.trim() === "" || begins(line)));
  const inside = lines.slice(0, end === -1 ? undefined : end);
  const read = inside.map((line) => readInline(line.trim()));
  return { block: { kind: "paragraph", lines: read }, used: inside.length };
}

/** Code, bold, italics, struck out, links, and addresses as they stand; each is read up to its end in the same line. */
const piece = new RegExp(
  [
    String.raw`\x60(?<code>[^\x60]{1,2000})\x60`,
    String.raw`\*{3}(?=[^\s*])(?<both>[^*]{1,2000})\*{3}`,
    String.raw`\*\*(?=\S)(?<stars>(?:[^*]|\*(?!\*)){1,2000})\*\*`,
    String.raw`\*(?=[^\s*])(?<star>[^*]{1,2000})\*`,
    // Within a word a line is a letter: snake_case_name.
    String.raw`(?<![\p{L}\p{N}_])__(?=[^\s_])(?<lines>[^_]{1,2000})__(?![\p{L}\p{N}_])`,
    String.raw`(?<![\p{L}\p{N}_])_(?=[^\s_])(?<line>[^_]{1,2000})_(?![\p{L}\p{N}_])`,
    String.raw`~~(?=[^\s~])(?<struck>[^~]{1,2000})~~`,
    String.raw`\[(?<words>[^\][]{1,500})\]\((?<url>https?:\/\/[^\s()<>]{1,2000})\)`,
    String.raw`(?<address>https?:\/\/[^\s<>()"']{1,2000}[^\s<>()"'.,;:!?])`,
  ].join("|"),
  "u",
);

/** Reads the pieces of a line. */
function readInline(text: string, depth = 0): readonly Inline[] {
  const pieces: Inline[] = [];
  let rest = text;
  for (let found = piece.exec(rest); found !== null; found = piece.exec(rest)) {
    if (found.index > 0) pieces.push({ kind: "text", text: rest.slice(0, found.index) });
    pieces.push(inlineOf(found, depth));
    rest = rest.slice(found.index + found[0].length);
  }
  return rest === "" ? pieces : [...pieces, { kind: "text", text: rest }];
}

type Make = (text: string, depth: number, words: string | undefined) => Inline;

const strong: Make = (text, depth) => ({ kind: "strong", inside: readInline(text, depth) });
const em: Make = (text, depth) => ({ kind: "em", inside: readInline(text, depth) });
const link: Make = (url, _, words = url) => {
  return { kind: "link", url, inside: [{ kind: "text", text: words }] };
};

/** What each kind of piece is. */
const makers: { readonly [name: string]: Make } = {
  code: (text) => ({ kind: "code", text }),
  both: (text, depth, words) => ({ kind: "strong", inside: [em(text, depth, words)] }),
  stars: strong,
  star: em,
  lines: strong,
  line: em,
  struck: (text, depth) => ({ kind: "del", inside: readInline(text, depth) }),
  url: link,
  address: link,
};

function inlineOf({ 0: all, groups = {} }: RegExpExecArray, depth: number): Inline {
  const [made] = Object.entries(makers).flatMap(([name, make]) => {
    const text = groups[name];
    return text === undefined ? [] : [{ text, make }];
  });
  if (depth >= deepest || made === undefined) return { kind: "text", text: all };
  return made.make(made.text, depth + 1, groups["words"]);
}
