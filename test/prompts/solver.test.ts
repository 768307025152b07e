import { expect, it } from "vitest";

import { repairerTask } from "../../src/prompts/repairer.js";
import { solverPrompt } from "../../src/prompts/solver.js";
import { observation } from "../support/observations.js";

const step = (id: string, item: string) => ({
  kind: "tool" as const,
  id,
  thought: "Look it up.",
  tool: "price",
  args: { item },
});

it("tells the solver the plan and every result, failures as such", () => {
  const prompt = solverPrompt(
    "What does tea cost?",
    [step("E1", "tea"), step("E2", "oats"), step("E3", "rye")],
    [
      observation({ callId: "E1", content: "3 euros" }),
      observation({ callId: "E2", ok: false, content: "Error (rejected): sold out" }),
    ],
  );
  expect(prompt).toContain("Answer the question: What does tea cost?");
  expect(prompt).toContain('E1: Look it up. price({"item":"tea"})');
  expect(prompt).toContain("E1: 3 euros\nE2: FAILED. Error (rejected): sold out\nE3: not run");
});

it("shows a repairer no reference that it could copy", () => {
  const task = repairerTask({
    tool: {
      name: "sum",
      description: "Adds.",
      parameters: {
        type: "object",
        properties: { expression: { type: "string" } },
        required: ["expression"],
      },
    },
    planned: { expression: "{{E1.height}} * 2" },
    evidence: [{ id: "E1", value: "It is 12 m high." }],
    problem: '"It" is no number',
  });
  expect(task).toContain('The tool: sum {"expression": string}');
  expect(task).toContain('meant to be {"expression":"<E1> * 2"}');
  expect(task).toContain("E1: It is 12 m high.");
  expect(task).toContain('"It" is no number');
  expect(task).not.toContain("{{");
});
