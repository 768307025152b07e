import type { StructuredToolInterface } from "@langchain/core/tools";

import { calculator } from "./calculator.js";
import { compare } from "./compare.js";
import { createCurrentDateTool } from "./date-tools.js";
import { askUser, handOff } from "./people.js";
import { randomNumber } from "./random-number.js";

/** The built-in tools by name. */
export const builtInTools: { readonly [name: string]: () => Promise<StructuredToolInterface> } = {
  calculator: async () => calculator,
  compare: async () => compare,
  random_number: async () => randomNumber,
  current_date: async () => createCurrentDateTool(),
  ask_user: async () => askUser,
  hand_off: async () => handOff,
  wikipedia: async () => {
    const { createWikipediaTool } = await import("./wikipedia.js");
    return createWikipediaTool();
  },
};
