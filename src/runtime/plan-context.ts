import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import type { Planning } from "../state/plan.js";
import type { Toolbox } from "../tools/toolbox.js";
import { asTheyBegan } from "./as-they-began.js";
import type { Run } from "./enter-run.js";
import { withLlm } from "./plan-tools.js";
import { createRepair } from "./repair-arguments.js";
import type { PlanContext } from "./repair-step.js";
import { knownTexts } from "./turn.js";

/** What the steps of a plan run with. */
export function planContext(
  toolbox: Toolbox,
  { messages, observations }: Planning,
  run: Run,
  config: LangGraphRunnableConfig,
): PlanContext {
  return {
    toolbox: withLlm(toolbox, run, config),
    run,
    config,
    observations: asTheyBegan(observations),
    isPlanned: true,
    texts: () => knownTexts(messages, run),
    wrappers: run.settings.wrapToolCall,
    state: { messages },
    repair: createRepair(toolbox, run, config),
  };
}
