import { expect, it } from "vitest";

import { repairerTask } from "../../src/roles/repairer.js";

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
  planned: { expression: "{{E1.height}} * {{ E2 }}" },
  names: ["E1.height", "E2"],
  evidence: [
    { id: "E1", value: "It is 12 m high\nand old.", call: 'search {"query":"height of it"}' },
    { id: "E2", value: "x".repeat(5_000), call: 'search {"query":"number of floors"}' },
  ],
  problem: '"It" is no number',
});

it("tells a repairer what each result was asked for, and what it is needed for", () => {
  expect(task).toContain('(search {"query":"height of it"})\nE1: It is 12 m high\n  and old.');
  expect(task).toContain('for the tool sum {"expression": string}');
  expect(task).toContain('"It" is no number');
  expect(task).toContain('as {"E1.height": …, "E2": …}.');
});

it("shows it no reference that it could copy", () => {
  expect(task).toContain('meant to be {"expression":"<E1.height> * <E2>"}');
  expect(task).not.toContain("{{");
});

it("keeps long results short", () => {
  expect(task.length).toBeLessThan(3_000);
});
