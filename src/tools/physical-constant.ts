import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { nearestFirst } from "../plan/nearest.js";
import { type PhysicalConstant, physicalConstants } from "./physical-constants.js";
import { ToolError, withPolicy } from "./policy.js";

const schema = z.object({
  name: z.string().describe('The name or symbol of one constant, such as "electron mass" or "h".'),
});

/** Looks a constant of nature up by name or symbol (CODATA 2022); an unknown one is an error that names those most like it. */
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

/** How many constants an unknown one is told. */
const maxNames = 6;

function unknown(given: string, known: readonly PhysicalConstant[]): ToolError {
  const nearest = nearestFirst(
    given,
    known.map(({ name }) => name),
  ).slice(0, maxNames);
  const message = `there is no constant "${given}". Those most like it: ${nearest.join("; ")}.`;
  return new ToolError("invalid_arguments", message);
}
