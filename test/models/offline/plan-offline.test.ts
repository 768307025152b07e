import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { offlineGrammar, planOffline } from "../../../src/models/offline/offline-chat-model.js";

const calculation = (expression: string) => ({ tool: "calculator", args: { expression } });
const random = (low: number, high: number) => ({ tool: "random_number", args: { low, high } });

function callsOf(question: string) {
  const plan = planOffline(question);
  return "steps" in plan ? plan.steps.map(({ tool, args }) => ({ tool, args })) : plan.declined;
}

describe("planOffline", () => {
  it.each([
    { question: "What is 3457 * 43216?", calls: [calculation("3457 * 43216")] },
    { question: "(2+3)*4", calls: [calculation("(2+3)*4")] },
    { question: "Calculate 2 plus 3 times (4 - 1.5).", calls: [calculation("2 + 3 * (4 - 1.5)")] },
    { question: "What's ((1 + 2) * 3) ^ 2 / 4 =", calls: [calculation("((1 + 2) * 3) ^ 2 / 4")] },
    { question: "-3 minus -4", calls: [calculation("-3 - -4")] },
    { question: "100 divided by 7", calls: [calculation("100 / 7")] },
    { question: "3 × 4 ÷ 2", calls: [calculation("3 × 4 ÷ 2")] },
    { question: "Task: what is 2 + 2?", calls: [calculation("2 + 2")] },
    { question: "the square of 12", calls: [calculation("12 * 12")] },
    { question: "Pick a random number between 1 and 10", calls: [random(1, 10)] },
    { question: "random number between -5 and 5", calls: [random(-5, 5)] },
    {
      question: "What is the square of a random number between 1 and 10?",
      calls: [random(1, 10), calculation("{{E1}} * {{E1}}")],
    },
    {
      question: "3 plus the square of 4",
      calls: [calculation("4 * 4"), calculation("3 + {{E1}}")],
    },
    {
      question: "the square of the square of (1 plus a random number between 1 and 2)",
      calls: [
        random(1, 2),
        calculation("(1 + {{E1}}) * (1 + {{E1}})"),
        calculation("{{E2}} * {{E2}}"),
      ],
    },
    {
      question: "a random number between 1 and 2 times a random number between 3 and 4",
      calls: [random(1, 2), random(3, 4), calculation("{{E1}} * {{E2}}")],
    },
    { question: "What is the current date?", calls: [{ tool: "current_date", args: {} }] },
    { question: "What’s today’s date?", calls: [{ tool: "current_date", args: {} }] },
  ])("reads $question", ({ question, calls }) => {
    expect(callsOf(question)).toEqual(calls);
  });

  it.each([
    "",
    "What is",
    "Who wrote Faust?",
    "2 +",
    "(2 + 3",
    "2 3",
    "2(3)",
    "(2)(3)",
    "surplus",
    "1 plus today's date",
    "{{E1}} + 2",
    "random number between 1 and 10.5",
    "What is 2 + 2, and who wrote Faust?",
    "1 + ".repeat(200),
  ])("declines %j and says how to get a real model", (question) => {
    expect(callsOf(question)).toMatch(
      /^The offline model .*PLANGRAPH_MODEL=openai:NAME with OPENAI_API_KEY, or pass --model\.$/,
    );
  });

  it("numbers its steps and says in words what each is for", () => {
    expect(planOffline("3 plus the square of 4")).toEqual({
      steps: [
        { kind: "tool", id: "E1", thought: "square of 4", ...calculation("4 * 4") },
        { kind: "tool", id: "E2", thought: "3 + the result of E1", ...calculation("3 + {{E1}}") },
      ],
    });
  });

  it("never throws, and never refers to a step that does not come before", () => {
    const words = [
      ...Array.from("0123456789().+-*/^?"),
      "square of ",
      "random number between ",
      " and ",
      " plus ",
    ];
    const dates = [
      "current date",
      "today's date",
      "what is ",
      "the ",
      "{{E1}}",
      "{{E2}}",
      "task: ",
    ];
    const sentence = fc.array(fc.constantFrom(...words, ...dates)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), sentence), (question) => {
        const plan = planOffline(question);
        const steps = "steps" in plan ? plan.steps : [];
        for (const [index, { args }] of steps.entries()) {
          for (const [, id] of JSON.stringify(args).matchAll(/\{\{E(\d+)\}\}/g)) {
            expect(Number(id)).toBeLessThanOrEqual(index);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("prints the grammar it reads", () => {
    expect(offlineGrammar).toContain('"random number between" INTEGER "and" INTEGER');
  });
});
