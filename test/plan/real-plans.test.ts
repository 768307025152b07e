import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { parsePlan } from "../../src/plan/parse/parse-plan.js";

const Reads = z.union([
  z.object({ steps: z.array(z.unknown()), unread: z.array(z.string()).optional() }),
  // A replanner's reply that is no plan.
  z.object({ action: z.literal("respond") }),
  z.object({ neither: z.literal(true) }),
]);
const Tools = z.record(
  z.string(),
  z.object({ parameters: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
);
const Real = z.object({
  shape: z.string(),
  question: z.string(),
  tools: z.array(z.string()),
  finish_reason: z.string(),
  content: z.string(),
  reads: Reads,
});
const Shaped = z.object({
  name: z.string(),
  shape: z.string(),
  content: z.string(),
  reads: Reads,
  cut: z.boolean().optional(),
});

function fixture(name: string): unknown {
  const url = new URL(`../fixtures/real-replies/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8"));
}

const tools = Tools.parse(fixture("tools"));

/** The plan in a reply, with what is unread where the label tells of it. */
function read(
  content: string,
  names: readonly string[],
  isCut: boolean,
  labels: { unread?: unknown },
) {
  const parameters = Object.fromEntries(
    names.map((name) => [name, Object.keys(tools[name]?.parameters.properties ?? {})]),
  );
  const { steps, unread } = parsePlan(content, { parameters, isCut });
  return labels.unread === undefined ? { steps } : { steps, unread };
}

/** Without what only a reader of replans looks at. */
function labelled({ steps, unread }: { steps: unknown[]; unread?: string[] | undefined }) {
  return unread === undefined ? { steps } : { steps, unread };
}

describe("the plans of a small real model", () => {
  it.each(z.array(Real).parse(fixture("plans")))(
    "$shape: $question",
    ({ content, tools: names, finish_reason, reads }) => {
      const isCut = finish_reason === "length";
      const wanted = "steps" in reads ? labelled(reads) : { steps: [] };
      expect(read(content, names, isCut, wanted)).toEqual(wanted);
    },
  );
});

describe("plans in the shapes of papers and other models", () => {
  const names = ["search", "calculator", "find_rooms", "book_room", "current_date"];

  it.each(z.array(Shaped).parse(fixture("shaped-plans")))(
    "$shape: $name",
    ({ content, cut = false, reads }) => {
      const wanted = "steps" in reads ? labelled(reads) : { steps: [] };
      expect(read(content, names, cut, wanted)).toEqual(wanted);
    },
  );
});
