import { describe, expect, it } from "vitest";

import { readCsv } from "../../src/knowledge/read/csv.js";

const read = async (text: string) => readCsv(text, { name: "a.csv", maxChars: 800 });

describe("a CSV file is parted", () => {
  it.each([
    { what: "by commas", text: 'question,answer\nq,"a, b; c"', line: 2 },
    { what: "by semicolons", text: "question;answer\nq;a, b; c", line: 2, answer: "a, b" },
    { what: "by tabs", text: "question\tanswer\nq\ta, b; c", line: 2 },
    {
      what: "with a separator in its header",
      text: '"question",answer,"x; y"\nq,"a, b; c",',
      line: 2,
    },
    {
      what: "with two separators in its header",
      text: '"how; often; long";question;answer\n1;q;"a, b; c"\n2;r;x',
      line: 2,
    },
    { what: "with empty lines above", text: '\n\n问题,答案\nq,"a, b; c"', line: 4 },
    { what: "with a title above", text: 'Fees; times\n问题,答案\nq,"a, b; c"', line: 3 },
    { what: "with a title of commas above", text: 'Fees, all\n问题;答案\nq;"a, b; c"', line: 3 },
    { what: "by what Excel says", text: 'sep=;\nquestion;answer\nq;"a, b; c"', line: 3 },
    { what: "by what Excel says in quotes", text: '"sep=|"\nquestion|answer\nq|a, b; c', line: 3 },
    { what: "by what Excel says, a tab", text: "sep=\t\nquestion\tanswer\nq\ta, b; c", line: 3 },
  ])("$what", async ({ text, line, answer = "a, b; c" }) => {
    const { pieces } = await read(text);
    expect(pieces[0]).toMatchObject({ questions: ["q"], text: answer, line });
  });

  it.each([
    {
      what: "decimal commas do not part",
      text: "item;fee\nS;1,50\nM;2,50",
      first: "item: S\nfee: 1,50",
    },
    {
      what: "semicolons in values do not part",
      text: "item,how\nS,by car; by ship\nM,by car; by ship\nL,",
      first: "item: S\nhow: by car; by ship",
    },
    {
      what: "quotes are in order with one separator alone",
      text: 'item;"size";fee\nS;"3, 4";8\nM;5"; 6;9',
      first: "item: S\nsize: 3, 4\nfee: 8",
    },
    { what: "a line about separators is text", text: "a,b\nsep=;,1", first: "a: sep=;\nb: 1" },
    { what: "one column stays one", text: "names\nAda\nBob", first: "names: Ada" },
  ])("so that $what", async ({ text, first }) => {
    expect((await read(text)).pieces[0]?.text).toBe(first);
  });

  it("and says which cells stand under no title", async () => {
    const { pieces, problems } = await read("question,answer\nq,yes, by card\nr,no\ns,x, y");
    expect(pieces.map((piece) => piece.text)).toEqual(["yes", "no", "x"]);
    expect(problems).toEqual([
      {
        line: 2,
        problem: 'row 2: "by card" has no title above it: it is left out (rows with such cells: 2)',
      },
    ]);
  });
});

describe("a CSV file", () => {
  it.each([
    { text: "question,answer\n", line: 1, titles: '"question", "answer"' },
    { text: "\nFees\n问题;答案\n;\n", line: 3, titles: '"问题", "答案"' },
    { text: "sep=;\nregion;fee", line: 2, titles: '"region", "fee"' },
    { text: "question,answer\nquestion,answer\n", line: 1, titles: '"question", "answer"' },
  ])("with no row under its header says so: $titles", async ({ text, line, titles }) => {
    const problem = `row ${line} is read as its header (${titles}), and there is no row under it`;
    expect(await read(text)).toEqual({ pieces: [], problems: [{ line, problem }] });
  });

  it.each([{ text: "" }, { text: "\n\n" }, { text: ",,\n,," }])(
    "of nothing is empty: $text",
    async ({ text }) => {
      expect(await read(text)).toEqual({ pieces: [], problems: [{ problem: "it is empty" }] });
    },
  );
});
