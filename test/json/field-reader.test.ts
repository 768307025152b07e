import { describe, expect, it } from "vitest";

import { fieldReader } from "../../src/json/field-reader.js";

const finish = { field: "answer", when: { field: "action", is: "finish" } } as const;
const noSteps = { field: "answer", when: { field: "steps", is: "[]" } } as const;

/** What is read of a text that comes in pieces of this length. */
function readIn(text: string, length: number, wanted: Parameters<typeof fieldReader>[0] = finish) {
  const read = fieldReader(wanted);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) {
    pieces.push(read(text.slice(at, at + length)));
  }
  return pieces;
}

const lengths = [1, 2, 3, 5, 7, 1_000];
const answers = [
  "Tea costs 4.",
  'He said "tea", and\n\tleft \\ for /good/.',
  "Grüße, 茶, 🍵🍵 and \u0007.",
  "",
  '{"action": "replan", "feedback": "no"}',
];
const written = [
  { how: "in order", text: (answer: string) => JSON.stringify({ action: "finish", answer }) },
  {
    how: "behind a thought with brackets",
    text: (answer: string) =>
      JSON.stringify({
        thought: '} "answer": "x',
        action: "Finish ",
        more: [{ a: "]" }, 1],
        answer,
      }),
  },
  {
    how: "before the action",
    text: (answer: string) => JSON.stringify({ answer, action: "finish" }, undefined, 2),
  },
  {
    how: "with escapes of every character",
    text: (answer: string) =>
      `{"action":"finish","answer":"${answer
        .split("")
        .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("")}"}`,
  },
  {
    how: "in a fence",
    text: (answer: string) => `\`\`\`json\n${JSON.stringify({ action: "finish", answer })}\n\`\`\``,
  },
  {
    how: "behind a thinking block",
    text: (answer: string) =>
      `<think>{"action":"finish","answer":"No."}</think>\n${JSON.stringify({ action: "finish", answer })}`,
  },
];

describe.each(written)("an answer $how", ({ text }) => {
  it.each(answers)("is read whole, wherever its pieces end (%j)", (answer) => {
    const read = lengths.map((length) => readIn(text(answer), length).join(""));
    expect(read).toEqual(lengths.map(() => answer));
  });

  it("is never read as half a character", () => {
    const pieces = lengths.flatMap((length) => readIn(text("🍵 or 🫖"), length));
    expect(pieces.filter((piece) => /[\uD800-\uDFFF]/u.test(piece))).toEqual([]);
  });
});

it("is read as soon as it is written", () => {
  const read = fieldReader(finish);
  expect(read('{"action": "finish", "answer": "Tea')).toBe("Tea");
  expect(read(" costs")).toBe(" costs");
  expect(read(' \\"4\\')).toBe(' "4');
  expect(read('"."}')).toBe('".');
});

const silent = [
  ["feedback", '{"thought":"t","action":"replan","feedback":"The price is missing."}'],
  ["an answer of another action", '{"action":"replan","answer":"Tea costs 4."}'],
  ["an answer before another action", '{"answer":"Tea costs 4.","action":"replan"}'],
  ["an answer without an action", '{"answer":"Tea costs 4."}'],
  ["an answer within another field", '{"action":"finish","note":{"answer":"Tea costs 4."}}'],
  ["a list", '[{"action":"finish","answer":"Tea costs 4."}]'],
  ["prose", 'I say: {"action":"finish","answer":"Tea costs 4."}'],
  ["prose in a fence", '```\nnot {"action":"finish","answer":"Tea costs 4."}'],
  ["an object in a thought", '<think>{"action":"finish","answer":"Tea costs 4."}'],
  ["a number", '{"action":"finish","answer":4}'],
  ["a list as an answer", '{"action":"finish","answer":["Tea"]}'],
  ["keys without quotation marks", '{action:"finish",answer:"Tea costs 4."}'],
  ["nothing", ""],
] as const;

it.each(silent)("does not read %s", (_, text) => {
  const read = lengths.map((length) => readIn(text, length).join(""));
  expect(read).toEqual(lengths.map(() => ""));
});

const stopped = [
  ["a quotation mark without an escape", '{"action":"finish","answer":"Say "hi" to', "Say "],
  ["an escape that there is not", String.raw`{"action":"finish","answer":"Say \x41"}`, "Say "],
  ["a broken code", String.raw`{"action":"finish","answer":"Say \u00zz."}`, "Say "],
  ["a second answer", '{"action":"finish","answer":"Yes.","answer":"No."}', "Yes."],
  ["the end of the object", '{"action":"finish","answer":"Yes."} {"answer":"No."}', "Yes."],
] as const;

it.each(stopped)("reads no further than %s", (_, text, expected) => {
  const read = lengths.map((length) => readIn(text, length).join(""));
  expect(read).toEqual(lengths.map(() => expected));
});

it.each([
  ['{"steps": [], "answer": "Hello."}', "Hello."],
  ['{"steps": [ ], "answer": "Hello."}', "Hello."],
  ['{"answer": "Hello.", "steps": []}', "Hello."],
  ['{"steps": [{"id": "E1", "tool": "price"}], "answer": "Hello."}', ""],
  ['{"steps": ["E1"], "answer": "Hello."}', ""],
  ['{"steps": null, "answer": "Hello."}', ""],
])("reads an answer only beside an empty plan (%s)", (text, expected) => {
  const read = lengths.map((length) => readIn(text, length, noSteps).join(""));
  expect(read).toEqual(lengths.map(() => expected));
});
