import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseExact } from "../../../src/json/exact-json.js";
import { readAction } from "../../../src/models/protocol/read-action.js";
import { formOf, forms, longTexts } from "../../support/tool-forms.js";

const read = (text: string, isCut = false) => readAction(text, forms, isCut);

const calling = (name: string, args: object, thought = "") => ({
  kind: "calls",
  thought,
  calls: [{ name, args }],
});
const search = calling("search", { query: "x" });
const answering = (text: string, thought = "") => ({ kind: "answer", thought, text });

const action = { thought: "Hm.", action: "search", action_input: { query: "x" } };

describe("readAction reads a call", () => {
  it.each([
    { name: "in JSON", text: '{"action":"search","action_input":{"query":"x"}}' },
    {
      name: "in a fence with prose",
      text: 'So:\n```json\n{"action":"search","action_input":"x"}\n```\nI wait.',
    },
    { name: "without its last brackets", text: '{"action":"search","action_input":{"query":"x"' },
    {
      name: "under Tools",
      text: '{"Tools":[{"name":"search","parameters":[{"name":"query","value":"x"}]}]}',
    },
    { name: "under its tool's name", text: '{"search":{"query":"x"}}' },
    { name: "before an answer", text: '{"action":"search","action_input":"x"}\nFinal Answer: y' },
    { name: "before another", text: '{"action":"search","action_input":"x"}{"action":"now"}' },
    { name: "in a list", text: '[{"action":"search","action_input":"x"},{"action":"now"}]' },
    {
      name: "in a list that breaks off later",
      text: '[{"action":"search","action_input":"x"},{"action":"no',
    },
    { name: "in a brace too many", text: '{{"action":"search","action_input":{"query":"x"}}}' },
    {
      name: "in a fence behind its label",
      text: `Action:\n\`\`\`json\n${JSON.stringify(action)}\n\`\`\``,
    },
    { name: "behind braces that are none", text: 'In {x}: {"action":"search","action_input":"x"}' },
    {
      name: "behind an object that is none",
      text: '{"plan":["search"]}\n{"action":"search","action_input":"x"}',
    },
    { name: "in classic lines", text: "Action: search\nAction Input: x" },
    { name: "in classic lines with JSON", text: 'Action: search\nAction Input: {"query":"x"}' },
    { name: "in JSON behind a label", text: 'Action: {"action":"search","action_input":"x"}' },
    { name: "in a function tag", text: '<function=search>{"query":"x"}</function>' },
    {
      name: "behind a block of thoughts",
      text: '<think>{"action":"now"}</think>{"action":"search","action_input":"x"}',
    },
    { name: "under the name of a function", text: '{"name":"search","arguments":{"query":"x"}}' },
    {
      name: "beside an answer that is empty",
      text: '{"action":"search","action_input":"x","answer":""}',
    },
  ])("$name", ({ text }) => {
    expect(read(text)).toMatchObject({ ...search, thought: expect.any(String) });
  });

  it.each([
    { name: "of JSON", text: JSON.stringify(action), thought: "Hm." },
    {
      name: "of classic lines",
      text: "Thought: Hm.\nAction: search\nAction Input: x",
      thought: "Hm.",
    },
    {
      name: "of a block before tags",
      text: '<think>Hm.</think><function=search>{"query":"x"}</function>',
      thought: "Hm.",
    },
    {
      name: "that is no text",
      text: '{"thought":7,"action":"search","action_input":"x"}',
      thought: "",
    },
  ])("with the thought $name", ({ text, thought }) => {
    expect(read(text)).toMatchObject({ ...search, thought });
  });

  it("of a tool that does not exist, for the runner to say so", () => {
    expect(read('{"action":"gone","action_input":{"a":1}}')).toMatchObject(
      calling("gone", { a: 1 }),
    );
    expect(read("Action: gone\nAction Input: x")).toMatchObject(calling("gone", {}));
  });

  it("of a tool without arguments, by its name alone", () => {
    expect(read('{"name":"now"}')).toMatchObject(calling("now", {}));
    expect(read("Action: now")).toMatchObject(calling("now", {}));
  });

  it("of a tool that has the name of the answer", () => {
    const tools = [formOf("finish", "text")];
    const text = '{"action":"finish","action_input":{"text":"x"}}';
    expect(readAction(text, tools, false)).toMatchObject(calling("finish", { text: "x" }));
  });
});

describe("readAction reads an answer", () => {
  it.each([
    {
      name: "in JSON",
      text: '{"thought":"","action":"final_answer","action_input":"4"}',
      answer: "4",
    },
    { name: "by another name", text: '{"action":"Final Answer","action_input":"4"}', answer: "4" },
    { name: "under its own key", text: '{"answer":"4"}', answer: "4" },
    {
      name: "beside the action none",
      text: '{"action":"none","action_input":{},"answer":"4"}',
      answer: "4",
    },
    {
      name: "in an object",
      text: '{"action":"final_answer","action_input":{"text":"4"}}',
      answer: "4",
    },
    { name: "that is a number", text: '{"action":"final_answer","action_input":4}', answer: "4" },
    {
      name: "that is an object",
      text: '{"action":"final_answer","action_input":{"a":1,"b":2}}',
      answer: '{"a":1,"b":2}',
    },
    { name: "that is a list", text: '{"action":"final_answer","action_input":[1]}', answer: "[1]" },
    { name: "in classic lines", text: "Final Answer: 4", answer: "4" },
    { name: "of one letter", text: "Final Answer: A", answer: "A" },
    {
      name: "that speaks of thinking tags",
      text: '{"action":"final_answer","action_input":"It writes <think>."}',
      answer: "It writes <think>.",
    },
    {
      name: "before a call",
      text: 'Final Answer: 4\n{"action":"now"}',
      answer: '4\n{"action":"now"}',
    },
  ])("$name", ({ text, answer }) => {
    expect(read(text)).toEqual(answering(answer));
  });
});

describe("readAction finds neither", () => {
  it.each([
    { name: "nothing", text: "", problem: "your reply was empty" },
    { name: "thoughts alone", text: "<think>Hm.", problem: "your reply was empty" },
    {
      name: "an empty answer",
      text: '{"action":"final_answer","action_input":""}',
      problem: "your final answer was empty",
    },
    { name: "an empty line of it", text: "Final Answer:", problem: "your final answer was empty" },
    {
      name: "an Action without its input",
      text: "Action: search",
      problem: "the Action has no Action Input",
    },
    {
      name: "a call cut in a text",
      text: '{"action":"search","action_input":{"query":"x',
      problem: /stops early: ".*"query":"x"$/,
    },
    {
      name: "a call cut in a word",
      text: '{"action":"search","action_input":{"all":tru',
      problem: /stops early: ".*tru"$/,
    },
    {
      name: "a call cut behind a comma",
      text: '{"action":"search","action_input":{"query":"x",',
      problem: /stops early/,
    },
    {
      name: "a call without a value",
      text: '{"action":"search","action_input":}',
      problem: /leaves a value out/,
    },
    {
      name: "a cut text of JSON",
      text: String.raw`{"action":"remove","action_input":"{\"path\":\"/data/im"}`,
      problem: /arguments could not be read: .*\/data\/im"/,
    },
    {
      name: "cut JSON in classic lines",
      text: 'Action: remove\nAction Input: {"path":"/data/im',
      problem: /arguments could not be read: .*\/data\/im"/,
    },
    {
      name: "arguments that may go on",
      text: '{"action":"book","action_input":{"room":"A3"',
      problem: /lacks closing brackets: it may be cut/,
    },
    {
      name: "half an action, whose arguments look like a call",
      text: 'n":"book","action_input":{"name":"search","arguments":{"query":"x"}}}',
      problem: /do not match/,
    },
    {
      name: "a broken call whose arguments look like a call",
      text: '{"action":"book","action_input":{"name":"now"},"thought":}',
      problem: /leaves a value out/,
    },
    {
      name: "a broken call whose arguments look like an answer",
      text: '{"action":"book","action_input":{"answer":"yes"},"thought":}',
      problem: /leaves a value out/,
    },
  ])("in $name, and says what is wrong", ({ text, problem }) => {
    const broken = { kind: "neither", problem: expect.stringMatching(problem), isBroken: true };
    expect(read(text)).toEqual(broken);
  });

  it.each([
    { name: "prose", text: "It is 4." },
    { name: "a formula", text: String.raw`It is \frac{1}{2}.` },
    { name: "code", text: "Write `if (a) { return b; }`." },
    { name: "a list of words", text: "See [the page](http://x)." },
    { name: "an object of data", text: 'The user is {"name":"Alice"}.' },
    { name: "an object of no action", text: '{"city":"Bonn"}' },
  ])("in $name, which was not meant as an action", ({ text }) => {
    const problem = "your reply was not in the wanted form";
    expect(read(text)).toEqual({ kind: "neither", problem, isBroken: false });
  });

  it("in an input in classic lines that ends with a reply that was cut", () => {
    for (const text of ["Action: remove\nAction Input: /data/im", "Action: no"]) {
      expect(read(text, true)).toMatchObject({ kind: "neither", isBroken: true });
    }
    expect(read("Action: search\nAction Input: x\nObservation: y", true)).toMatchObject(search);
  });

  it("in a call that had to be completed, where the reply was cut", () => {
    const text = '{"action":"search","action_input":{"query":"x"';
    expect(read(text, true)).toMatchObject({ kind: "neither", isBroken: true });
    expect(read(`${text}}}{"action":"no`, true)).toMatchObject(search);
  });
});

describe("readAction", () => {
  it("reads any action back, whatever stands around it", () => {
    const words = fc.string({ unit: fc.constantFrom(...Array.from("ab .!?\n#")) });
    const args = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(words, args, words, (before, input, after) => {
        const json = JSON.stringify({ thought: "t", action: "book", action_input: input });
        const given: unknown = parseExact(JSON.stringify(input));
        expect(read(`${before}${json}${after}`)).toMatchObject({
          kind: "calls",
          thought: "t",
          calls: [{ name: "book", args: given }],
        });
      }),
    );
  });

  it("runs no part of an action with arguments that the whole has not", () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const names = fc.stringMatching(/^(name|answer|tool|path)$/);
    const args = fc.dictionary(names, value, { minKeys: 1 });
    fc.assert(
      fc.property(args, fc.nat(), fc.boolean(), (input, cut, isCut) => {
        const text = JSON.stringify({ action: "remove", action_input: input });
        const part = read(text.slice(0, cut % text.length), isCut);
        expect(part.kind).not.toBe("answer");
        if (part.kind !== "calls") return;
        expect(isCut).toBe(false);
        expect(part.calls).toMatchObject([{ name: "remove" }]);
        expect(input).toMatchObject(part.calls[0]?.args ?? {});
      }),
      { numRuns: 2_000 },
    );
  });

  it("never throws", () => {
    const unit = fc.constantFrom(
      ...Array.from("{}[]:,\"'“”\\.… a1\n`()<>"),
      "Action: ",
      "Action Input: ",
      "Final Answer: ",
      "search",
      '"action"',
      "<think>",
      "</think>",
    );
    fc.assert(
      fc.property(fc.string({ unit }), fc.boolean(), (text, isCut) => {
        expect(["calls", "answer", "neither"]).toContain(read(text, isCut).kind);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(longTexts)("is quick about $name", ({ text }) => {
    expect(read(text).kind).not.toBe("answer");
  });
});
