import type { StructuredToolInterface } from "@langchain/core/tools";

import type { RunOptions } from "../runtime/settings.js";
import { calculator } from "../tools/builtin/calculator.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import { physicalConstant } from "../tools/physical-constant.js";
import type { GraphOptions } from "./graph-options.js";
import { createReactGraph } from "./react.js";
import { createRewooGraph } from "./rewoo.js";
import { createRouterGraph } from "./router.js";

/** What a science router is made with. */
type ScienceRouterOptions = RunOptions & Pick<GraphOptions, "tools" | "checkpointer" | "store">;

/** Figures and signs alone, perhaps behind a few words: nothing but a sum. */
const bareSum =
  /^(?:(?:what(?:['’]s| is)|how much is|calculate|compute)\s)?[-\d\s+*/^().,%!×÷−]+[=?]?$/i;
const isBareSum = (question: string) => /\d/.test(question) && bareSum.test(question.trim());

/**
 * Mathematics to a graph that plans, physics to one that reasons step by step: each with tools of its own
 * and, where `models` has more than one, with models of its own (`planner` and `executor`; `router` chooses).
 * `tools` come to both, or take the place of a namesake.
 */
export function createScienceRouter({
  tools = [],
  checkpointer,
  store,
  ...run
}: ScienceRouterOptions = {}) {
  const mathematics = withOwn([calculator, randomNumber], tools);
  const physics = withOwn([calculator, physicalConstant], tools);
  return createRouterGraph({
    ...run,
    ...(checkpointer === undefined ? {} : { checkpointer }),
    ...(store === undefined ? {} : { store }),
    routes: {
      mathematics: {
        description:
          "Sums, percentages, equations, random numbers: what can be calculated from the figures in the question.",
        graph: createRewooGraph({ ...run, tools: mathematics }),
        when: isBareSum,
      },
      physics: {
        description:
          "Motion, forces, energy, heat, light, electricity, atoms: what needs a law or a constant of nature.",
        graph: createReactGraph({ ...run, tools: physics }),
      },
    },
  });
}

/** The tools that every route has that wants none of its own in their place. */
const ownNames = new Set([calculator, randomNumber, physicalConstant].map(({ name }) => name));

function withOwn(
  own: readonly StructuredToolInterface[],
  given: readonly StructuredToolInterface[],
): StructuredToolInterface[] {
  const byName = new Map(given.map((tool) => [tool.name, tool]));
  return [
    ...own.map((tool) => byName.get(tool.name) ?? tool),
    ...given.filter(({ name }) => !ownNames.has(name)),
  ];
}
