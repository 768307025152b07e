// What the town's tools know. TOWN_SEED asks in a town of other figures.
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { calculator, compare, withPolicy } from "plangraph";
import { z } from "zod";

import { createTown, type Town, years } from "./town.js";

/** The tools of a town. None of them changes anything. */
export function townTools(town: Town): readonly StructuredToolInterface[] {
  const lookUp = tool(
    ({ name }: { readonly name: string }) => {
      const found = named(name, town);
      return found?.text ?? `The handbook says nothing about "${name}".`;
    },
    {
      name: "look_up",
      description:
        "What the handbook of Harrowmere says about one thing: a district, bridge, firm, school, park, tower, museum, " +
        "tram line, lamp or person. It tells all about it but how many people, homes, workers, pupils or visitors it has.",
      schema: z.object({ name: z.string().max(30).describe("Its name, such as Swan Bridge.") }),
    },
  );
  const census = tool(
    ({ name, year }: { readonly name: string; readonly year: number }) => {
      const found = named(name, town);
      const figures = Object.entries(found?.yearly ?? {}).flatMap(([figure, values]) => {
        const value = values[year];
        return value === undefined ? [] : [[figure, value] as const];
      });
      if (found === undefined || figures.length === 0) {
        throw new Error(`There are no figures of ${name} for ${year}.`);
      }
      return { name: found.name, year, ...Object.fromEntries(figures) };
    },
    {
      name: "census",
      description:
        "How many people and homes a district had in one of these years, workers and revenue (in thousand crowns) a " +
        "firm, pupils a school, visitors a museum.",
      schema: z.object({
        name: z.string().max(30).describe("Its name, such as Millrow."),
        year: z.literal(years),
      }),
    },
  );
  return [
    ...[lookUp, census].map((one) => withPolicy(one, { effect: "read" })),
    calculator,
    compare,
  ];
}

/** The thing that is meant: its name alone, or among other words. */
function named(words: string, town: Town) {
  const asked = words.toLowerCase();
  const found = [...town.values()].filter(({ name }) => asked.includes(name.toLowerCase()));
  return found.toSorted((one, other) => other.name.length - one.name.length)[0];
}

export const tools = townTools(createTown(Number(process.env["TOWN_SEED"] ?? 1)));
