import { expect, it } from "vitest";

import { planDoubt } from "../../src/plan/plan-doubt.js";
import type { ToolStep } from "../../src/plan/step.js";

const step = (at: number, [tool, args]: readonly [string, ToolStep["args"]]): ToolStep => ({
  kind: "tool",
  id: `E${at + 1}`,
  tool,
  args,
});
const doubt = (
  question: string,
  ...calls: readonly (readonly [tool: string, args: ToolStep["args"]])[]
) =>
  planDoubt(
    question,
    calls.map((call, at) => step(at, call)),
    calculating,
  );
const calculating = { calculator: "calculator", all: new Set(["calculator", "compare"]) };
const look = (name: string) => ["look_up", { name }] as const;
const count = (expression: string) => ["calculator", { expression }] as const;

it.each([
  {
    question: "How many pupils has it if their number of 2025 grows by 15%?",
    calls: [["census", { name: "it", year: 2025 }] as const],
    told: /^the question says 15%, and no step has it/,
  },
  {
    question: "What do 12 lamps and 5 bells cost?",
    calls: [look("lamp"), look("bell"), count("{{E1}} + {{E2}}")],
    told: /^the question says 12 and 5,/,
  },
  {
    question: "How many years lie between the founding of A and that of B?",
    calls: [
      [
        "compare",
        {
          figures: [
            { name: "A", figure: 1782 },
            { name: "B", figure: 1816 },
          ],
          find: "largest",
        },
      ] as const,
    ],
    told: /^E1 has the figure 1782, which the question does not say\. Plan a step/,
  },
  {
    question: "How much is it by day?",
    calls: [look("it"), count("{{E1}} / 31")],
    told: /^E2 has the figure 31,/,
  },
  {
    question: "How many pupils has it for each of its teachers?",
    calls: [["census", { name: "it", year: 2025 }] as const],
    told: /^the question asks for a figure \("for each"\) that is mostly calculated from others, and no step calculates\. .* such as \{"id": "E3", "tool": "calculator",/,
  },
  {
    question: "它们平均有多少人？",
    calls: [look("它们")],
    told: /^the question asks for a figure \("平均"\)/,
  },
  {
    question: "In which year was the head of the mill born?",
    calls: [look("mill"), count("{{E1}}['head']")],
    told: /^E2 calculates "\{\{E1\}\}\['head'\]", which is no calculation with figures\. What E1 only names has to be looked up: \{"id":"E2","tool":"look_up","args":\{"name":"\{\{E1\}\}"\}\}$/,
  },
  {
    question: "When was the head of the mill born?",
    calls: [look("mill"), count("{{E1.head.birth_year}}")],
    told: /^E2 calculates "\{\{E1\.head\.birth_year\}\}", which is no calculation .*"look_up"/,
  },
  {
    question: "Which is higher?",
    calls: [look("A"), look("B"), count("{{E1}} > {{E2}} ? 'A' : 'B'")],
    told: /^E3 calculates "\{\{E1\}\} > .*, which is no calculation with figures$/,
  },
  {
    question: "How old is it?",
    calls: [count("the age of the tower")],
    told: /^E1 calculates "the age of the tower", which is no calculation with figures$/,
  },
  {
    question: "How many people has it for each of its homes?",
    calls: [look("it"), look("that"), count("{{E1}} + {{E2}}")],
    told: /^the question asks for people "for each of its homes", and no step divides\. Plan the steps that find the people and the homes, and one that divides the people by the homes$/,
  },
  {
    question: "How many books has she written to this day?",
    calls: [look("she"), look("her"), count("({{E1}} + {{E2}}) / 1000")],
    told: /^E3 calculates with 1000, which the question does not say\. Leave 1000 out; if it converts a unit, write the same plan again$/,
  },
])("a plan for $question is doubted", ({ question, calls, told }) => {
  expect(doubt(question, ...calls)).toMatch(told);
});

it.each([
  { name: "no figures are in it", question: "How high is it?", calls: [look("it")] },
  {
    name: "a percentage is a factor",
    question: "What if it grows by 15 %?",
    calls: [look("it"), count("{{E1}}*1.15")],
  },
  {
    name: "a percentage is taken away",
    question: "It shrinks by 8%. How many are left?",
    calls: [look("it"), count("{{E1}} * (1 - 0.08)")],
  },
  {
    name: "a percentage stands as it is",
    question: "What is 15% of it?",
    calls: [look("it"), count("{{E1}} * 15 / 100")],
  },
  {
    name: "a figure stands among words",
    question: "Which films came out in 1984?",
    calls: [["search", { query: "films of 1984" }] as const],
  },
  {
    name: "a number stands in an argument",
    question: "Refund 20 euros of order 4711.",
    calls: [["refund", { order: "4711", amount: 20 }] as const],
  },
  {
    name: "a formula has figures of its own",
    question: "How many seconds is that?",
    calls: [look("it"), count("{{E1}} * 24 * 3600 / 2")],
  },
  {
    name: "a figure nobody gave is not calculated with",
    question: "How many people live there now?",
    calls: [["census", { name: "it", year: 2025 }] as const],
  },
  {
    name: "the question is a text of many figures",
    question: "Sum up: 11, 22, 33, 44, 55, 66 and 77.",
    calls: [look("it")],
  },
  {
    name: "what is counted for each is divided",
    question: "How many people has it for each of its homes?",
    calls: [look("it"), look("that"), count("{{E1}} / {{E2}}")],
  },
  {
    name: "a thousand may convert a unit",
    question: "How many metres are these kilometres together?",
    calls: [look("it"), look("that"), count("({{E1}} + {{E2}}) * 1000")],
  },
  {
    name: "a sum is calculated",
    question: "How many do A and B have together?",
    calls: [look("A"), look("B"), count("{{E1}} + {{E2}}")],
  },
  {
    name: "a comparison counts as calculation",
    question: "Which has more people on each hectare?",
    calls: [
      look("A"),
      ["compare", { figures: [{ name: "A", figure: "{{E1}}" }], find: "largest" }] as const,
    ],
  },
  {
    name: "words only begin like those of a sum",
    question: "What do the Perseus papers mean in totality?",
    calls: [look("Perseus papers")],
  },
  {
    name: "a calculation has functions and constants",
    question: "What is the area?",
    calls: [look("it"), count("round(pi * {{E1.radius}}^2) + max({{ E1 }}, E1, 3e2) ÷ 2 × e")],
  },
  {
    name: "no tool calculates with the text",
    question: "What does it say?",
    calls: [look("it"), ["llm", { prompt: "Read {{E1}}['head']" }] as const],
  },
  { name: "it has no steps", question: "What is 15% of it?", calls: [] },
])("a plan is not doubted where $name", ({ question, calls }) => {
  expect(doubt(question, ...calls)).toBeUndefined();
});
