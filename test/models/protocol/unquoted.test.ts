import { describe, expect, it } from "vitest";

import { unquoted } from "../../../src/models/protocol/text.js";

const json = String.raw`{"a":"say \"b\"\n"}`;
const text = JSON.stringify(json);

describe("unquoted", () => {
  it.each([
    { name: "a text of JSON", reply: text },
    { name: "one in a fence", reply: `\`\`\`json\n${text}\n\`\`\`` },
    { name: "one without its quotes", reply: text.slice(1, -1) },
  ])("gives what $name says", ({ reply }) => {
    expect(unquoted(reply)).toBe(json);
  });

  it.each([
    { name: "JSON", reply: json },
    { name: "prose", reply: '"No," he said.' },
    { name: "a text of prose", reply: '"No."' },
    { name: "a text of JSON that was cut", reply: text.slice(0, -2) },
    { name: "nothing", reply: "" },
  ])("leaves $name as it is", ({ reply }) => {
    expect(unquoted(reply)).toBe(reply);
  });
});
