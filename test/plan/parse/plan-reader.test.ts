import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createPlanReader, parsePlan } from "../../../src/plan/parse/parse-plan.js";
import type { Step } from "../../../src/plan/step.js";
import { planTexts } from "../plan-arbitrary.js";

const options = { parameters: { search: ["query"], book: ["room", "start"] } };

/** The ids that come with each piece, and those that come only at the end. */
function stream(chunks: readonly string[]) {
  const reader = createPlanReader(options);
  const pushed = chunks.map((chunk) => reader.push(chunk).map(({ id }) => id));
  const all = reader.end().steps.map(({ id }) => id);
  return { pushed, late: all.slice(pushed.flat().length) };
}

describe("a plan that streams in", () => {
  it.each([
    {
      name: "an element of JSON when it closes",
      chunks: ['{"steps":[{"tool":"t","args":{"a":"}"}', "}", ',{"tool":"t","args":{}}', "]}"],
      pushed: [[], ["E1"], ["E2"], []],
      late: [],
    },
    {
      name: "a step alone when it closes",
      chunks: ['{"tool":"t","args":{}', "}"],
      pushed: [[], ["E1"]],
      late: [],
    },
    {
      name: "an assignment at its bracket",
      chunks: ["Plan: a #E1 = sear", "ch[x", "]", "\n"],
      pushed: [[], [], ["E1"], []],
      late: [],
    },
    {
      name: "a call at the end of its line",
      chunks: ['1. t(a="x"', ")", "\n"],
      pushed: [[], [], ["E1"]],
      late: [],
    },
    {
      name: "a call before the next one on its line",
      chunks: ['1. search("a") ', '2. search("b")', "\n"],
      pushed: [[], [], ["E1", "E2"]],
      late: [],
    },
    {
      name: "three newlines in one piece",
      chunks: ['1. t("a")\n\n\n2. t("b")\n\n\n3. t("c")\n\n\n4. join()\n'],
      pushed: [["E1", "E2", "E3"]],
      late: [],
    },
    {
      name: "a missing bracket once the line of the next step is there",
      chunks: ["#E1 = search[a\n", "#E2 = search[", "b]\n"],
      pushed: [[], [], ["E1", "E2"]],
      late: [],
    },
    {
      name: "a missing bracket in a list at the next line",
      chunks: ["1. search(a\n", "2. search(b)\n", "3. join()\n"],
      pushed: [[], ["E1", "E2"], []],
      late: [],
    },
    {
      name: "a call without a line break at the end",
      chunks: ['1. t("a")\n2. t("b")'],
      pushed: [["E1"]],
      late: ["E2"],
    },
    {
      name: "tasks at the end, since a plan in JSON may follow",
      chunks: ["1. Find it.\n2. Halve it.\n"],
      pushed: [[]],
      late: ["S1", "S2"],
    },
    {
      name: "a text task in a list of steps at once",
      chunks: ['{"steps":["find it"', ', "halve it"]}'],
      pushed: [["S1"], ["S2"]],
      late: [],
    },
    {
      name: "nothing from an open thought",
      chunks: ["<think>#E1 = search[a]", "</think>#E2 = search[b]"],
      pushed: [[], ["E2"]],
      late: [],
    },
  ])("gives $name", ({ chunks, pushed, late }) => {
    expect(stream(chunks)).toEqual({ pushed, late });
  });

  it("leaves unread at the end what a limit cut", () => {
    const reader = createPlanReader(options);
    expect(reader.push("#E1 = search[a]\n#E2 = search[b")).toHaveLength(1);
    expect(reader.end(true)).toMatchObject({ steps: [{ id: "E1" }], unread: ["#E2 = search[b"] });
  });

  it("is read the same in any pieces", () => {
    fc.assert(
      fc.property(planTexts, fc.array(fc.nat(9)), fc.boolean(), (text, sizes, isCut) => {
        const reader = createPlanReader(options);
        const given: Step[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1;
          given.push(...reader.push(text.slice(at, at + size)));
          at += size;
        }
        const { steps, ...rest } = reader.end(isCut);
        expect({ steps, ...rest }).toEqual(parsePlan(text, { ...options, isCut }));
        expect(steps.slice(0, given.length)).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  it("gives no step that the rest of the text could change", () => {
    fc.assert(
      fc.property(planTexts, planTexts, (text, rest) => {
        const given = createPlanReader(options).push(text);
        expect(parsePlan(text + rest, options).steps.slice(0, given.length)).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });
});
