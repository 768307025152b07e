import { expect, it } from "vitest";

import { type Block, type Inline, readMarkdown } from "../../src/page/model/markdown.js";

/** A short writing of what was read, for tables: [p text], [b …], [link url …]. */
function written(blocks: readonly Block[]): string {
  return blocks.map(blockText).join("");
}

function blockText(block: Block): string {
  if (block.kind === "paragraph") return `[p ${block.lines.map(lineText).join("/")}]`;
  if (block.kind === "heading") return `[h${block.level} ${lineText(block.line)}]`;
  if (block.kind === "code") return `[code ${block.text}]`;
  if (block.kind === "quote") return `[quote ${written(block.inside)}]`;
  if (block.kind === "rule") return "[rule]";
  if (block.kind === "list") {
    return `[${block.ordered ? "ol" : "ul"} ${block.items.map(written).join(",")}]`;
  }
  const rows = [block.head, ...block.rows].map((row) => row.map(lineText).join("|"));
  const align = block.align.some((each) => each !== "") ? ` ${block.align.join(",")}` : "";
  return `[table ${rows.join("/")}${align}]`;
}

function lineText(line: readonly Inline[]): string {
  return line.map(pieceText).join("");
}

function pieceText(piece: Inline): string {
  if (piece.kind === "text") return piece.text;
  if (piece.kind === "code") return `<code ${piece.text}>`;
  if (piece.kind === "link") return `<link ${piece.url} ${lineText(piece.inside)}>`;
  return `<${piece.kind} ${lineText(piece.inside)}>`;
}

const cases: readonly { name: string; text: string; read: string }[] = [
  { name: "nothing", text: " \n\n", read: "" },
  { name: "paragraphs with lines", text: "One\ntwo\n\nthree", read: "[p One/two][p three]" },
  {
    name: "bold and italics",
    text: "a **b *c* d** e",
    read: "[p a <strong b <em c> d> e]",
  },
  { name: "code", text: "use `a < b`", read: "[p use <code a < b>]" },
  { name: "a heading", text: "## Result\ntext", read: "[h2 Result][p text]" },
  { name: "no heading without a blank", text: "#1 is first", read: "[p #1 is first]" },
  { name: "a list after a line", text: "Found:\n- a\n- b", read: "[p Found:][ul [p a],[p b]]" },
  { name: "an ordered list", text: "1. a\n2. b", read: "[ol [p a],[p b]]" },
  { name: "a list in a list", text: "- a\n  - b\n- c", read: "[ul [p a][ul [p b]],[p c]]" },
  { name: "a fence", text: "```js\n# no\n```\nend", read: "[code # no][p end]" },
  { name: "a fence that is still being written", text: "```\nhalf", read: "[code half]" },
  { name: "a quote", text: "> said\n> so", read: "[quote [p said/so]]" },
  { name: "a table", text: "|a|b|\n|-|-|\n|1|2|\nend", read: "[table a|b/1|2][p end]" },
  {
    name: "a table with aligned columns",
    text: "|a|b|c|d|\n|:-|-:|:-:|-|\n|1|2|3|4|",
    read: "[table a|b|c|d/1|2|3|4 left,right,center,]",
  },
  { name: "a line in a cell", text: "|a|\n|-|\n|b \\| c|", read: "[table a/b | c]" },
  { name: "a rule", text: "a\n\n---\n\nb", read: "[p a][rule][p b]" },
  {
    name: "a link to a web page",
    text: "[shop](https://shop.example/a)",
    read: "[p <link https://shop.example/a shop>]",
  },
  {
    name: "an address in a sentence",
    text: "See https://shop.example.",
    read: "[p See <link https://shop.example https://shop.example>.]",
  },
  { name: "a product, not italics", text: "2 * 3 * 4", read: "[p 2 * 3 * 4]" },
  { name: "Chinese", text: "**苹果**的价格", read: "[p <strong 苹果>的价格]" },
  // What must stay text.
  { name: "HTML", text: "<script>alert(1)</script>", read: "[p <script>alert(1)</script>]" },
  { name: "a picture of HTML", text: "<img src=x onerror=y>", read: "[p <img src=x onerror=y>]" },
  {
    name: "a link to a script",
    text: "[x](javascript:alert(1))",
    read: "[p [x](javascript:alert(1))]",
  },
  {
    name: "a link to data",
    text: "[x](data:text/html,y)",
    read: "[p [x](data:text/html,y)]",
  },
];

it.each(cases)("reads $name", ({ text, read }) => {
  expect(written(readMarkdown(text))).toBe(read);
});

// Were one of them read in more than about linear time, it would not end before the test's time is over.
it.each([
  { name: "quotes", text: `${">".repeat(5_000)} deep` },
  { name: "stars", text: "*".repeat(200_000) },
  { name: "brackets", text: "[".repeat(200_000) },
  { name: "a long line", text: "word ".repeat(200_000) },
  { name: "many short lines", text: "a\n".repeat(200_000) },
  { name: "many items", text: "- a\n".repeat(30_000) },
])("reads hostile $name", ({ text }) => {
  expect(readMarkdown(text)).not.toEqual([]);
});
