import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseExact } from "../../src/json/exact-json.js";
import { parsePlan } from "../../src/plan/parse/parse-plan.js";
import { printPlan } from "../../src/plan/print-plan.js";
import { planTexts, validPlans } from "./plan-arbitrary.js";

const options = { parameters: { search: ["query"], book: ["room", "start"] } };

it("reads any text without throwing", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), planTexts), fc.boolean(), (text, isCut) => {
      const { steps, unread } = parsePlan(text, { ...options, isCut });
      expect(steps.every(({ id }) => id !== "")).toBe(true);
      expect(unread.every((piece) => piece === piece.trim() && piece !== "")).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it("reads any object without throwing", () => {
  fc.assert(
    fc.property(fc.object(), (object) => {
      expect(parsePlan(object, options).steps).toBeInstanceOf(Array);
    }),
  );
});

describe("printPlan", () => {
  it("prints what is read the same again, from text and from the object", () => {
    fc.assert(
      fc.property(validPlans, (steps) => {
        const text = printPlan(steps);
        const object: object = JSON.parse(text);
        // Numbers that JavaScript would change are read as their digits.
        const exact = parseExact(JSON.stringify(steps));
        expect(parsePlan(text)).toEqual({ steps: exact, unread: [] });
        expect(parsePlan(object)).toEqual({ steps: exact, unread: [] });
      }),
    );
  });

  it("says of tasks that they have no order", () => {
    expect(printPlan([{ kind: "task", id: "S1", task: "find it" }])).toBe(
      '{"steps":[{"id":"S1","task":"find it","after":[]}]}',
    );
  });
});

/** Words that stand for themselves: where they go can be followed. */
const words = fc.stringMatching(/^w[a-v]{3,6}z$/);
const line = fc.oneof(
  words,
  fc.tuple(words, words).map(([thought, input]) => `Plan: ${thought}\n#E1 = search[${input}]`),
  fc.tuple(words, words).map(([room, start]) => `2. book(${room}, ${start})`),
  fc.tuple(words, words).map(([tool, input]) => `3. t${tool}(${input})`),
  words.map((input) => `4. search(${input}, [`),
  words.map((task) => `1. ${task}`),
  fc.tuple(words, words).map(([task, word]) => `{"steps":["${task}"], "note": "${word}"}`),
  fc
    .tuple(words, words)
    .map(([query, word]) => `[{"tool":"search","args":{"query":"${query}"}}, "${word}"`),
);

it("keeps every word of a text, in a step or unread, once", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), (lines, isCut) => {
      const text = lines.join("\n");
      const plan = parsePlan(text, { ...options, isCut });
      const kept = JSON.stringify(plan).match(/w[a-v]{3,6}z/g) ?? [];
      expect(kept.toSorted()).toEqual((text.match(/w[a-v]{3,6}z/g) ?? []).toSorted());
    }),
    { numRuns: 500 },
  );
});

describe("a text of 200 KB", () => {
  const pieces = [
    "#E1 = search[",
    "#E1 = search[\n",
    "#E1 = search[#E1]\n",
    "1. t(\n",
    "1. search($1, $1)\n",
    "search[a] ",
    "join()",
    "Plan: x\n",
    "1. Find it.\n",
    '{"steps":[',
    '{"a":',
    '{"a":1}\n',
    "[{",
    "{{E1",
    '\\"',
    "“",
    "a",
    " ",
    "\n",
  ];
  const behind = ['1. t("', '{"steps":[{"a":'].flatMap((head) =>
    ["#E1 = search[\n", "1. t(\n", '\\"', "a", " "].map((piece) => ({ head, piece })),
  );
  const texts = [...pieces.map((piece) => ({ head: "", piece })), ...behind].map((each) => ({
    name: JSON.stringify(each.head + each.piece),
    ...each,
  }));

  // A reading that looks at every character from every other takes minutes, a good one tens of milliseconds.
  it.each(texts)("is read in time: $name again and again", { timeout: 5000 }, ({ head, piece }) => {
    const text = head + piece.repeat(200_000 / piece.length);
    const { unread } = parsePlan(text, { parameters: options.parameters });
    expect(unread.join("").length).toBeLessThanOrEqual(text.length);
  });
});
