import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readTextCalls } from "../../../src/models/protocol/read-text-calls.js";
import { forms, longTexts } from "../../support/tool-forms.js";

const read = (text: string, isCut = false) => readTextCalls(text, forms, isCut);

const search = { name: "search", args: { query: "x" } };
const json = '{"name":"search","arguments":{"query":"x"}}';
const now = '{"name":"now","arguments":{}}';

describe("readTextCalls", () => {
  it.each([
    { name: "bare JSON", text: json },
    { name: "fenced JSON", text: `\`\`\`json\n${json}\n\`\`\`` },
    {
      name: "fenced JSON with prose around it",
      text: `I look.\n\`\`\`json\n${json}\n\`\`\`\nWait.`,
    },
    { name: "JSON behind words", text: `I call: ${json}` },
    { name: "JSON in tags", text: `<tool_call>${json}</tool_call>` },
    { name: "JSON in tags behind words", text: `I look it up. <tool_call>${json}</tool_call>` },
    { name: "an action", text: '{"action":"search","action_input":{"query":"x"}}' },
    {
      name: "its arguments as a text",
      text: '{"name":"search","arguments":"{\\"query\\":\\"x\\"}"}',
    },
    { name: "a missing brace", text: '{"name":"search","arguments":{"query":"x"}' },
    { name: "a function tag", text: '<function=search>{"query":"x"}</function>' },
    { name: "classic lines", text: "Thought: hm\nAction: search\nAction Input: x" },
    { name: "Python's form", text: 'search(query="x")' },
    { name: "a call behind another object", text: `{"plan":1}\n${json}` },
    {
      name: "a whole call before a cut one",
      text: `${json}\n{"name":"search","arguments":{"query":"y`,
    },
  ])("reads $name", ({ text }) => {
    expect(read(text)).toMatchObject({
      kind: "calls",
      thought: expect.any(String),
      calls: [search],
    });
  });

  it.each([
    { name: "classic lines", text: (given: string) => `Action: book\nAction Input: ${given}` },
    {
      name: "a fence behind its label",
      text: (given: string) => `Action: book\nAction Input:\n\`\`\`json\n${given}\n\`\`\``,
    },
    { name: "a function tag", text: (given: string) => `<function=book>${given}</function>` },
    { name: "brackets", text: (given: string) => `book(${given})` },
  ])("takes arguments in $name for no call of their own", ({ text }) => {
    const calls = [{ name: "book", args: { name: "search", arguments: { query: "x" } } }];
    expect(read(text(json))).toMatchObject({ kind: "calls", calls });
  });

  it.each([
    { name: "tags", text: `<function=search><parameter=query>${json}</parameter></function>` },
    { name: "Python's form", text: `search(query='${json}')` },
  ])("takes an argument in $name for no call of its own", ({ text }) => {
    const calls = [{ name: "search", args: { query: json } }];
    expect(read(text)).toMatchObject({ kind: "calls", thought: "", calls });
  });

  it.each([
    { name: "bare JSON", text: json },
    { name: "fenced JSON", text: `\`\`\`json\n${json}\n\`\`\`` },
    { name: "a fence that is not closed", text: `\`\`\`json\n${json}\n` },
    { name: "several calls", text: `${json}\n${now}` },
    { name: "a list of calls", text: `[${json},${now}]` },
    { name: "JSON in tags", text: `<tool_call>${json}</tool_call>` },
    { name: "marks of the template", text: `<|python_tag|>${json}<|im_end|>` },
    { name: "a brace too many", text: `${json}}` },
    { name: "a full stop behind it", text: `${json}.` },
    { name: "a function tag", text: '<function=search>{"query":"x"}</function>' },
    { name: "Python's form", text: 'search(query="x")' },
    { name: "a block of thoughts before it", text: `<think>Hm.</think>\n${json}` },
    { name: "classic lines", text: "Action: search\nAction Input: x" },
    {
      name: "a thought in the line before its action",
      text: "Thought: I look.\nAction: search\nAction Input: x",
    },
    { name: "bold lines", text: "**Thought:** Hm.\n**Action:** search\n**Action Input:** x" },
    { name: "an invented result behind it", text: `${json}\nObservation: It is 4.\nSo it is 4.` },
    {
      name: "an invented result behind lines",
      text: "Action: search\nAction Input: x\nObservation: It is 4.\n\nFinal Answer: 4",
    },
  ])("tells of nothing else in the reply: $name", ({ text }) => {
    expect(read(text)).toMatchObject({ kind: "calls", isAlone: true });
  });

  it.each([
    { name: "words before it", text: `I look: ${json}` },
    { name: "words behind it", text: `${json}\nI wait.` },
    { name: "words between two", text: `${json}\nor\n${now}` },
    { name: "words around it", text: `I would call ${json} but I may not.` },
    { name: "Chinese words", text: `好的，我来查询：\n${json}` },
    { name: "other JSON", text: `{"plan":1}\n${json}` },
    { name: "a list mark", text: `- ${json}` },
    { name: "a number", text: `1. ${json}` },
    { name: "a quotation", text: `> ${json}` },
    { name: "quotation marks", text: `“${json}”` },
    { name: "back-ticks", text: `\`${json}\`` },
    { name: "a table", text: `| ${json} |` },
    { name: "HTML", text: `<p>${json}</p>` },
    { name: "HTML around Python's form", text: '<p>search(query="x")</p>' },
    {
      name: "words behind a fence of lines",
      text: "```\nAction: search\nAction Input: x\n``` is how one does it.",
    },
    { name: "a comment", text: `// ${json}` },
    { name: "a call in brackets among words", text: 'Call search({"query":"x"}) for it.' },
    {
      name: "words between thought and action",
      text: "Thought: Hm.\n\nLike this:\nAction: search\nAction Input: x",
    },
    {
      name: "a thought of several lines",
      text: "Thought: Hm.\nThe lines are:\nAction: search\nAction Input: x",
    },
    { name: "words before lines", text: "The log:\nAction: search\nAction Input: x" },
    { name: "words behind lines", text: "Action: search\nAction Input: x\n\nwas made." },
    {
      name: "words behind JSON in lines",
      text: 'Action: search\nAction Input: {"query":"x"} it was',
    },
    { name: "lines in a quotation", text: "> Action: search\n> Action Input: x" },
    {
      name: "an answer behind lines",
      text: "Action: search\nAction Input: x\nFinal Answer: That is how.",
    },
    { name: "an answer behind JSON", text: `${json}\nFinal Answer: That is how.` },
  ])("tells of something else in the reply: $name", ({ text }) => {
    expect(read(text)).toMatchObject({ kind: "calls", isAlone: false });
  });

  it("reads every call, and the thoughts before them", () => {
    expect(read(`<think>Both.</think>${json}\n${now}`)).toMatchObject({
      kind: "calls",
      thought: "Both.",
      calls: [search, { name: "now", args: {} }],
    });
  });

  it("reads a call of a tool that does not exist where it is all of the text", () => {
    const gone = '{"name":"gone","arguments":{"a":1}}';
    const calls = [{ name: "gone", args: { a: 1 } }];
    expect(read(gone)).toMatchObject({ kind: "calls", thought: "", calls });
    expect(read(`<tool_call>${gone}</tool_call>`)).toMatchObject({ kind: "calls", calls });
    expect(read(`As JSON: ${gone}`)).toBe(undefined);
  });

  it.each([
    { name: "nothing", text: "" },
    { name: "prose", text: "It is 4." },
    { name: "data with a name", text: '{"name":"Alice","age":7}' },
    { name: "data named like a tool", text: '{"name":"search","version":"1.0.0"}' },
    { name: "a name alone that is no tool's", text: '{"name":"Alice"}' },
    { name: "a call that a thought considers", text: `<think>${json}?</think>It is 4.` },
    { name: "a formula", text: String.raw`It is \frac{1}{2}.` },
    { name: "an answer in classic lines", text: "Final Answer: 4" },
    { name: "a call in an answer in classic lines", text: `Thought: Hm.\nFinal Answer: ${json}` },
    { name: "an action of no tool in classic lines", text: "Action: wait\nAction Input: x" },
    {
      name: "a tool's definition among words",
      text: `The tool: {"name":"search","parameters":{"type":"object","properties":{}}}`,
    },
  ])("leaves $name an answer", ({ text }) => {
    expect(read(text)).toBe(undefined);
  });

  it.each([
    {
      name: "a call cut in a text",
      text: '{"name":"remove","arguments":{"path":"/data/im',
      problem: /tool call could not be read: .*\/data\/im"/,
    },
    {
      name: "a call cut behind words",
      text: 'I will.\n```json\n{"name":"remove","arguments":{"path":"/da',
      problem: /tool call could not be read/,
    },
    {
      name: "a call without a value",
      text: '{"name":"remove","arguments":}',
      problem: /leaves a value out/,
    },
    {
      name: "cut JSON in a text of arguments",
      text: String.raw`{"name":"remove","arguments":"{\"path\":\"/data/im"}`,
      problem: /arguments could not be read: .*\/data\/im"/,
    },
    {
      name: "cut JSON in classic lines",
      text: 'Action: remove\nAction Input: {"path":"/data/im',
      problem: /arguments could not be read: .*\/data\/im"/,
    },
    {
      name: "a broken call whose arguments look like a call",
      text: `{"name":"search","arguments":${now},"id":}`,
      problem: /leaves a value out/,
    },
    {
      name: "an argument behind the others",
      text: '{"name":"book","arguments":{"room":"A3"},"people":6}',
      problem: /"book" has arguments that stand beside the others/,
    },
    {
      name: "a tool's definition",
      text: '{"name":"search","parameters":{"type":"object","properties":{}}}',
      problem: /repeated the definition/,
    },
  ])("finds $name broken, and says where", ({ text, problem }) => {
    const broken = { kind: "neither", problem: expect.stringMatching(problem), isBroken: true };
    expect(read(text)).toEqual(broken);
  });

  it("does not complete a call where the reply was cut", () => {
    const text = '{"name":"search","arguments":{"query":"x"}';
    const problem = expect.stringMatching(/tool call could not be read: the JSON stops early/);
    expect(read(text, true)).toEqual({ kind: "neither", problem, isBroken: true });
    expect(read(text)).toMatchObject({ kind: "calls" });
    expect(read('The height is {"m":5199', true)).toBe(undefined);
  });

  it("runs no part of a call with arguments that the whole has not", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const args = fc.dictionary(fc.stringMatching(/^(name|tool|path)$/), value, { minKeys: 1 });
    fc.assert(
      fc.property(args, fc.nat(), fc.boolean(), (input, cut, isCut) => {
        const text = JSON.stringify({ name: "remove", arguments: input });
        const part = read(text.slice(0, cut % text.length), isCut);
        if (part?.kind !== "calls") return;
        expect(isCut).toBe(false);
        expect(part.calls).toMatchObject([{ name: "remove" }]);
        expect(input).toMatchObject(part.calls[0]?.args ?? {});
      }),
      { numRuns: 2_000 },
    );
  });

  it("never throws", () => {
    const unit = fc.constantFrom(
      ...Array.from("{}[]:,\"'“”\\.… a1\n`()<>="),
      "Action: ",
      "Action Input: ",
      "search",
      '"name"',
      "<function=search>",
      "<tool_call>",
    );
    fc.assert(
      fc.property(fc.string({ unit }), fc.boolean(), (text, isCut) => {
        expect(["calls", "neither", undefined]).toContain(read(text, isCut)?.kind);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(longTexts)("is quick about $name", ({ text }) => {
    expect(read(text)?.kind).not.toBe("answer");
  });
});
