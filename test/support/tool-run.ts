import type { StructuredToolInterface } from "@langchain/core/tools";

import type { Observation } from "../../src/state/observation.js";
import type { ToolPolicy } from "../../src/tools/policy.js";
import { runToolCall } from "../../src/tools/run-tool-call.js";
import type { ToolCallContext, ToolCallResult } from "../../src/tools/tool-call.js";
import { createToolbox } from "../../src/tools/toolbox.js";
import { runScope, type RunScopeOptions } from "./run-scope.js";

/** What a call in a test differs in from a plain one. */
export type CallOptions = Partial<
  Pick<ToolCallContext, "observations" | "decision" | "config" | "wrappers" | "state">
> &
  Partial<ToolCallContext["execution"]> & {
    readonly id?: string;
    readonly texts?: readonly string[];
  };

/** A run with tools to call. */
export function toolRun(
  tools: readonly StructuredToolInterface[],
  policies: { readonly [name: string]: ToolPolicy } = {},
  options: RunScopeOptions = {},
) {
  const scope = runScope(options);
  const toolbox = createToolbox(tools, policies);
  const call = (name: string, args: unknown, given: CallOptions = {}): Promise<ToolCallResult> => {
    const { id = "c1", texts = [], place = "node", isCommitted = false, ...context } = given;
    return runToolCall(
      { id, name, args },
      {
        toolbox,
        run: scope.run,
        config: {},
        observations: [],
        execution: { place, isCommitted },
        texts: () => texts,
        wrappers: [],
        state: { messages: [] },
        ...context,
      },
    );
  };
  const observe = async (...given: Parameters<typeof call>): Promise<Observation> => {
    const result = await call(...given);
    if (result.kind === "observed") return result.observation;
    throw new Error(`Expected an observation, got ${JSON.stringify(result)}.`);
  };
  return { ...scope, toolbox, call, observe };
}
