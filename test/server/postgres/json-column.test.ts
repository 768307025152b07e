import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";

import { apiJson, jsonColumn } from "../../../src/server/postgres/json-column.js";

describe("a value for a column of JSON", () => {
  it.each([
    { name: "a zero", value: "a\0b", stored: "a\u{FFFD}b" },
    { name: "half a pair", value: "a\uD83Db", stored: "a\u{FFFD}b" },
    { name: "the other half", value: "\uDE00", stored: "\u{FFFD}" },
    { name: "a whole pair", value: "😀", stored: "😀" },
    { name: "another control character", value: "\u001B[0m\n", stored: "\u001B[0m\n" },
    { name: "the words for a zero", value: "\\u0000 \\\\u0000", stored: "\\u0000 \\\\u0000" },
    { name: "nothing", value: undefined, stored: null },
  ])("holds $name", ({ value, stored }) => {
    expect(JSON.parse(jsonColumn(value))).toEqual(stored);
  });

  it("has such characters in names, too", () => {
    expect(JSON.parse(jsonColumn({ "a\0": [{ "b\uD83D": 1 }] }))).toEqual({
      "a\u{FFFD}": [{ "b\u{FFFD}": 1 }],
    });
  });

  it("has messages as the API shows them", () => {
    const message = new AIMessage({ id: "m", content: "hi" });
    expect(JSON.parse(apiJson({ messages: [message] }))).toMatchObject({
      messages: [{ id: "m", type: "ai", content: "hi" }],
    });
  });
});
