import { describe, expect, it } from "vitest";

import type { Piece } from "../../src/knowledge/index.js";
import { readHtml } from "../../src/knowledge/read/html.js";

const read = async (html: string) => readHtml(html, { name: "a.html", maxChars: 800 });

const shown = ({ path, text, line }: Piece) => `${line} [${path.join(" > ")}] ${text}`;

describe("HTML", () => {
  it("is read without its navigation, scripts and styles", async () => {
    const html = `<html><head><title>T</title><style>p{}</style></head><body><nav>Menu</nav>
      <h1>Fees</h1><p>See <b>below</b>.</p><table><tr><th>Size</th></tr><tr><td>L</td></tr></table>
      <script>steal()</script><footer>Imprint</footer></body></html>`;
    const { pieces } = await read(html);
    expect(pieces.map(shown)).toEqual(["1 [Fees] See **below**.\n\n| Size |\n| --- |\n| L |"]);
  });

  it("keeps its texts as they are shown, whatever is nested in its navigation", async () => {
    const html =
      "<nav>x<nav>y</nav>z</nav><h1>Fee's [x] #1</h1><p>Set max_connections to 5*3 in C:\\dir. 1. foo</p>";
    const { pieces } = await read(html);
    expect(pieces.map(({ text }) => text)).toEqual([
      "Set max_connections to 5*3 in C:\\dir. 1. foo",
    ]);
    // Were it read in more than about linear time, it would not end before the test's time is over.
    await read("<nav ".repeat(80_000));
  });

  it.each<{ what: string; html: string; pieces: readonly string[] }>([
    {
      what: "the title above a page without a first heading",
      html: "<head><title>Fees &amp; times</title></head><body><h2>Parcel</h2><p>8 euros</p></body>",
      pieces: ["1 [Fees & times > Parcel] 8 euros"],
    },
    {
      what: "the title of a page without a head",
      html: "<title>Fees</title><p>8 euros</p>",
      pieces: ["1 [Fees] 8 euros"],
    },
    {
      what: "no title beside a first heading",
      html: "<title>Fees - Shop</title><h1 class=x>Fees</h1><p>8 euros</p>",
      pieces: ["1 [Fees] 8 euros"],
    },
    {
      what: "no title of a picture",
      html: "<body><svg><title>arrow</title></svg><p>8 euros</p></body>",
      pieces: ["1 [] 8 euros"],
    },
    {
      what: "a heading of two lines",
      html: "<h2>Fees<br>and times</h2><p>8 euros</p>",
      pieces: ["1 [Fees and times] 8 euros"],
    },
  ])("has $what", async ({ html, pieces }) => {
    const { pieces: found, problems } = await read(html);
    expect(found.map(shown)).toEqual(pieces);
    expect(problems).toEqual([]);
  });

  it("is found by its title when it holds nothing else, and says so", async () => {
    const { pieces, problems } = await read("<head><title>Fees</title></head><body></body>");
    expect(pieces.map(shown)).toEqual(["1 [Fees] Fees"]);
    expect(problems).toEqual([{ problem: "it holds no text but its title" }]);
    expect(await read("<body></body>")).toEqual({ pieces: [], problems: [] });
  });

  it.each([
    { what: "lines", html: "a<br>b<br/>c", text: "a b c" },
    { what: "paragraphs", html: "<p>a</p><p>b</p>", text: "a b" },
    { what: "a list", html: "<ul><li>a</li><li>b</li></ul>", text: "a b" },
    { what: "a heading", html: "<h1>a</h1>b", text: "a b" },
    {
      what: "a table",
      html: "a<table><tr><td>b</td><td>c</td></tr><tr><td>d</td></tr></table>e",
      text: "a b c d e",
    },
    { what: "parts of a word", html: "a<b>b</b>", text: "a**b**" },
    { what: "bars", html: "a|b|c | d", text: "a\\|b\\|c \\| d" },
    { what: "a script", html: "a<script>steal()</script>", text: "a" },
  ])("keeps $what in a cell of a table apart", async ({ html, text }) => {
    const { pieces } = await read(
      `<table><tr><th>k</th><th>v</th></tr><tr><td>x</td><td>${html}</td></tr></table>`,
    );
    expect(pieces.map((piece) => piece.text.split("\n").at(-1))).toEqual([`| x | ${text} |`]);
  });

  it.each([
    {
      what: "rows",
      html: "<tr><td rowspan=2>x</td><td>1</td></tr><tr><td>2</td></tr><tr><td>y</td><td>3</td></tr>",
      rows: ["| k | v |", "| x | 1 |", "| x | 2 |", "| y | 3 |"],
    },
    {
      what: "rows, at the end",
      html: "<tr><td>x</td><td rowspan='2'>1</td></tr><tr><td>y</td></tr>",
      rows: ["| k | v |", "| x | 1 |", "| y | 1 |"],
    },
    {
      what: "rows and columns",
      html: "<tr><td colspan=2 rowspan=2>x</td><td>1</td></tr><tr><td>2</td></tr>",
      rows: ["| k | v | |", "| x | | 1 |", "| x | | 2 |"],
    },
    {
      what: "columns",
      html: "<tr><td colspan=2>x</td><td>1</td></tr><tr><td>y</td><td>z</td><td>2</td></tr>",
      rows: ["| k | v | |", "| x | | 1 |", "| y | z | 2 |"],
    },
    {
      what: "columns that there are not",
      html: "<tr><td colspan=100>x</td></tr>",
      rows: ["| k | v |", "| x | |"],
    },
    {
      what: "rows that there are not",
      html: "<tr><td rowspan=99999>x</td><td rowspan=0>1</td></tr>",
      rows: ["| k | v |", "| x | 1 |"],
    },
    {
      what: "rows of a table inside it alone",
      html: "<tr><td>x<table><tr><td rowspan=3>a</td></tr></table></td><td>1</td></tr><tr><td>y</td><td>2</td></tr>",
      rows: ["| k | v |", "| x a | 1 |", "| y | 2 |"],
    },
  ])("gives a cell over several $what to each of them", async ({ html, rows }) => {
    const { pieces } = await read(`<table><tr><th>k</th><th>v</th></tr>${html}</table>`);
    const lines = pieces.flatMap(({ text }) => text.split("\n"));
    expect(lines.filter((line) => !line.startsWith("| -"))).toEqual(rows);
  });

  it("keeps a table of one row", async () => {
    const { pieces } = await read("<table><tr><td>8 euros</td><td>2 days</td></tr></table>");
    expect(pieces.map(({ text }) => text.split("\n")[0])).toEqual(["| 8 euros | 2 days |"]);
  });
});
