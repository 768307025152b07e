import * as fc from "fast-check";

import type { Step, TaskStep, ToolStep } from "../../src/plan/step.js";

const text = fc.string({ minLength: 1, unit: "grapheme" });

/** References to some of the steps before the one at `at`, alone and inside a text. */
function references(at: number) {
  if (at === 0) return text;
  const id = fc.integer({ min: 1, max: at }).map((number) => `{{E${number}}}`);
  return fc.oneof(
    text,
    id,
    fc.tuple(text, id).map((parts) => parts.join(" ")),
  );
}

function toolStep(at: number): fc.Arbitrary<ToolStep> {
  const value = fc.oneof(references(at), fc.jsonValue({ maxDepth: 3 }));
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: Math.max(1, at) }), {
    minLength: 1,
    maxLength: 3,
  });
  const after = ids.map((numbers) => (at === 0 ? {} : { after: numbers.map((id) => `E${id}`) }));
  return fc
    .tuple(
      fc.option(text),
      fc.stringMatching(/^[a-z][\w.-]{0,8}$/),
      fc.dictionary(text, value),
      fc.option(after),
    )
    .map(([thought, tool, args, order]) => ({
      kind: "tool",
      id: `E${at + 1}`,
      ...(thought === null ? {} : { thought }),
      tool,
      args: JSON.parse(JSON.stringify(args)),
      ...order,
    }));
}

function taskStep(at: number): fc.Arbitrary<TaskStep> {
  return fc.tuple(text, fc.boolean()).map(([task, isAfter]) => ({
    kind: "task",
    id: `S${at + 1}`,
    task,
    ...(isAfter && at > 0 ? { after: [`S${at}`] } : {}),
  }));
}

/** Plans that are valid: each step uses only what comes before it. */
export const validPlans: fc.Arbitrary<Step[]> = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.boolean())
  .chain(([count, isTools]) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, at): fc.Arbitrary<Step> =>
        isTools ? toolStep(at) : taskStep(at),
      ),
    ),
  );

/** Pieces that plans are made of, in any order: what a model at its worst writes. */
export const planTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "Plan: find it\n",
        "#E1 = search[a]",
        "#E2 = search[#E1",
        '1. search(query="a")',
        "2. book(a, $1, [1",
        "]",
        ")",
        "}",
        '"',
        "'",
        "\n",
        "\n\n\n",
        "3. join()",
        "<END_OF_PLAN>",
        "<think>",
        "```json\n",
        '{"steps":[',
        '{"id":"E1","tool":"search","args":{"query":"a"}}',
        '{"task":"find it"}',
        '"find it"',
        ",",
        "1. Find it.",
        "   - a point",
        "// why\n",
        "{{E1}}",
        "search[a] # why\n",
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));
