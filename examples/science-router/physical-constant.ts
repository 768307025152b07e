import { tool } from "@langchain/core/tools";
import { ToolError, withPolicy } from "plangraph";
import { z } from "zod";

import { type PhysicalConstant, physicalConstants } from "./physical-constants.js";

const schema = z.object({
  name: z.string().describe('The name or symbol of one constant, such as "electron mass" or "h".'),
});

/** Looks up a constant of nature by name or symbol (CODATA 2022). For an unknown name the error lists those that may be meant. */
export const physicalConstant = withPolicy(
  tool(({ name }: z.infer<typeof schema>) => told(constantOf(name)), {
    name: "physical_constant",
    description:
      "Returns a physical constant's value with its unit: speed of light, Planck constant, gravitational constant, masses of particles and the like.",
    schema,
  }),
  { effect: "read" },
);

function told({ name, symbol, value, unit }: PhysicalConstant) {
  return { name, symbol, value, unit };
}

function constantOf(asked: string): PhysicalConstant {
  const given = asked.trim();
  const words = wordsIn(given);
  const named = (fits: (name: readonly string[]) => boolean) =>
    physicalConstants.filter((constant) => namesOf(constant).some((name) => fits(wordsIn(name))));
  const isWithin = (name: readonly string[]) => words.every((word) => name.includes(word));
  // "G" is not "g": a symbol as it stands comes first.
  const readings = [
    physicalConstants.filter(({ symbol }) => symbol === given),
    named((name) => name.length === words.length && isWithin(name)),
    words.length === 0 ? [] : named(isWithin),
  ];
  const candidates = readings.find(({ length }) => length > 0) ?? [];
  const [found] = candidates;
  if (found !== undefined && candidates.length === 1) return found;
  throw unknown(given, found === undefined ? physicalConstants : candidates);
}

function namesOf({ name, symbol, aliases = [] }: PhysicalConstant): readonly string[] {
  return [name, symbol, ...aliases];
}

/** What says nothing about which constant is meant: "the mass of the electron" is the "electron mass". */
const filler = new Set(["the", "of", "a", "an", "in", "for", "constant", "value", "s"]);

function wordsIn(name: string): string[] {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}_∞/]+/u);
  return words.filter((word) => word !== "" && !filler.has(word));
}

function unknown(given: string, known: readonly PhysicalConstant[]): ToolError {
  const names = known.map(({ name }) => name).join("; ");
  return new ToolError("invalid_arguments", `there is no constant "${given}". Known: ${names}.`);
}
