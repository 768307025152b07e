import { describe, expect, it } from "vitest";

import { parsePlan } from "../../../src/plan/parse/parse-plan.js";
import type { TaskStep, ToolStep } from "../../../src/plan/step.js";

function call(id: string, expression: string, more: Partial<ToolStep> = {}): ToolStep {
  return { kind: "tool", id, tool: "calculator", args: { expression }, ...more };
}

function task(number: number, text: string): TaskStep {
  const after = number === 1 ? {} : { after: [`S${number - 1}`] };
  return { kind: "task", id: `S${number}`, task: text, ...after };
}

describe("a plan in JSON", () => {
  const first = '{"id":"E1","tool":"calculator","args":{"expression":"1"}}';

  it.each([
    { name: "the asked form", text: `{"steps":[${first}]}` },
    { name: "the list alone", text: `[${first}]` },
    { name: "one step alone", text: first },
    { name: "steps one after the other", text: first },
    { name: "a fence with prose around it", text: `\`\`\`json\n{"steps":[${first}]}\n\`\`\`` },
    { name: "the key plan", text: `{"plan":[${first}]}` },
    { name: "the key tasks", text: `{"tasks":[${first}]}` },
    { name: "a plan inside a plan", text: `{"plan":{"steps":[${first}]}}` },
    {
      name: "name and arguments",
      text: '{"steps":[{"name":"calculator","arguments":{"expression":"1"}}]}',
    },
    {
      name: "action and action_input",
      text: '[{"action":"calculator","action_input":{"expression":"1"}}]',
    },
    { name: "parameters", text: '[{"tool":"calculator","parameters":{"expression":"1"}}]' },
    { name: "input", text: '[{"tool":"calculator","input":{"expression":"1"}}]' },
    {
      name: "arguments as a JSON text",
      text: String.raw`[{"tool":"calculator","args":"{\"expression\":\"1\"}"}]`,
    },
    { name: "arguments as a list", text: '[{"tool":"calculator","args":["1"]}]' },
    { name: "arguments as bare text", text: '[{"tool":"calculator","args":"1"}]' },
    { name: "a number as id", text: '[{"id":1,"tool":"calculator","args":{"expression":"1"}}]' },
    { name: "digits as id", text: '[{"id":"1","tool":"calculator","args":{"expression":"1"}}]' },
    { name: "#E1 as id", text: '[{"id":"#E1","tool":"calculator","args":{"expression":"1"}}]' },
    { name: "no id", text: '[{"tool":"calculator","args":{"expression":"1"}}]' },
  ])("is read from $name", ({ text }) => {
    const parameters = { calculator: ["expression"] };
    expect(parsePlan(text, { parameters })).toEqual({ steps: [call("E1", "1")], unread: [] });
  });

  it("is read from an object", () => {
    const steps = [{ tool: "calculator", args: { expression: "1" } }];
    expect(parsePlan({ steps })).toEqual({ steps: [call("E1", "1")], unread: [] });
  });

  it.each([
    { name: "a single dependency", order: '"dependencies":1', after: ["E1"] },
    { name: "a list of ids", order: '"after":["E1"]', after: ["E1"] },
    { name: "numbers", order: '"depends_on":[1]', after: ["E1"] },
    { name: "references", order: '"after":["{{E1}}","#E1"]', after: ["E1", "E1"] },
    { name: "a text of several", order: '"after":"E1, E2"', after: ["E1", "E2"] },
  ])("takes its order from $name", ({ order, after }) => {
    const text = `[${first},{"tool":"calculator","args":{"expression":"2"},${order}}]`;
    expect(parsePlan(text).steps).toEqual([call("E1", "1"), call("E2", "2", { after })]);
  });

  it("counts on from the ids that are given, and from those of earlier plans", () => {
    const text = '[{"tool":"t","args":{}},{"id":"E7","tool":"t","args":{}},{"tool":"t","args":{}}]';
    const { steps } = parsePlan(text, { earlier: ["E3"] });
    expect(steps.map(({ id }) => id)).toEqual(["E4", "E7", "E8"]);
  });

  it.each([
    {
      name: "plain texts",
      text: '["find it","2. halve it"]',
      ids: ["S1", "S2"],
      after: [undefined, ["S1"]],
    },
    {
      name: "objects that say nothing of order",
      text: '{"steps":[{"task":"find it"},{"task":"halve it"}]}',
      ids: ["S1", "S2"],
      after: [undefined, ["S1"]],
    },
    {
      name: "objects without dependencies",
      text: '{"steps":[{"id":"S1","task":"find it","after":[]},{"id":"S2","task":"halve it","after":[]}]}',
      ids: ["S1", "S2"],
      after: [undefined, undefined],
    },
    {
      name: "numbered descriptions",
      text: '{"plan":[{"step":1,"description":"find it"},{"step":2,"description":"halve it"}]}',
      ids: ["S1", "S2"],
      after: [undefined, ["S1"]],
    },
  ])("gives tasks for $name", ({ text, ids, after }) => {
    const { steps, unread } = parsePlan(text);
    expect(unread).toEqual([]);
    expect(steps).toEqual(
      ids.map((id, at) => ({
        kind: "task",
        id,
        task: at === 0 ? "find it" : "halve it",
        ...(after[at] === undefined ? {} : { after: after[at] }),
      })),
    );
  });

  it.each([
    {
      name: "prose around it",
      text: `Here: {"steps":[${first}]} Good luck!`,
      unread: ["Here:", "Good luck!"],
    },
    {
      name: "other members",
      text: `{"goal":"add","steps":[${first}],"note":1}`,
      unread: ['"goal":"add"', '"note":1'],
    },
    {
      name: "elements that are no step",
      text: `{"steps":[${first},{"x":1},7]}`,
      unread: ['{"x":1}', "7"],
    },
    {
      name: "fields that no step has",
      text: '[{"id":"E1","tool":"calculator","args":{"expression":"1"},"cost":3}]',
      unread: ['"cost": 3'],
    },
  ])("leaves $name unread", ({ text, unread }) => {
    expect(parsePlan(text)).toEqual({ steps: [call("E1", "1")], unread });
  });

  it.each([
    { name: "data", text: '{"temperature": 3, "list": [1, 2]}' },
    { name: "a name alone", text: '[{"name":"Ada"}]' },
    { name: "a list of words in a sentence", text: 'Colours: ["red","green"]' },
    {
      name: "a step that is too deep",
      text: `[{"tool":"t","args":{"a":${"[".repeat(200)}${"]".repeat(200)}}}]`,
    },
  ])("is not seen in $name", ({ text }) => {
    expect(parsePlan(text)).toEqual({ steps: [], unread: [text] });
  });

  it("is seen in prose, with slips of form in its JSON", () => {
    const text = "Here is the plan: {'steps': [{'tool': 'price', 'args': {'item': 'tea'},}]}";
    const steps = [{ kind: "tool", id: "E1", tool: "price", args: { item: "tea" } }];
    expect(parsePlan(text)).toEqual({ steps, unread: ["Here is the plan:"] });
  });

  it.each([
    {
      name: "a missing bracket at the end",
      text: `{"steps":[${first},{"tool":"calculator","args":{"expression":"2"}`,
    },
    {
      name: "a missing bracket inside",
      text: `{"steps":[${first},{"tool":"calculator","args":{"expression":"2"}]}`,
    },
    {
      name: "a step alone that is not closed",
      text: `${first}{"tool":"calculator","args":{"expression":"2"}`,
    },
    {
      name: "single quotes and full-width signs",
      text: `{'steps'：[${first}，{'tool'：'calculator','args':{'expression':'2'}}]｝`,
    },
    {
      name: "keys without quotation marks",
      text: `{steps: [${first}, {tool: "calculator", args: {expression: "2"}}]}`,
    },
  ])("is read tolerantly with $name", ({ text }) => {
    expect(parsePlan(text).steps).toEqual([call("E1", "1"), call("E2", "2")]);
  });

  it("keeps what stands before a cut, and not what may be half of a step", () => {
    const text = `{"steps":[${first},{"tool":"calculator","args":{"expression":"2"}`;
    const { steps, unread } = parsePlan(text, { isCut: true });
    expect(steps).toEqual([call("E1", "1")]);
    expect(unread).toEqual(['{"tool":"calculator","args":{"expression":"2"}']);
  });

  it("gives nothing for an object that is no JSON", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(parsePlan(circle)).toEqual({ steps: [], unread: [] });
  });
});

describe("a numbered list", () => {
  it.each([
    { name: "points", text: "1. Find it.\n2. Halve it." },
    { name: "line ends of Windows", text: "1. Find it.\r\n2. Halve it.\r\n" },
    { name: "brackets", text: "1) Find it.\n2) Halve it." },
    { name: "round brackets around the number", text: "(1) Find it.\n(2) Halve it." },
    { name: "blank lines between", text: "1. Find it.\n\n\n2. Halve it.\n" },
    { name: "steps in words", text: "Step 1: Find it.\nStep 2: Halve it." },
    { name: "bold headings", text: "**1. Find it.**\n**2. Halve it.**" },
    { name: "Markdown headings", text: "## 1. Find it.\n## 2. Halve it." },
    { name: "Chinese steps", text: "第一步：Find it.\n第二步：Halve it." },
    { name: "a checklist", text: "- [ ] Find it.\n- [x] Halve it." },
  ])("is read as tasks with $name", ({ text }) => {
    expect(parsePlan(text)).toEqual({
      steps: [task(1, "Find it."), task(2, "Halve it.")],
      unread: [],
    });
  });

  it("is prose beside a plan with calls", () => {
    const { steps, unread } = parsePlan('1. Find it.\n2. Halve it.\n\n[{"tool":"t","args":{}}]');
    expect(steps).toEqual([{ kind: "tool", id: "E1", tool: "t", args: {} }]);
    expect(unread).toEqual(["Find it.\n2. Halve it."]);
  });

  it("ends where another one begins, and holds no code", () => {
    const text = "1. Find it.\n2. Halve it.\nAgain:\n1. Find it.\n```js\n3. x\n```";
    expect(parsePlan(text)).toEqual({
      steps: [task(1, "Find it."), task(2, "Halve it.")],
      unread: ["Again:\n1. Find it.\n```js\n3. x"],
      plans: 2,
    });
  });

  it.each(["Mount Kenya is 5,199 m high.", "It grew by 12.5 % to 3.", "", "\n\n", "- a\n- b"])(
    "is not seen in %j",
    (text) => {
      expect(parsePlan(text).steps).toEqual([]);
    },
  );
});

describe("calls in shapes that platforms have models write", () => {
  const options = { parameters: { XXTool: ["xxId"], search: ["query"], llm: ["prompt"] } };
  const pair = { name: "xxId", value: "12345" };

  it.each([
    {
      name: "a list of name and value",
      written: { Tools: { api_name: "XXTool", parameters: [pair] } },
    },
    { name: "a list of calls", written: { Tools: [{ api_name: "XXTool", parameters: [pair] }] } },
    {
      name: "an object of name and value",
      written: { Tools: [{ api_name: "XXTool", parameters: pair }] },
    },
    { name: "an object of both", written: { Tools: { api_name: "XXTool", parameters: pair } } },
    { name: "a list of steps", written: { steps: [{ tool: "XXTool", args: [pair] }] } },
    {
      name: "a list as a text",
      written: { steps: [{ tool: "XXTool", args: JSON.stringify([pair]) }] },
    },
    {
      name: "a step that holds the call",
      written: { steps: [{ id: "E1", Tools: { api_name: "XXTool", parameters: [pair] } }] },
    },
    { name: "another case", written: { steps: [{ tool: "xxtool", args: { xxId: "12345" } }] } },
  ])("are read from $name", ({ written }) => {
    expect(parsePlan(written, options).steps).toEqual([
      { kind: "tool", id: "E1", tool: "XXTool", args: { xxId: "12345" } },
    ]);
  });

  it("are no calls where a tool has such parameters itself", () => {
    const named = { parameters: { set: ["name", "value"] } };
    const { steps } = parsePlan({ steps: [{ tool: "set", args: pair }] }, named);
    expect(steps).toMatchObject([{ args: pair }]);
  });

  it("are no tasks where tools are only listed", () => {
    const { steps } = parsePlan(
      { tools: ["search"], steps: [{ tool: "search", args: { query: "a" } }] },
      options,
    );
    expect(steps).toMatchObject([{ id: "E1", tool: "search" }]);
  });

  it.each([
    { text: "#E1 = LLM[Which is higher?]", tool: "llm" },
    { text: "#E1 = Search[tea]", tool: "search" },
    { text: '1. Search("tea")', tool: "search" },
    { text: "SEARCH[tea]", tool: "search" },
    { text: "#E1 = Searcher[tea]", tool: "Searcher" },
  ])("name a tool in other case: $text", ({ text, tool }) => {
    expect(parsePlan(text, options).steps).toMatchObject([{ tool }]);
  });

  it("leave a name as it is that two tools may be", () => {
    const two = { parameters: { Search: ["q"], search: ["q"] } };
    expect(parsePlan("#E1 = SEARCH[a]\n#E2 = Search[a]", two).steps).toMatchObject([
      { tool: "SEARCH" },
      { tool: "Search" },
    ]);
  });
});

it("finds a step behind brackets that never close, once", () => {
  const open = '{"query": "search", "arguments": '.repeat(10);
  const { steps } = parsePlan(`${open}{"tool":"search","args":{"query":"x"}}`, {
    parameters: { search: ["query"] },
  });
  expect(steps).toMatchObject([{ tool: "search", args: { query: "x" } }]);
});
