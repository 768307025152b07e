import { describe, expect, it } from "vitest";

import { readSheet } from "../../src/knowledge/read/sheet.js";

/** Reads rows whose cells are parted by bars. */
function read(...rows: readonly string[]) {
  const sheet = rows.map((row, at) => ({ line: at + 1, cells: row.split("|") }));
  return readSheet({ name: "", rows: sheet }, { name: "s", maxChars: 800 });
}

const own = (problems: readonly { readonly problem: string }[]) =>
  problems.map(({ problem }) => problem).filter((one) => !one.startsWith("it is read as a table"));

describe("columns of one name", () => {
  it.each([
    {
      what: "question: the others are similar ones",
      rows: ["question|question|answer", "a|b|x"],
      piece: { path: ["a"], questions: ["a", "b"], text: "x" },
    },
    {
      what: "question, of which the first has nothing",
      rows: ["question|question|answer", "|b|x"],
      piece: { path: ["b"], questions: ["b"], text: "x" },
    },
    {
      what: "question, with the same twice",
      rows: ["question|question|similar|answer", "a|a|a;b|x"],
      piece: { path: ["a"], questions: ["a", "b"], text: "x" },
    },
    {
      what: "metadata: a piece has all their values",
      rows: ["question|answer|tag|tag", "a|x|one|two"],
      piece: { metadata: { tag: ["one", "two"] }, text: "x" },
    },
    {
      what: "a table: each is a line and a value",
      rows: ["item|tag|tag", "a|one|two"],
      piece: {
        metadata: { item: ["a"], tag: ["one", "two"] },
        text: "item: a\ntag: one\ntag: two",
      },
    },
    {
      what: "until, with the same day twice",
      rows: ["question|answer|until|until", "a|x|2026-12-31|2026-12-31"],
      piece: { until: "2026-12-31" },
    },
  ])("$what", ({ rows, piece }) => {
    const { pieces, problems } = read(...rows);
    expect(pieces).toMatchObject([piece]);
    expect(own(problems)).toEqual([]);
  });

  it("until, with two days, leave the row out", () => {
    const { pieces, problems } = read("question|answer|until|until", "a|x|2026-12-31|2027-12-31");
    expect(pieces).toEqual([]);
    expect(own(problems)).toEqual([
      'row 2: it has two days, "2026-12-31" and "2027-12-31": the row is left out',
    ]);
  });
});

describe("a second row of the header", () => {
  const note = "row 2 is read as the second row of the header";

  it.each([
    {
      what: "under groups, with a merged title beside them",
      rows: ["region|fee||time|", "region|first|next|here|there", "north|8|2|1 day|2 days"],
      texts: ["region: north\nfee first: 8\nfee next: 2\ntime here: 1 day\ntime there: 2 days"],
    },
    {
      what: "under groups, with nothing below a title",
      rows: ["region|fee|", "|first|next", "north|8|2"],
      texts: ["region: north\nfee first: 8\nfee next: 2"],
    },
    {
      what: "in another language",
      rows: ["问题|答案|备注", "question|answer|note", "a|x|n"],
      texts: ["x"],
    },
    {
      what: "with the days of a sheet of answers",
      rows: ["问题|答案|有效期|", "问题|答案|生效日期|失效日期", "a|x||2030-01-01"],
      texts: ["x"],
    },
  ])("$what is no row of its own", ({ rows, texts }) => {
    const { pieces, problems } = read(...rows);
    expect(pieces.map(({ text }) => text)).toEqual(texts);
    expect(own(problems)).toEqual([note]);
  });

  it("names what its columns hold", () => {
    const { pieces } = read(
      "问题|答案|有效期||备注",
      "问题|答案|生效日期|失效日期|note",
      "a|x||2030-01-01|n",
    );
    expect(pieces).toMatchObject([{ until: "2030-01-01", metadata: { "备注 note": ["n"] } }]);
  });

  it.each([
    { what: "values under a header without a gap", rows: ["a|b", "a|c", "d|e"], count: 2 },
    { what: "numbers under a gap", rows: ["a|b|", "a|1|2", "d|3|4"], count: 2 },
    { what: "values with a first cell of their own", rows: ["a|b|", "c|d|e", "f|g|h"], count: 2 },
    { what: "a value that is empty", rows: ["a|b", "|c", "d|e"], count: 2 },
  ])("is not made of $what", ({ rows, count }) => {
    const { pieces, problems } = read(...rows);
    expect(pieces).toHaveLength(count);
    expect(own(problems)).toEqual([]);
  });
});

describe("a header that comes again", () => {
  it.each([
    { what: "as it is", rows: ["question|answer", "a|x", "question|answer", "b|y"] },
    { what: "in other words and columns", rows: ["question|answer", "a|x", "答案|问题", "y|b"] },
    { what: "after empty rows", rows: ["question|answer", "a|x", "|", "问题|答案", "b|y"] },
    { what: "at the end", rows: ["question|answer", "a|x", "b|y", "question|answer"] },
  ])("$what begins a table, and is no row", ({ rows }) => {
    const { pieces, problems } = read(...rows);
    expect(pieces.map(({ questions, text }) => [...questions, text])).toEqual([
      ["a", "x"],
      ["b", "y"],
    ]);
    expect(problems).toEqual([]);
  });

  it("is no row of another table either", () => {
    const { pieces } = read("region|fee", "north|8", "region|fee", "south|9");
    expect(pieces.map(({ text }) => text)).toEqual([
      "region: north\nfee: 8",
      "region: south\nfee: 9",
    ]);
  });

  it("may stand under a table of another kind", () => {
    const { pieces, problems } = read("region|fee", "north|8", "question|answer", "a|x");
    expect(pieces.map(({ text }) => text)).toEqual(["region: north\nfee: 8", "x"]);
    expect(own(problems)).toEqual([]);
    expect(own(read("region|fee", "question|answer", "a|x").problems)).toEqual([
      'row 1 is read as its header ("region", "fee"), and there is no row under it',
    ]);
  });
});

describe("the header is found", () => {
  it.each([
    {
      what: "under a title, before rows without an answer",
      rows: ["Fees", "问题|答案", "b|", "a|x"],
    },
    {
      what: "under titles of several cells",
      rows: ["Version|3", "||by|Ada", "question|answer|tag", "a|x|t"],
    },
    { what: "in letters", rows: ["Fees", "Q|A", "a|x"] },
  ])("$what", ({ rows }) => {
    const { pieces } = read(...rows);
    expect(pieces.map(({ questions, text }) => [...questions, text])).toEqual([["a", "x"]]);
  });

  it("and single letters in a table are values", () => {
    const { pieces } = read("word|first|last", "Aqua|A|a", "QA|Q|A");
    expect(pieces.map(({ path }) => path)).toEqual([["Aqua"], ["QA"]]);
  });
});
