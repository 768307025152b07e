import { type BookType, CFB, type SheetProps, utils, type WorkSheet, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";

import { readWorkbook } from "../../src/knowledge/read/workbook.js";

type Sheets = Readonly<Record<string, WorkSheet>>;

function bytesOf(sheets: Sheets, hidden: readonly string[] = [], bookType: BookType = "xlsx") {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  const Sheets: SheetProps[] = book.SheetNames.map((name) => ({
    name,
    Hidden: hidden.includes(name) ? 1 : 0,
  }));
  const data: unknown = write({ ...book, Workbook: { Sheets } }, { type: "buffer", bookType });
  if (data instanceof Uint8Array) return data;
  throw new Error("The package wrote no bytes.");
}

const read = async (bytes: Uint8Array, name = "s.xlsx") =>
  readWorkbook(bytes, { name, maxChars: 800 });

const table = (rows: readonly (readonly unknown[])[]) =>
  utils.aoa_to_sheet(rows.map((row) => [...row]));

/** A sheet whose second row has one cell, as it is given here. */
function withCell(cell: object): WorkSheet {
  return {
    ...table([
      ["name", "value"],
      ["a", 0],
    ]),
    B2: cell,
  };
}

describe("a workbook", () => {
  it.each([
    { what: "a share", cell: { t: "n", v: 0.88, z: "0%" }, text: "88%" },
    { what: "a price", cell: { t: "n", v: 1234.5, z: '"¥"#,##0.00' }, text: "¥1,234.50" },
    { what: "a day", cell: { t: "n", v: 46_054, z: "m/d/yy" }, text: "2026-02-01" },
    {
      what: "a moment",
      cell: { t: "n", v: 46_028.5625, z: "yyyy/m/d h:mm" },
      text: "2026-01-06 13:30",
    },
    { what: "a time", cell: { t: "n", v: 0.395_833_333_333_333, z: "h:mm" }, text: "9:30" },
    { what: "a time of day", cell: { t: "n", v: 0.75, z: "h:mm AM/PM" }, text: "6:00 PM" },
    {
      what: "a time in Chinese",
      cell: { t: "n", v: 0.75, z: 'h"时"mm"分 day"' },
      text: "18时00分 day",
    },
    { what: "midnight", cell: { t: "n", v: 0, z: "hh:mm" }, text: "00:00" },
    {
      what: "a time that is formed as a day",
      cell: { t: "n", v: 0.395_833_333_333_333, z: "yyyy-mm-dd hh:mm" },
      text: "09:30",
    },
    { what: "a duration", cell: { t: "n", v: 1.5, z: "[h]:mm:ss" }, text: "36:00:00" },
    {
      what: "a duration in minutes",
      cell: { t: "n", v: 0.0625, z: "[Red][mm]:ss" },
      text: "90:00",
    },
    { what: "a month", cell: { t: "n", v: 46_054, z: "mmmm" }, text: "February" },
    { what: "a sum", cell: { t: "n", v: 0.1 + 0.2 }, text: "0.3" },
    { what: "a sum that is small", cell: { t: "n", v: 1e-7 }, text: "1e-7" },
    { what: "a long number", cell: { t: "n", v: 123_456_789_012_345 }, text: "123456789012345" },
    { what: "yes and no", cell: { t: "b", v: true }, text: "TRUE" },
    { what: "a formula", cell: { t: "n", v: 16, f: "8*2" }, text: "16" },
    {
      what: "a link",
      cell: { t: "s", v: "here", l: { Target: "https://example.org" } },
      text: "here",
    },
    { what: "spaces", cell: { t: "s", v: "  8 euros " }, text: "8 euros" },
  ])("gives $what as it is shown", async ({ cell, text }) => {
    const { pieces } = await read(bytesOf({ S: withCell(cell) }));
    expect(pieces.map((piece) => piece.text)).toEqual([`name: a\nvalue: ${text}`]);
  });

  it.each([
    { what: "an error", cell: { t: "e", v: 7, f: "1/0" }, told: "B2: it shows the error #DIV/0!" },
    {
      what: "a formula without a value",
      cell: { t: "z", f: "A2*2" },
      told: "B2: its formula has no value yet",
    },
  ])("reads $what as empty, and says so", async ({ cell, told }) => {
    const { pieces, problems } = await read(
      bytesOf({
        S: withCell(cell),
        T: table([
          ["x", "y"],
          [1, 2],
        ]),
      }),
    );
    expect(pieces[0]?.text).toBe("name: a");
    const own = problems.filter(({ line }) => line === 2);
    expect(own.map(({ problem }) => problem)).toEqual([
      expect.stringContaining(`sheet "S": ${told}`),
    ]);
  });

  it("gives a value that rows share to each of them, and no row to a cell that is only tall", async () => {
    const sheet = {
      ...table([
        ["region", "size", "fee"],
        ["north", "S", 3],
        ["", "M", 5],
        ["south", "S", 4],
        ["", "", ""],
      ]),
      "!merges": [
        { s: { r: 1, c: 0 }, e: { r: 2, c: 0 } },
        { s: { r: 3, c: 0 }, e: { r: 4, c: 0 } },
      ],
    };
    const { pieces } = await read(bytesOf({ S: sheet }));
    expect(pieces.map(({ text }) => text.replaceAll("\n", ", "))).toEqual([
      "region: north, size: S, fee: 3",
      "region: north, size: M, fee: 5",
      "region: south, size: S, fee: 4",
    ]);
  });

  it("takes rows of one cell above a table as its titles", async () => {
    const sheet = table([["会员规则"], [], ["问题", "答案"], ["几折？", "8.8 折"]]);
    const { pieces, problems } = await read(bytesOf({ S: sheet }));
    expect(problems).toEqual([]);
    expect(pieces).toMatchObject([
      { path: ["会员规则", "几折？"], text: "8.8 折", line: 4, questions: ["几折？"] },
    ]);
  });

  it("reads what is there, however far the sheet is said to reach", async () => {
    const far = { XFD3: { t: "s", v: "far" }, A9999: { t: "s", v: "deep" }, "!ref": "A1:XFD3" };
    const sheet = { ...withCell({ t: "n", v: 8 }), ...far };
    const { pieces } = await read(bytesOf({ S: sheet }));
    expect(pieces.map(({ text, line }) => [line, text])).toEqual([
      [2, "name: a\nvalue: 8"],
      [3, "far"],
    ]);
  });

  it("leaves out hidden sheets, and says so", async () => {
    const sheets = {
      Shown: table([
        ["a", "b"],
        ["c", "d"],
      ]),
      Notes: table([
        ["x", "y"],
        ["secret", "1"],
      ]),
    };
    const { pieces, problems } = await read(bytesOf(sheets, ["Notes"]));
    expect(JSON.stringify(pieces)).not.toContain("secret");
    expect(problems.map(({ problem }) => problem)).toContain('sheet "Notes" is hidden: left out');
  });

  it.each<{ bookType: BookType }>([{ bookType: "xlsx" }, { bookType: "xlsb" }])(
    "leaves out hidden rows and columns of the kind $bookType, and says so",
    async ({ bookType }) => {
      const sheet = {
        ...table([
          ["item", "cost", "fee"],
          ["a", "secret", 8],
          ["b", "secret", 9],
          ["c", "", 10],
        ]),
        "!rows": [{}, {}, { hidden: true }],
        "!cols": [{}, { hidden: true }],
      };
      const { pieces, problems } = await read(bytesOf({ S: sheet }, [], bookType));
      expect(pieces.map(({ text }) => text)).toEqual(["item: a\nfee: 8", "item: c\nfee: 10"]);
      expect(problems.slice(1).map(({ problem }) => problem)).toEqual([
        "hidden and left out: row 3",
        "hidden and left out: column B",
      ]);
    },
  );

  it("leaves out what an OpenDocument hides", async () => {
    const rows = [
      ["item", "fee"],
      ["a", 8],
      ["b", 9],
    ];
    const bytes = bytesOf({ S: table(rows), Notes: table(rows) }, [], "ods");
    const archive: unknown = CFB.read(bytes, { type: "buffer" });
    const file: { content: Uint8Array } = CFB.find(archive, "/content.xml");
    const [before = "", shown = "", notes = ""] = Buffer.from(file.content)
      .toString()
      .split("<table:table ");
    const style = before.slice(before.indexOf("<style:style "), before.indexOf("<number:"));
    const hiding = style.replaceAll("ta1", "ta2").replace('display="true"', 'display="false"');
    const at = shown.lastIndexOf("<table:table-row>") + "<table:table-row".length;
    const content = [
      before.replace(style, style + hiding),
      `${shown.slice(0, at)} table:visibility="collapse"${shown.slice(at)}`,
      notes.replace("ta1", "ta2"),
    ];
    file.content = Buffer.from(content.join("<table:table "));
    const edited: Uint8Array = CFB.write(archive, { type: "buffer", fileType: "zip" });
    const { pieces, problems } = await read(edited, "s.ods");
    expect(pieces.map(({ text }) => text)).toEqual(["item: a\nfee: 8"]);
    expect(problems.slice(1).map(({ problem }) => problem)).toEqual([
      "hidden and left out: row 3",
      'sheet "Notes" is hidden: left out',
    ]);
  });

  it("shows what is merged with a hidden row", async () => {
    const sheet = {
      ...table([
        ["region", "fee"],
        ["north", 3],
        ["", 5],
      ]),
      "!rows": [{}, { hidden: true }],
      "!merges": [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }],
    };
    const { pieces } = await read(bytesOf({ S: sheet }));
    expect(pieces.map(({ text }) => text)).toEqual(["region: north\nfee: 5"]);
  });

  it("names some of many hidden rows", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ["item", at]);
    const hidden = rows.map((_row, at) => ({ hidden: at > 1 }));
    const { problems } = await read(bytesOf({ S: { ...table(rows), "!rows": hidden } }));
    expect(problems.at(-1)?.problem).toBe(
      "hidden and left out: row 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, … (28)",
    );
  });

  it.each<{ bookType: BookType }>([{ bookType: "xls" }, { bookType: "ods" }, { bookType: "xlsb" }])(
    "may be of the kind $bookType",
    async ({ bookType }) => {
      const { pieces } = await read(
        bytesOf(
          {
            S: table([
              ["问题", "答案"],
              ["几折？", "8.8 折"],
            ]),
          },
          [],
          bookType,
        ),
      );
      expect(pieces.map(({ text }) => text)).toEqual(["8.8 折"]);
    },
  );

  it.each([
    { what: "text", bytes: Buffer.from("question,answer\na,b\n"), told: "no workbook" },
    { what: "nothing", bytes: Buffer.from(""), told: "no workbook" },
    {
      what: "half of one",
      bytes: bytesOf({ S: table([["a", "b"]]) }).subarray(0, 400),
      told: "Unsupported ZIP",
    },
  ])("that is $what is refused", async ({ bytes, told }) => {
    await expect(read(bytes)).rejects.toThrow(told);
  });

  it("with an empty sheet says so", async () => {
    expect(await read(bytesOf({ S: {} }))).toEqual({
      pieces: [],
      problems: [{ problem: "it is empty" }],
    });
  });
});
