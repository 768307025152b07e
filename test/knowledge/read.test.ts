import { describe, expect, it } from "vitest";

import type { Piece } from "../../src/knowledge/index.js";
import { sourceReaders } from "../../src/knowledge/read/read-source.js";

async function read(name: string, content: string | Uint8Array, maxChars = 800) {
  const reader = sourceReaders.get(name.slice(name.lastIndexOf(".")));
  if (reader === undefined) throw new Error(`No reader for ${name}`);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return reader(bytes, { name, maxChars });
}

const shown = ({ path, text, line }: Piece) => `${line} [${path.join(" > ")}] ${text}`;

describe("Markdown", () => {
  it.each<{ name: string; text: string; pieces: readonly string[] }>([
    { name: "nothing", text: "", pieces: [] },
    { name: "text without a heading", text: "\n\nHello.", pieces: ["3 [] Hello."] },
    {
      name: "headings as a path, without holes",
      text: "# A\n\n### C\n\nc\n\n## B\n\nb\n\n# D\nd",
      pieces: ["5 [A > C] c", "9 [A > B] b", "12 [D] d"],
    },
    {
      name: "headings without their markup",
      text: "## **Fees** for `x`, see [here](http://h)\n\nText.",
      pieces: ["3 [Fees for x, see here] Text."],
    },
    {
      name: "blocks of one heading together",
      text: "# A\n\none\n\n- x\n  - y\n- z\n\n```js\nf()\n```\n",
      pieces: ["3 [A] one\n\n- x\n  - y\n- z\n\n```js\nf()\n```"],
    },
    {
      name: "no comments and rules",
      text: "# A\n\n<!-- secret -->\n\n---\n\nb",
      pieces: ["7 [A] b"],
    },
    {
      name: "a table of one row",
      text: "| a | b |\n|---|---|\n",
      pieces: ["1 [] | a | b |\n|---|---|"],
    },
    { name: "Windows lines", text: "# A\r\n\r\nb\r\n", pieces: ["3 [A] b"] },
  ])("gives $name", async ({ text, pieces }) => {
    const { pieces: found, problems } = await read("a.md", text);
    expect(found.map(shown)).toEqual(pieces);
    expect(problems).toEqual([]);
  });

  it.each([
    { heading: "[a](http://x/y_(z)) b", text: "a b" },
    { heading: "[a][ref] ![logo](l.png)", text: "a logo" },
    { heading: "*max_connections* and \\*", text: "max_connections and *" },
    { heading: "`a*b*c` & List<String>", text: "a*b*c & List<String>" },
    { heading: "**重要：**说明", text: "重要：说明" },
    { heading: "a<br>b <!-- c -->", text: "a b" },
  ])("reads the heading $heading without its markup", async ({ heading, text }) => {
    const { pieces } = await read("a.md", `# ${heading}\n\ntext\n\n[ref]: http://r`);
    expect(pieces.map(({ path }) => path)).toEqual([[text]]);
  });

  it("repeats the header in each part of a long table", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| item ${at} | ${at} euros |`);
    const { pieces } = await read(
      "a.md",
      `# Prices\n\n| what | price |\n|---|---|\n${rows.join("\n")}`,
      300,
    );
    expect(pieces.length).toBeGreaterThan(4);
    for (const { text, path } of pieces) {
      expect(text.startsWith("| what | price |\n|---|---|\n| item ")).toBe(true);
      expect(text.length).toBeLessThanOrEqual(300);
      expect(path).toEqual(["Prices"]);
    }
    const all = pieces.flatMap(({ text }) => text.split("\n").slice(2));
    expect(all).toEqual(rows);
  });

  it("keeps the fence around each part of long code, and ends one that is open", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line${at}();`);
    const { pieces, problems } = await read("a.md", `# A\n\n\`\`\`js\n${lines.join("\n")}`, 150);
    for (const { text } of pieces) expect(text).toMatch(/^```js\n[^`]*\n```$/);
    expect(pieces.flatMap(({ text }) => text.split("\n").slice(1, -1))).toEqual(lines);
    expect(problems).toEqual([{ line: 3, problem: "this code block is never closed" }]);
  });

  it("parts a long paragraph between sentences, and loses nothing", async () => {
    const text = Array.from({ length: 30 }, (_, at) => `第${at}句说的是退款的规则。`).join("");
    const { pieces } = await read("a.md", `# 退款\n\n${text}`, 100);
    for (const piece of pieces) expect(piece.text.endsWith("。")).toBe(true);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    const endless = "x".repeat(350);
    const cut = await read("a.md", endless, 100);
    expect(cut.pieces.map((piece) => piece.text).join("")).toBe(endless);
    const faces = await read("a.md", "😀".repeat(80), 50);
    expect(faces.pieces.map((piece) => piece.text).join("")).toBe("😀".repeat(80));
    for (const piece of faces.pieces) expect(encodeURIComponent(piece.text)).not.toBe("");
  });

  it("takes a heading that is a question as the question of its text", async () => {
    const { pieces } = await read("a.md", "# 怎么退款？\n\n点退款。\n\n# 退款\n\n点退款。");
    expect(pieces.map(({ questions }) => questions)).toEqual([["怎么退款？"], []]);
  });

  it("reads the fields at its head", async () => {
    const head =
      "---\nproduct: ads\ntags: [a, 'b c']\nfrom: 2026-01-01\nuntil: 2026年12月31日\n---\n";
    const { pieces } = await read("a.md", `${head}# A\n\ntext`);
    expect(pieces).toEqual([
      {
        path: ["A"],
        text: "text",
        line: 9,
        questions: [],
        metadata: { product: ["ads"], tags: ["a", "b c"] },
        from: "2026-01-01",
        until: "2026-12-31",
      },
    ]);
  });
});

describe("the head of a Markdown file", () => {
  const text = "# Fee\n\nA parcel costs 8 euros.";

  it.each([
    { head: "until: 2020-13-45", told: '"2020-13-45" is no date' },
    { head: "until: 03/04/2020", told: '"03/04/2020" is no date' },
    { head: "from: 2030-01-01\nuntil: 2020-01-01", told: "it ends (2020-01-01) before it begins" },
  ])("with $head leaves the document out, and says so", async ({ head, told }) => {
    const { pieces, problems } = await read("a.md", `---\n${head}\n---\n${text}`);
    expect(pieces).toEqual([]);
    expect(problems.map(({ problem }) => problem)).toEqual([expect.stringContaining(told)]);
  });

  it("takes comments, names in any script and quotes; says which lists it does not read", async () => {
    const head = 'until: 2020-01-31 # old\n产品: "广告"\ntags:\n  - ads';
    const { pieces, problems } = await read("a.md", `---\n${head}\n---\n${text}`);
    expect(pieces).toMatchObject([{ until: "2020-01-31", metadata: { 产品: ["广告"] } }]);
    expect(problems).toEqual([
      { line: 4, problem: '"tags" has no value in its line: it is not read' },
    ]);
  });

  it("that is no list of fields is text", async () => {
    const { pieces } = await read(
      "a.md",
      "---\n# Slide one\n\nThe parcel costs 8 euros.\n\n---\n\n# Two\n\nb",
    );
    expect(pieces.map(shown)).toEqual(["4 [Slide one] The parcel costs 8 euros.", "10 [Two] b"]);
  });

  it("a text between comments is read", async () => {
    const { pieces } = await read("a.md", "<!-- note --> A parcel costs 8 euros. <!-- end -->");
    expect(pieces.map((piece) => piece.text.trim())).toEqual(["A parcel costs 8 euros."]);
  });

  it("a header that is too long for its pieces is not repeated", async () => {
    const rows = Array.from({ length: 50 }, (_, at) => `| ${at} |`).join("\n");
    const { pieces } = await read("a.md", `| ${"x".repeat(900)} |\n|---|\n${rows}`, 200);
    expect(pieces.reduce((sum, piece) => sum + piece.text.length, 0)).toBeLessThan(2_000);
  });
});

describe("sheets", () => {
  const table = "question,similar,answer,from,until,product\n";

  it("reads questions with their similar ones and their days", async () => {
    const { pieces, problems } = await read(
      "qa.csv",
      `${table}"How do I\npay?",Payment|Pay how,By card.,2026-01-01,2026/3/1,shop\n"Next",,"b, c",,,\n`,
    );
    expect(problems).toEqual([]);
    expect(pieces).toEqual([
      {
        path: ["How do I\npay?"],
        text: "By card.",
        line: 2,
        questions: ["How do I\npay?", "Payment", "Pay how"],
        metadata: { product: ["shop"] },
        from: "2026-01-01",
        until: "2026-03-01",
      },
      { path: ["Next"], text: "b, c", line: 4, questions: ["Next"], metadata: {} },
    ]);
  });

  it.each([
    { row: "q,,,,,", problem: "row 2: it has no answer" },
    { row: ",,a,,,", problem: "row 2: it has no question" },
    {
      row: "q,,a,,下周,",
      problem: 'row 2: "下周" is no date; expected one such as 2026-11-24: the row is left out',
    },
    {
      row: "q,,a,,2026-02-30,",
      problem:
        'row 2: "2026-02-30" is no date; expected one such as 2026-11-24: the row is left out',
    },
    {
      row: "q,,a,2026-02-01,2026-01-01,",
      problem: "row 2: it ends (2026-01-01) before it begins (2026-02-01): the row is left out",
    },
  ])("leaves out $row, says so, and takes the others", async ({ row, problem }) => {
    const { pieces, problems } = await read("qa.csv", `${table}${row}\nq2,,a2,,,\n`);
    expect(pieces.map(({ text }) => text)).toEqual(["a2"]);
    expect(problems).toEqual([{ line: 2, problem }]);
  });

  it("reads any other sheet row by row, and says so", async () => {
    const { pieces, problems } = await read("t.csv", "region;first\n北京;8\n;\n西藏;20\n");
    expect(pieces.map(shown)).toEqual([
      "2 [北京] region: 北京\nfirst: 8",
      "4 [西藏] region: 西藏\nfirst: 20",
    ]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.problem).toContain('"question", "问题"');
  });

  it.each([
    {
      what: "places",
      rows: "From,To,Price\nBerlin,Paris,8 euros",
      text: "From: Berlin\nTo: Paris\nPrice: 8 euros",
    },
    {
      what: "times",
      rows: "Day,Start,End\nMonday,9:00,17:00",
      text: "Day: Monday\nStart: 9:00\nEnd: 17:00",
    },
    { what: "cells without a header", rows: "a,b\n1,2,3", text: "a: 1\nb: 2\n3" },
    {
      what: "one column in a wider file",
      rows: "question,\nWhat is it?,A box",
      text: "question: What is it?\nA box",
    },
  ])("keeps $what of a table", async ({ rows, text }) => {
    const { pieces } = await read("t.csv", rows);
    expect(pieces.map((piece) => piece.text)).toEqual([text]);
  });

  it("reads a workbook of Excel: dates, rich text, links, numbers, all sheets", async () => {
    const { readFileSync } = await import("node:fs");
    const { pieces, problems } = await read(
      "s.xlsx",
      readFileSync("test/fixtures/knowledge/shop.xlsx"),
    );
    const texts = pieces.map((piece) => [piece.path.at(-1), piece.text, piece.from, piece.until]);
    expect(texts).toEqual([
      ["怎么退款？", "在订单页点“申请退款”。", "2026-01-01", undefined],
      ["我的会员卡几折？", "高级会员 8.8折。", undefined, "2026-12-31"],
      ["去年的活动是什么？", "统一 9 折。", "2025-01-01", "2025-12-31"],
      ["营业时间？", "9:00-21:00", undefined, undefined],
      ["北京", "地区: 北京\n首重: 8\n续重: 2.5", undefined, undefined],
      ["西藏", "地区: 西藏\n首重: 20\n续重: 10", undefined, undefined],
      ["错误", "地区: 错误\n续重: 1", undefined, undefined],
      ["海外", "地区: 海外\n首重: 100", undefined, undefined],
    ]);
    expect(problems.map(({ line }) => line)).toEqual([5, 6, 7, undefined, 4]);
  });
});

describe("other kinds", () => {
  it.each([
    { encoding: "UTF-8 with a mark", bytes: Buffer.from("\uFEFF退款规则") },
    { encoding: "UTF-16LE", bytes: Buffer.from("\uFEFF退款规则", "utf16le") },
    { encoding: "GBK", bytes: Buffer.from([0xcd, 0xcb, 0xbf, 0xee, 0xb9, 0xe6, 0xd4, 0xf2]) },
  ])("a text in $encoding is read", async ({ bytes }) => {
    expect((await read("a.txt", bytes)).pieces.map(({ text }) => text)).toEqual(["退款规则"]);
  });

  it("a Western text is not taken for a Chinese one", async () => {
    const bytes = Buffer.from("R\u00fcckgabe f\u00fcr \u00e9t\u00e9, Gr\u00f6\u00dfe XL", "latin1");
    expect((await read("a.txt", bytes)).pieces[0]?.text).toBe("Rückgabe für été, Größe XL");
  });

  it("bytes that are no text are refused", async () => {
    await expect(read("a.txt", Buffer.from([0x61, 0, 0x62]))).rejects.toThrow("no text in UTF-8");
    await expect(read("a.txt", Buffer.from([0xff, 0x80, 0x80]))).rejects.toThrow(
      "no text in UTF-8",
    );
  });

  it("Word and PDF are read", async () => {
    const { readFileSync } = await import("node:fs");
    const word = await read("r.docx", readFileSync("test/fixtures/knowledge/returns.docx"));
    expect(word.pieces.map(({ path }) => path)).toEqual([["Returns"], ["Returns", "Fees"]]);
    expect(word.pieces[1]?.text).toContain("12 euros");
    const pdf = await read("m.pdf", readFileSync("test/fixtures/knowledge/manual.pdf"));
    expect(pdf.pieces.map(({ line }) => line)).toEqual([1, 2]);
    const scan = await read("s.pdf", readFileSync("test/fixtures/knowledge/scan.pdf"));
    expect(scan).toEqual({
      pieces: [],
      problems: [{ problem: "it holds no text, only pictures" }],
    });
  });
});
