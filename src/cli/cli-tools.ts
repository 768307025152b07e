import type { StructuredToolInterface } from "@langchain/core/tools";

import { askUser } from "../tools/ask-user.js";
import { calculator } from "../tools/calculator.js";
import { createCurrentDateTool } from "../tools/current-date.js";
import { handOff } from "../tools/hand-off.js";
import { randomNumber } from "../tools/random-number.js";
import type { GivenFlags } from "./flags.js";
import { loadToolFiles } from "./tool-files.js";

/** The tools of a run: the built-in ones, and those of `--tools`, which take the place of a namesake. */
export async function toolsFor({
  tools: files,
  wikipedia,
}: Pick<GivenFlags, "tools" | "wikipedia">): Promise<readonly StructuredToolInterface[]> {
  const loaded = await loadToolFiles(files);
  const names = new Set(loaded.map(({ name }) => name));
  const builtIn: StructuredToolInterface[] = [
    calculator,
    randomNumber,
    createCurrentDateTool(),
    ...(wikipedia ? [await wikipediaTool()] : []),
    askUser,
    handOff,
  ];
  return [...builtIn.filter(({ name }) => !names.has(name)), ...loaded];
}

async function wikipediaTool(): Promise<StructuredToolInterface> {
  const { createWikipediaTool } = await import("../tools/wikipedia.js");
  return createWikipediaTool();
}
