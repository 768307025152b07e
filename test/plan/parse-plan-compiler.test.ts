import { describe, expect, it } from "vitest";

import { parsePlan } from "../../src/plan/parse/parse-plan.js";
import { calls, parameters } from "./plan-calls.js";

describe("LLMCompiler text", () => {
  it.each([
    {
      name: "keyword arguments",
      text: '1. book(room="A", start="x", minutes=3)',
      lines: ['E1 book {"room":"A","start":"x","minutes":3}'],
    },
    {
      name: "positional arguments",
      text: '1. book("A", "x", 3)',
      lines: ['E1 book {"room":"A","start":"x","minutes":3}'],
    },
    {
      name: "both",
      text: '1. book("A", minutes=3, start="x")',
      lines: ['E1 book {"room":"A","minutes":3,"start":"x"}'],
    },
    {
      name: "unquoted arguments",
      text: "1. book(A, tomorrow noon, 3)",
      lines: ['E1 book {"room":"A","start":"tomorrow noon","minutes":3}'],
    },
    {
      name: "an unquoted keyword with a comma",
      text: "1. search(query=a, b)",
      lines: ['E1 search {"query":"a, b"}'],
    },
    {
      name: "named arguments with a colon",
      text: '1. book(room: "A", start: 10:00, minutes: 3)',
      lines: ['E1 book {"room":"A","start":"10:00","minutes":3}'],
    },
    {
      name: "nested arguments",
      text: '1. t(a=[1, {"b": ["x"]}], c={"d": null})',
      lines: ['E1 t {"a":[1,{"b":["x"]}],"c":{"d":null}}'],
    },
    {
      name: "references in nested arguments",
      text: '1. search("a")\n2. t(a=[$1, "b $1"])',
      lines: ['E1 search {"query":"a"}', 'E2 t {"a":["{{E1}}","b {{E1}}"]}'],
    },
    {
      name: "arguments on several lines",
      text: '1. book(\n  room="A",\n  start="x",\n  minutes=3,\n)',
      lines: ['E1 book {"room":"A","start":"x","minutes":3}'],
    },
    {
      name: "a missing bracket before a line with one too many",
      text: "1. search(a\n2. search(b) )",
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "a missing bracket over several lines",
      text: '1. book(\n  room="A",\n  start="x"\n2. search("b")',
      lines: ['E1 book {"room":"A","start":"x"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "Python's constants",
      text: "1. t(a=True, b=None, c=1.5, d=-2, e=007)",
      lines: ['E1 t {"a":true,"b":null,"c":1.5,"d":-2,"e":"007"}'],
    },
    {
      name: "more digits than a number keeps",
      text: "1. t(a=12345678901234567890)",
      lines: ['E1 t {"a":"12345678901234567890"}'],
    },
    {
      name: "escapes in quotation marks",
      text: String.raw`1. search("a \"b\" \n\\ \d")`,
      lines: [String.raw`E1 search {"query":"a \"b\" \n\\ \\d"}`],
    },
    {
      name: "three newlines",
      text: '1. search("a")\n\n\n2. search("b")\n\n\n3. join()',
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "steps on one line",
      text: '1. search("a") 2. search("b") 3. join()',
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
    {
      name: "$1 or $100 as prices",
      text: '1. search("for $1 or $100")',
      lines: ['E1 search {"query":"for $1 or $100"}'],
    },
    {
      name: "a tool that nobody knows",
      text: "1. filter(rows, 'a < 1')",
      lines: ['E1 filter {"input":"rows, \'a < 1\'"}'],
    },
    {
      name: "names that stand for no value",
      text: "1. book(room, x, 3)\n2. search(query)",
      lines: ['E1 book {"start":"x","minutes":3}', "E2 search {}"],
    },
    { name: "Step and a number", text: 'Step 1: search("a")', lines: ['E1 search {"query":"a"}'] },
    {
      name: "references behind variables",
      text: "$1 = search(a)\n$2 = calculator($1 + #E1)\nE3 = calculator(#E1 + $1)",
      lines: [
        'E1 search {"query":"a"}',
        'E2 calculator {"expression":"{{E1}} + #E1"}',
        'E3 calculator {"expression":"{{E1}} + $1"}',
      ],
    },
    {
      name: "the square brackets and references of ReWOO",
      text: "1. search[a]\n2. calculator[#E1 + $1]",
      lines: ['E1 search {"query":"a"}', 'E2 calculator {"expression":"{{E1}} + $1"}'],
    },
    {
      name: "variables",
      text: '$1 = search("a")\nE2 = search("b")',
      lines: ['E1 search {"query":"a"}', 'E2 search {"query":"b"}'],
    },
  ])("is read with $name", ({ text, lines }) => {
    expect(calls(text)).toEqual({ lines, unread: [] });
  });

  it.each([
    { name: "surplus values", text: '1. book("A", "x", 3, "y")', unread: ['"y"'] },
    {
      name: "words behind a known call",
      text: '1. search("a") gives the height',
      unread: ["gives the height"],
    },
    { name: "words behind join()", text: '1. search("a")\n2. join()\nDone.', unread: ["Done."] },
  ])("leaves $name unread", ({ text, unread }) => {
    const read = calls(text);
    expect(read.lines).toHaveLength(1);
    expect(read.unread).toEqual(unread);
  });

  it.each([
    { name: "the definition of a tool", text: "1. search(query): finds facts" },
    { name: "a sentence with brackets", text: "1. Research(ers) meet at noon" },
    { name: "Chinese brackets", text: "1. 查询（北京）的天气" },
  ])("is not seen in $name", ({ text }) => {
    const { steps } = parsePlan(text, { parameters });
    expect(steps).toEqual([{ kind: "task", id: "S1", task: text.slice(3) }]);
  });

  it("is a call of join where there is such a tool", () => {
    const { steps } = parsePlan('1. join("a", "b")', { parameters: { join: ["left", "right"] } });
    expect(steps).toEqual([
      { kind: "tool", id: "E1", tool: "join", args: { left: "a", right: "b" } },
    ]);
  });
});
