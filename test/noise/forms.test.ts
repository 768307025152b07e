import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { zodOutput } from "../../src/models/response-format.js";
import { fitting } from "../../src/models/structured-output.js";
import { joinOutput } from "../../src/roles/joiner.js";
import { planReading } from "../../src/roles/plan-reading.js";
import { planOutput } from "../../src/roles/planner.js";
import { replanOutput } from "../../src/roles/replanner.js";
import { routeOutput } from "../../src/roles/router.js";
import { taskPlanOutput } from "../../src/roles/task-planner.js";
import { hardCalls, plainCalls } from "./calls.js";
import { kinds, noisyJson, noisyText, slipsOf } from "./replies.js";
import { noiseForms } from "./tools.js";

const seed = 20_312;
const reading = planReading(
  { forms: noiseForms, check: async () => [], acts: () => true },
  { planSteps: null, earlier: [] },
);
const soFar = { steps: [], ended: new Set<string>() };
const rules = { soFar, failed: new Set<string>(), rejected: [], planSteps: null, acts: false };

const tasks = [
  { id: "S1", task: "Find the height.", after: [] },
  { id: "S2", task: "Double it.", after: ["S1"] },
];
const table = [
  {
    name: "join",
    form: joinOutput,
    value: { thought: "Done.", action: "finish", answer: "42 metres" },
  },
  {
    name: "route",
    form: routeOutput(["science", "travel"], true),
    value: { reason: "It asks.", route: "travel" },
  },
  { name: "replan", form: replanOutput(rules), value: { action: "continue", steps: tasks } },
  { name: "task plan", form: taskPlanOutput(null, false), value: { steps: tasks } },
  {
    name: "structured",
    form: zodOutput(
      "heights",
      z.object({ names: z.array(z.string()), metres: z.number(), isSure: z.boolean() }),
    ),
    value: { names: ["Kenya", "Elgon"], metres: 5199, isSure: true },
  },
];

/** Slips of which some form is not read: of doubled braces and of texts for numbers a repair turn makes an end. */
const unread = ["braces doubled", "numbers as texts"];
const read = kinds.filter(({ oracle, name }) => oracle === "recovers" && !unread.includes(name));

const slips = fc.constantFrom(...kinds).chain(slipsOf);

describe("a reply in a form, with one to three slips", () => {
  it.each(table)("never throws, and gives a value or a problem: $name", async ({ form, value }) => {
    await fc.assert(
      fc.asyncProperty(slips, fc.boolean(), async (wrong, isCut) => {
        const text = noisyText(noisyJson(value, wrong), wrong);
        const got = await fitting<unknown>(text, isCut, form);
        expect(got).toHaveProperty(got.ok ? "value" : "problem");
      }),
      { numRuns: 300, seed },
    );
  });

  it.each(table)("is read where a careful human reads it: $name", async ({ form, value }) => {
    const meant = await fitting<unknown>(JSON.stringify(value), false, form);
    expect(meant.ok).toBe(true);
    for (const kind of read) {
      const wrong = [{ kind, at: 7 }];
      const text = noisyText(noisyJson(value, wrong), wrong);
      const got = await fitting<unknown>(text, false, form);
      expect({ kind: kind.name, got }).toEqual({ kind: kind.name, got: meant });
    }
  });

  it("keeps the arguments of a plan's steps, or sends the plan back", async () => {
    const form = planOutput(reading);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(plainCalls, hardCalls),
        fc.constantFrom(...read),
        async (call, kind) => {
          const { name: tool, args } = call;
          const value = { steps: [{ id: "E1", thought: "First.", tool, args }] };
          const wrong = [{ kind, at: 3 }];
          const meant = await fitting(JSON.stringify(value), false, form);
          const text = noisyText(noisyJson(value, wrong), wrong);
          const got = await fitting(text, false, form);
          expect([meant, { ok: false, problem: expect.any(String) }]).toContainEqual(got);
        },
      ),
      { numRuns: 400, seed },
    );
  });
});
