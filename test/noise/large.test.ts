import { describe, expect, it } from "vitest";

import { readAction } from "../../src/models/protocol/read-action.js";
import { readTextCalls } from "../../src/models/protocol/read-text-calls.js";
import { readArguments } from "../../src/tools/read-arguments.js";
import { timesOf } from "../support/rows.js";
import { noiseForms } from "./tools.js";

const size = timesOf({ all: 1_000_000, usually: 100_000 });

describe(`${size} characters`, () => {
  const nested = 10_000;
  const texts = [
    "{",
    "}",
    "[",
    '"',
    "'",
    "“",
    "\\",
    '\\"',
    "`",
    "```\n",
    "/*",
    "//",
    ",",
    ":",
    '{"a":',
    "“a”：",
    "<tool_call>",
    "<think>",
    "</think>",
    "<function=search>",
    "<parameter=query>",
    '<invoke name="search">',
    "<arg_key>a</arg_key>",
    'search("',
    'search("a", ',
    "Action: search\n",
    "Action Input:",
    '{"name":"search","arguments":{"query":"a"}} ',
  ].map((piece) => ({ name: piece, text: piece.repeat(size / piece.length) }));
  const deep = [
    { name: "deep objects", text: '{"a":'.repeat(nested) + "1" + "}".repeat(nested) },
    { name: "deep lists", text: "[".repeat(nested) + "]".repeat(nested) },
    { name: "lines in brackets", text: `{${"a: b\n".repeat(size / 5)}}` },
    {
      name: "deep arguments",
      text: `{"name":"search","arguments":${'{"query":'.repeat(nested)}1${"}".repeat(nested)}}`,
    },
  ];

  it.each([...texts, ...deep])("of $name comes to an end", { timeout: 120_000 }, ({ text }) => {
    expect(readAction(text, noiseForms, false).kind).not.toBe("answer");
    expect(readTextCalls(text, noiseForms, false)?.kind).not.toBe("answer");
    expect(readArguments(text)).toHaveProperty("ok");
  });
});
