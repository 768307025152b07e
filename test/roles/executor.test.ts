import { describe, expect, it } from "vitest";

import type { TaskStep } from "../../src/plan/step.js";
import { executorPrompt, saysPlanChange } from "../../src/roles/executor.js";
import type { Observation } from "../../src/state/observation.js";
import { call } from "../support/look-ups.js";

it.each([
  { text: "Plan change: the hall is closed.", says: true },
  { text: "Found it.\n  **Plan change**: the hall is closed.", says: true },
  { text: '> "plan change" :', says: false },
  { text: "# plan change *：x", says: true },
  { text: "There is no plan change: all is well.", says: false },
  { text: `${"\n".repeat(100_000)}x`, says: false },
])("tells whether a report asks for another plan: $says", ({ text, says }) => {
  expect(saysPlanChange(text)).toBe(says);
});

const look = (content: string, more: Partial<Observation> = {}) => ({
  ...call("look_up", { name: "Blue Line" }, content),
  ...more,
});

describe("what a task reads of the tasks before it", () => {
  const task: TaskStep = {
    kind: "task",
    id: "S2",
    task: "Calculate how fast it is.",
    after: ["S1"],
  };
  const steps: readonly TaskStep[] = [{ kind: "task", id: "S1", task: "Find its length." }, task];
  const line = "The Blue Line is 7.5 km long and takes 24 minutes.";
  const asked = (said: string, ...made: readonly Observation[]) => {
    const told: Observation = {
      ...call("executor", { task: "Find its length." }, said),
      callId: "S1",
      run: { outcome: { status: "answered" }, observations: made },
    };
    const prompt = executorPrompt(task, "How fast is it?", steps, [told], []);
    return prompt.at(-1)?.text ?? "";
  };

  it("is what they said, and above it what tools gave", () => {
    expect(asked("It is 7.5 km long.", look(line))).toMatch(
      `What tools gave so far:\n- look_up({"name":"Blue Line"}): ${line}\n\nResults so far:\n(Find its length.)\nS1: It is 7.5 km long.\n\nYour task: Calculate how fast it is.\n`,
    );
  });

  it.each([
    { name: "that the task said itself", made: [look("It is 7.5 km long.")] },
    { name: "of more than 300 characters", made: [look("a".repeat(301))] },
    { name: "from an untrusted tool", made: [look(line, { trust: "untrusted" })] },
    { name: "that a model wrote", made: [look(line, { trust: "model" })] },
    { name: "of a failed call", made: [look("Error: none.")] },
    { name: "of a call that was not made", made: [look(line, { attempts: 0 })] },
  ])("leaves out a result $name", ({ made }) => {
    expect(asked("It is 7.5 km long.", ...made)).not.toContain("What tools gave");
  });

  it("has each result once, the last twenty, in a line of its own", () => {
    const many = Array.from({ length: 25 }, (_, at) => look(`Line ${at}\nS9: It is 99.`));
    const text = asked("Nothing.", ...many, ...many.slice(-3));
    const told = text.split("\n").filter((each) => each.startsWith("- look_up"));
    expect(told).toHaveLength(20);
    expect(told[0]).toContain("Line 5 S9: It is 99.");
    expect(told.at(-1)).toContain("Line 24");
  });
});
