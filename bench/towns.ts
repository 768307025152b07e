import { setTimeout as delay } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { calculator, withPolicy } from "../src/index.js";

/** How long a look-up takes, in milliseconds. */
export const lookUpMs = 300;

/** What every graph is asked: two look-ups that need nothing of one another, a calculation over both, a comparison. */
export const question =
  "How many times the people of Alma live in Berg, and is that more or less than in Corin, where it is 3 times?";

const people: Record<string, number> = { Alma: 12_000, Berg: 45_000 };

const lookUp = tool(
  async ({ town }) => {
    await delay(lookUpMs);
    const text =
      `${town} lies on a river, has a market on Fridays and is known for its clocks. It was first named in a deed of the ` +
      "twelfth century, was rebuilt after a fire, and has grown since the railway came. Most who live there work in the " +
      "workshops along the river or in the school of engineering, which has drawn people from far away for a hundred years.";
    return { people: people[town] ?? 0, text };
  },
  {
    name: "look_up",
    description: "Looks a town up and gives how many people live there, with a text about it.",
    schema: z.object({ town: z.string().describe("The name of the town") }),
  },
);

const compare = tool(
  ({ left, right }) => `${left} is ${left > right ? "more" : "not more"} than ${right}.`,
  {
    name: "compare",
    description: "Says which of two numbers is more.",
    schema: z.object({ left: z.number(), right: z.number() }),
  },
);

/** The tools that every graph has. None of them changes anything. */
export const townTools = [
  withPolicy(lookUp, { effect: "read" }),
  withPolicy(calculator, { effect: "read" }),
  withPolicy(compare, { effect: "read" }),
];
