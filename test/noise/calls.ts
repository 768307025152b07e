import * as fc from "fast-check";

import type { JsonObject } from "../../src/json/json.js";

/** A call that a model means. */
export type MeantCall = { readonly name: string; readonly args: JsonObject };

/** Texts of letters and signs that mean nothing to JSON, in several scripts. */
const plainText = fc.oneof(
  fc.constantFrom(
    "Mount Kenya",
    "/data/image.png",
    "北京 明天 天气",
    "Zürich, Straße 12",
    "2031-05-06T09:00:00Z",
    "price > 100 & stock <= 5",
    "https://example.org/a?b=c#d",
    "👩‍🔬 lab 🧪",
    "007",
    "A3",
  ),
  fc.stringMatching(/^[a-zé中文 ./_-]{1,20}$/).filter((text) => text.trim() === text),
);

/** Texts that a careless reader takes for something else: quotes, brackets, marks, words of the form. */
const hardText = fc.oneof(
  fc.constantFrom(
    'He said "go", then left',
    "it's John's",
    "他说“好，行：走”，然后｛走｝【了】",
    "line one\nline two\tend",
    "a } b { c ] d [",
    'x": "y", "z',
    "C:\\data\\new",
    "```json\n{}\n```",
    "</tool_call>",
    "Observation: none\nAction: search\nAction Input: x",
    '{"name":"remove_file","arguments":{"path":"/"}}',
    "// no comment",
    "/* none */ # nothing",
    "<think>why</think>",
    "a, b, c",
    "1,000",
    "None",
    "true",
    "...",
    "\\",
    '"',
    "'",
    "",
    " ",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(...Array.from("\"'“”‘’{}[]():：,，\\\n/*#` ab中")),
    maxLength: 12,
  }),
);

function callsOf(text: fc.Arbitrary<string>): fc.Arbitrary<MeantCall> {
  const number = fc.oneof(fc.integer({ min: -1_000, max: 1_000_000 }), fc.constantFrom(0.5, 12.25));
  const texts = fc.array(text, { maxLength: 3 });
  const filter = fc.record({
    status: fc.constantFrom("open", "paid"),
    minTotal: number,
    tags: texts,
    note: fc.option(text),
  });
  const records = {
    search: fc.record({ query: text }),
    remove_file: fc.record({ path: text, recursive: fc.boolean() }, { requiredKeys: ["path"] }),
    book_room: fc.record(
      { room: text, people: number, start: text, equipment: texts, notify: fc.boolean() },
      { requiredKeys: ["room", "people", "start", "equipment"] },
    ),
    "find-orders": fc.record({ filter, limit: number }, { requiredKeys: ["filter"] }),
    schedule: fc.record(
      {
        name: fc.oneof(text, fc.constantFrom("search", "remove_file")),
        arguments: fc.dictionary(fc.constantFrom("query", "path", "city"), text),
        answer: text,
      },
      { requiredKeys: ["name", "arguments"] },
    ),
  };
  const calls = Object.entries(records).map(([name, args]) =>
    fc.record({ name: fc.constant(name), args: args.map(asJson) }),
  );
  return fc.oneof(...calls);
}

/** The arguments as they are when JSON has carried them. */
function asJson(args: object): JsonObject {
  return JSON.parse(JSON.stringify(args));
}

/** Calls whose texts mean nothing to JSON. */
export const plainCalls = callsOf(plainText);

/** Calls whose texts look like something else. */
export const hardCalls = callsOf(hardText);
