import type { StructuredToolInterface } from "@langchain/core/tools";

import type { Environment } from "../models/model.js";
import { loadServices } from "../services/load-services.js";
import { calculator } from "../tools/builtin/calculator.js";
import { createCurrentDateTool } from "../tools/builtin/date-tools.js";
import { askUser, handOff } from "../tools/builtin/people.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import type { GivenFlags } from "./flags.js";
import { loadToolFiles } from "./tool-files.js";

/** The flags that bring tools. */
type ToolFlags = Pick<GivenFlags, "tools" | "services" | "allowHost" | "wikipedia">;

/** The tools of a run: the built-in ones, and those of `--tools` and `--services`, which take the place of a namesake. */
export async function toolsFor(
  { tools: files, services, allowHost, wikipedia }: ToolFlags,
  environment: Environment,
): Promise<readonly StructuredToolInterface[]> {
  const hosts = allowHost.length === 0 ? {} : { allowHosts: allowHost };
  const loaded = [
    ...(await loadToolFiles(files)),
    ...(await loadServices(services, { environment, ...hosts })),
  ];
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
  const { createWikipediaTool } = await import("../tools/builtin/wikipedia.js");
  return createWikipediaTool();
}
