import { expect, it } from "vitest";

import type { ToolStep } from "../../src/plan/step.js";
import { swappedRatio } from "../../src/plan/swapped-ratio.js";

const step = (at: number, tool: string, args: ToolStep["args"]): ToolStep => ({
  kind: "tool",
  id: `E${at}`,
  tool,
  args,
});
const measured = (expression: string, ...others: readonly string[]) => [
  step(1, "look_up", { name: "Orrin Bridge" }),
  step(2, "look_up", { name: "Tanner Bridge" }),
  ...others.map((each, at) => step(at + 3, "calculator", { expression: each })),
  step(others.length + 3, "calculator", { expression }),
];
const asLong = "How many times as long as the Orrin Bridge is the Tanner Bridge?";

it.each([
  { question: asLong, steps: measured("{{E1}} / {{E2}}") },
  {
    question: "How many times the length of the Orrin Bridge was that of the Tanner Bridge then?",
    steps: measured("{{E1}} / {{E2}}"),
  },
  { question: asLong, steps: measured("{{E3}}/{{E2}}", "{{E1}} * 2") },
  { question: asLong, steps: measured("{{E1.length}} ÷ {{E2.length}}") },
])("a ratio the wrong way round is doubted: $question", ({ question, steps }) => {
  expect(swappedRatio(question, steps)).toMatch(
    /^E\d calculates (\{\{\S+\}\}) \/ (\{\{\S+\}\}), and the question asks how many times .* is: that is \2 \/ \1$/,
  );
});

const counted = (expression: string, thoughts = ["The number of pupils", "The teachers"]) => [
  ...thoughts.map((thought, at) => ({ ...step(at + 1, "census", { name: "it" }), thought })),
  step(3, "calculator", { expression }),
];

it.each([
  { question: "How many pupils of 2025 has it for each of its teachers?" },
  { question: "How many pupils are there per teacher?" },
  { question: "How many classes of pupils were there on each teacher in 2025?" },
])("what is counted for each is not divided by: $question", ({ question }) => {
  expect(swappedRatio(question, counted("{{E2}} / {{E1}}"))).toBe(
    "E3 calculates {{E2}} / {{E1}}, and the question asks for pupils for each of " +
      `${question.includes("teachers") ? "teachers" : "teacher"}: that is {{E1}} / {{E2}}`,
  );
});

const perTeacher = "How many pupils has it for each of its teachers?";

it.each([
  { name: "it is the right way round", question: perTeacher, steps: counted("{{E1}} / {{E2}}") },
  {
    name: "a purpose says both",
    question: perTeacher,
    steps: counted("{{E2}} / {{E1}}", ["Pupils and teachers", "The teachers"]),
  },
  {
    name: "no purpose says what is counted",
    question: perTeacher,
    steps: counted("{{E2}} / {{E1}}", ["The school", "The teachers"]),
  },
  {
    name: "nothing is asked for each",
    question: "How many pupils has it, and how many teachers?",
    steps: counted("{{E2}} / {{E1}}"),
  },
  {
    name: "it is the same result",
    question: perTeacher,
    steps: counted("{{E1}} / {{E1}}"),
  },
])("nothing is doubted where $name", ({ question, steps }) => {
  expect(swappedRatio(question, steps)).toBeUndefined();
});

it.each([
  { name: "it is the right way round", question: asLong, steps: measured("{{E2}} / {{E1}}") },
  {
    name: "the question has the other order",
    question: "How many times as long is the Orrin Bridge as the Tanner Bridge?",
    steps: measured("{{E1}} / {{E2}}"),
  },
  {
    name: "the question asks for no ratio",
    question: "How long for each metre of the Orrin Bridge is the Tanner Bridge?",
    steps: measured("{{E1}} / {{E2}}"),
  },
  { name: "more is calculated", question: asLong, steps: measured("{{E1}} / {{E2}} * 100") },
  { name: "it is divided by a figure", question: asLong, steps: measured("{{E1}} / 2") },
  {
    name: "the division is not the last",
    question: asLong,
    steps: measured("{{E3}} * 2", "{{E1}} / {{E2}}"),
  },
  {
    name: "a step has to do with both",
    question: asLong,
    steps: measured("{{E3}} / {{E2}}", "{{E1}} - {{E2}}"),
  },
  {
    name: "the steps have other names",
    question: "How many times as long as the Swan Bridge is the Chain Bridge?",
    steps: measured("{{E1}} / {{E2}}"),
  },
  { name: "a step is not there", question: asLong, steps: measured("{{E7}} / {{E8}}") },
  { name: "there is no plan", question: asLong, steps: [] },
])("none is doubted where $name", ({ question, steps }) => {
  expect(swappedRatio(question, steps)).toBeUndefined();
});

it("reads a step once, however often its result is taken", () => {
  const sums = Array.from({ length: 60 }, (_, at) =>
    step(at + 3, "calculator", { expression: `{{E${at + 1}}} + {{E${at + 2}}}` }),
  );
  const [first, second] = measured("");
  const steps = [
    first,
    second,
    ...sums,
    step(63, "calculator", { expression: "{{E62}} / {{E61}}" }),
  ];
  expect(
    swappedRatio(
      asLong,
      steps.filter((one) => one !== undefined),
    ),
  ).toBeUndefined();
});
