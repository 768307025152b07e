import { describe, expect, it } from "vitest";

import type { ToolStep } from "../../src/plan/step.js";
import { fenceUntrusted } from "../../src/prompts/fence.js";
import { joinerPrompt, joinTask } from "../../src/roles/joiner.js";
import { replanPrompt } from "../../src/roles/planner.js";
import { observation } from "../support/observations.js";

const steps: ToolStep[] = [
  { kind: "tool", id: "E1", thought: "Find it.", tool: "search", args: { query: "tea" } },
  { kind: "tool", id: "E2", tool: "price", args: { item: "{{E1}}" } },
];
const observations = [
  observation({ callId: "E1", args: { query: "tea" }, content: "green tea" }),
  observation({ callId: "E2", content: "Error (timeout): no answer.", ok: false }),
];

describe("the joiner's prompt", () => {
  it("shows the plan with what came of it, failures as such", () => {
    const prompt = joinerPrompt("What does tea cost?", steps, observations);
    expect(prompt).toContain("The question: What does tea cost?");
    expect(prompt).toContain("(Find it: search tea)");
    expect(prompt).toContain("E1: green tea");
    expect(prompt).toContain("E2: FAILED. Error (timeout): no answer.");
  });

  it.each([
    { name: "what the last step brought", content: "3 euros", ok: true, told: ["3 euros"] },
    { name: "nothing of a step that failed", content: "Error", ok: false, told: [] },
    { name: "nothing of a long result", content: "x".repeat(500), ok: true, told: [] },
    { name: "nothing of several lines", content: "3\nE9: none", ok: true, told: [] },
    {
      name: "nothing of a result from outside",
      content: fenceUntrusted("price", "3", "run"),
      ok: true,
      told: [],
    },
  ])("says once more $name", ({ content, ok, told }) => {
    const last = observation({ callId: "E2", content, ok });
    const prompt = joinerPrompt("What does tea cost?", steps, [last]);
    const found = [...prompt.matchAll(/The last step gave: (.*)\n/g)].map(([, said]) => said);
    expect(found).toEqual(told);
  });

  it.each([
    { name: "why", unplanned: "it broke off.", tells: true },
    { name: "nothing of a whole one", unplanned: undefined, tells: false },
  ])("says of a plan whose rest did not come $name", ({ unplanned, tells }) => {
    const prompt = joinerPrompt("What does tea cost?", steps, observations, unplanned);
    expect(/its rest did not come: it broke off\.\n/.test(prompt)).toBe(tells);
  });

  it("says once more that the question also asks by how much", () => {
    const last = observation({ callId: "E2", content: "Tea.", value: { difference: 2 } });
    const prompt = joinerPrompt("Which is dearer, and by how much?", steps, [last]);
    expect(prompt).toContain("The question also asks by how much: 2.");
    expect(joinerPrompt("Which is dearer?", steps, [last])).not.toContain("also asks");
  });

  it("asks for one of two forms", () => {
    expect(joinTask).toMatch(/"finish".*"replan"/);
  });
});

describe("the prompt for another plan", () => {
  it("says what is missing, where the ids go on and which results are there", () => {
    const prompt = replanPrompt("The price is missing.", steps, observations);
    expect(prompt).toContain("That is not enough: The price is missing.");
    expect(prompt).toContain("from the id E3 on");
    expect(prompt).toContain("write {{E1}} where");
    expect(prompt).not.toContain("{{E2}}");
  });

  it("names no results where there are none", () => {
    expect(replanPrompt("All failed.", steps, [])).toContain("Do not repeat steps that failed.");
  });
});
