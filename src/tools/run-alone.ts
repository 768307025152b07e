import type { StructuredToolInterface } from "@langchain/core/tools";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { Budget } from "../run/budget.js";
import { systemClock } from "../run/clock.js";
import { resolveLimits } from "../run/limits.js";
import type { Observation } from "../state/observation.js";
import { invalidTool } from "./policy.js";
import { runToolCall } from "./run-tool-call.js";
import type { ToolCall } from "./tool-call.js";
import { createToolbox } from "./toolbox.js";

/**
 * Runs a call of one of the tools outside of a run as a run would: with its checks, attempts and time-out, without limits, and without asking
 * anybody. Throws `invalid_tool` for a tool that cannot be called alone.
 */
export async function runAlone(
  { name, args }: Pick<ToolCall, "name" | "args">,
  tools: readonly StructuredToolInterface[],
  config: LangGraphRunnableConfig & { readonly signal: AbortSignal },
): Promise<Observation> {
  // Who calls it gives what memory and users give, and has decided that it is called.
  const policy = { needsApproval: false, fromMemory: {}, grounded: [] };
  const budget = new Budget({
    limits: resolveLimits(),
    clock: systemClock,
    signal: config.signal,
  });
  const result = await runToolCall(
    { id: "call", name, args },
    {
      toolbox: createToolbox(tools, { [name]: policy }),
      run: { runId: `${name} alone`, budget, clock: systemClock, emit: () => {} },
      config,
      observations: [],
      texts: () => [],
      execution: { place: "node", isCommitted: true },
      wrappers: [],
      state: { messages: [] },
    },
  );
  if (result.kind === "observed") return result.observation;
  throw invalidTool(`"${name}" cannot be called alone.`);
}
