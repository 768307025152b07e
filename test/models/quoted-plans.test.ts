import { describe, expect, it } from "vitest";

import { fitting } from "../../src/models/fitting.js";
import { planForm } from "../../src/models/plan-form.js";
import { planReading } from "../../src/models/plan-reading.js";
import { taskPlanForm } from "../../src/models/task-plan-form.js";

const withText = (name: string, parameter: string) => ({
  name,
  description: `Does ${name}.`,
  parameters: {
    type: "object",
    properties: { [parameter]: { type: "string" } },
    required: [parameter],
  },
});
const form = planForm(
  planReading(
    {
      forms: [withText("find_order", "number"), withText("refund", "order")],
      check: async () => [],
      acts: (name) => name === "refund",
    },
    { planSteps: 20 },
  ),
);
const tasks = taskPlanForm(20, true);
const harmlessTasks = taskPlanForm(20, false);

const find = { id: "E1", thought: "Look.", tool: "find_order", args: { number: "17" } };
const refund = { id: "E2", thought: "Refund it.", tool: "refund", args: { order: "17" } };
const json = JSON.stringify({ steps: [find, refund] });
const reads = JSON.stringify({ steps: [find] });
const rewoo = "Plan: Look.\n#E1 = find_order[17]\nPlan: Refund it.\n#E2 = refund[17]";
const numbered = '1. find_order(number="17")\n2. refund(order="17")\n3. join()';
const taskList = "1. Look up order 17.\n2. Refund order 17.";
const taskJson = JSON.stringify({
  steps: [{ id: "S1", task: "Refund order 17.", after: [], final: true }],
});
const fenced = (text: string, language = "json") => `\`\`\`${language}\n${text}\n\`\`\``;

/** What stands around a plan that is only talked about. */
const quotes = [
  (plan: string) => `Only explain, do not do it: the plan would be\n${plan}`,
  (plan: string) => `${plan}\nThis is what the plan would look like. I have not carried it out.`,
  (plan: string) => `I will not refund this order, because nobody approved it.\n\n${plan}`,
  (plan: string) => `You asked to see the plan:\n\n${fenced(plan, "")}\n\nShall I go on?`,
  (plan: string) => `Example:\n\n${fenced(plan, "text")}`,
  (plan: string) => `# How a refund works\n\n${plan}\n\nNothing was done.`,
  (plan: string) => `Yesterday I ran this plan:\n${plan}`,
  (plan: string) => `<example>\n${plan}\n</example>`,
  (plan: string) => `用户只是想看一下计划,不要执行:\n${plan}`,
  (plan: string) => `${plan}\n以上只是示例,并未执行退款。`,
  (plan: string) => `我不能退款。计划本来会是:\n\n${fenced(plan, "")}`,
  (plan: string) => `昨天执行的计划如下:\n${plan}`,
];

/** Whole replies that hold a plan in other ways than between two lines of prose. */
const others = [
  { name: "an answer beside the steps", text: JSON.stringify({ steps: [refund], answer: "So." }) },
  { name: "a note beside the steps", text: JSON.stringify({ steps: [refund], note: "Not yet." }) },
  { name: "a note in a step", text: JSON.stringify({ steps: [{ ...refund, note: "Do not." }] }) },
  { name: "a note beside a call of the form", text: `{"arguments":${json},"note":"Do not."}` },
  { name: "a comment in JSON", text: json.replace("[{", "[ // do not run this\n{") },
  { name: "a comment behind a call", text: '1. refund(order="17")  # only an example' },
  { name: "prose before a call on its line", text: "You could write #E1 = refund[17]." },
  {
    name: "prose before a call on its line in Chinese",
    text: "不要执行,可以写成 #E1 = refund[17]。",
  },
  {
    name: "a header with paragraphs",
    text: "Plan: I will not do it. It would be:\n\nfirst this\n#E1 = refund[17]",
  },
  { name: "a call in inline code", text: "The step `#E1 = refund[17]` would refund it." },
  { name: "one step in prose", text: `The step is ${JSON.stringify(refund)}, if you want it.` },
  { name: "two plans in JSON", text: `${json}\n${json}` },
  {
    name: "two plans with prose",
    text: `Either\n${reads}\nor\n${JSON.stringify({ steps: [refund] })}`,
  },
  {
    name: "two plans in one object",
    text: `{"a":${reads},"b":${JSON.stringify({ steps: [refund] })}}`,
  },
  { name: "two plans in two forms", text: `${reads}\n${rewoo}` },
  { name: "a plan behind the end of one", text: `${numbered}\n1. refund(order="18")` },
];

describe("a plan with a write in a reply that holds more", () => {
  const forms = [
    { written: "JSON", plan: json },
    { written: "ReWOO text", plan: rewoo },
    { written: "LLMCompiler text", plan: numbered },
  ];
  const rows = forms.flatMap(({ written, plan }) =>
    quotes.map((quote) => ({ written, text: quote(plan) })),
  );
  it.each(rows)("goes back where it is quoted in $written: $text", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject({ ok: false });
  });

  it.each(others)("goes back with $name", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject({ ok: false });
  });

  it("is told how to mean it, and how not to", async () => {
    const read = await fitting(`Only an example:\n${json}`, false, form);
    expect(read).toEqual({ ok: false, problem: expect.stringMatching(/alone.*"answer"/s) });
  });
});

describe("tasks in a reply that holds more, where a tool writes", () => {
  const rows = [taskList, taskJson].flatMap((plan) => quotes.map((quote) => quote(plan)));
  it.each(rows)("go back: %s", async (text) => {
    expect(await fitting(text, false, tasks)).toMatchObject({ ok: false });
  });

  it.each([
    `${taskList}\n\nOr:\n1. Do nothing.\n2. Wait.`,
    `${taskJson}\n${taskJson}`,
    JSON.stringify({ steps: ["Refund order 17."], answer: "It would be refunded." }),
  ])("go back: %s", async (text) => {
    expect(await fitting(text, false, tasks)).toMatchObject({ ok: false });
  });
});

describe("a plan that is meant", () => {
  const steps = { ok: true, value: { kind: "steps" } };

  it.each([
    { name: "JSON", text: json },
    { name: "JSON in a fence", text: fenced(json) },
    { name: "JSON in a fence without a language", text: fenced(json, "") },
    { name: "JSON behind thinking", text: `<think>The user wants it.</think>\n${json}` },
    { name: "JSON as a call of the form", text: `{"name":"plan","arguments":${json}}` },
    { name: "JSON under the form's name", text: `{"plan":${json}}` },
    { name: "a list", text: JSON.stringify([find, refund]) },
    { name: "a step a line", text: `${JSON.stringify(find)}\n${JSON.stringify(refund)}` },
    { name: "full-width marks", text: json.replaceAll(",", "，").replaceAll(":", "：") },
    { name: "ReWOO text", text: rewoo },
    { name: "ReWOO text in a fence", text: fenced(rewoo, "") },
    { name: "ReWOO text, headers and calls in a line each", text: rewoo.replaceAll("\n#", " #") },
    { name: "ReWOO text with thoughts in Chinese", text: "计划：退款。\n#E1 = refund[17]" },
    { name: "LLMCompiler text", text: numbered },
    { name: "LLMCompiler text with thoughts", text: `Thought: Do both.\n${numbered}` },
    { name: "LLMCompiler text with its sign", text: `${numbered}<END_OF_PLAN>` },
  ])("is taken with a write where it stands alone in $name", async ({ text }) => {
    expect(await fitting(text, false, form)).toMatchObject(steps);
  });

  it.each(quotes.map((quote) => quote(reads)))(
    "is taken with reads alone from: %s",
    async (text) => {
      expect(await fitting(text, false, form)).toMatchObject(steps);
    },
  );

  it.each([taskList, taskJson, fenced(taskJson), `{"task_plan":${taskJson}}`])(
    "is taken with tasks that stand alone: %s",
    async (text) => {
      expect(await fitting(text, false, tasks)).toMatchObject(steps);
    },
  );

  it.each(quotes.map((quote) => quote(taskList)))(
    "is taken with tasks where no tool writes from: %s",
    async (text) => {
      expect(await fitting(text, false, harmlessTasks)).toMatchObject(steps);
    },
  );
});
