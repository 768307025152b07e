import type { StructuredToolInterface } from "@langchain/core/tools";

import { defined } from "../json/json.js";
import type { RunOptions } from "../runtime/options.js";
import { calculator } from "../tools/builtin/calculator.js";
import { randomNumber } from "../tools/builtin/random-number.js";
import type { GraphOptions } from "./graph-options.js";
import { createReactGraph } from "./react.js";
import { createRewooGraph } from "./rewoo.js";
import { createRouterGraph } from "./router.js";

type DefaultRouterOptions = RunOptions & Pick<GraphOptions, "tools" | "checkpointer" | "store">;

/** Only figures and signs, with at most a few words before them: a plain calculation. */
const bareSum =
  /^(?:(?:what(?:['’]s| is)|how much is|calculate|compute)\s)?[-\d\s+*/^().,%!×÷−]+[=?]?$/i;
const isBareSum = (question: string) => /\d/.test(question) && bareSum.test(question.trim());

/**
 * The router of the command line and Studio: a ReWOO graph for mathematics, a ReAct graph with `tools` for everything
 * else. A tool in `tools` replaces the calculator or random number tool of the same name.
 */
export function createDefaultRouter({
  tools = [],
  checkpointer,
  store,
  ...run
}: DefaultRouterOptions = {}) {
  return createRouterGraph({
    ...run,
    ...defined({ checkpointer, store }),
    routes: {
      mathematics: {
        description:
          "Sums, percentages, equations, random numbers: what can be calculated from the figures in the question.",
        graph: createRewooGraph({ ...run, tools: mathematicsTools(tools) }),
        when: isBareSum,
      },
      general: {
        description: "Everything else: facts, dates, lookups, orders, conversation.",
        graph: createReactGraph({ ...run, tools }),
      },
    },
  });
}

function mathematicsTools(given: NonNullable<GraphOptions["tools"]>): StructuredToolInterface[] {
  return [calculator, randomNumber].map((own) => {
    const isNamesake = (tool: (typeof given)[number]): tool is StructuredToolInterface =>
      "invoke" in tool && tool.name === own.name;
    return given.find(isNamesake) ?? own;
  });
}
