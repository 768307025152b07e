import { tool } from "@langchain/core/tools";
import { z } from "zod";

import type { CheckedRequest, RunRequest } from "../../src/tools/call/stage.js";
import type { ToolPolicy } from "../../src/tools/policy.js";
import type { ToolCallContext, ToolCallResult } from "../../src/tools/tool-call.js";
import { createToolbox } from "../../src/tools/toolbox.js";
import { observation } from "./observations.js";
import { runScope, type RunScopeOptions } from "./run-scope.js";

/** What a stage of a tool call is given in a test: a call of `look_up`, with the run in the test's hands. */
export function toolRequest(
  policy: ToolPolicy = {},
  given: Partial<ToolCallContext> = {},
  options: RunScopeOptions = {},
) {
  const scope = runScope(options);
  const lookUp = tool(({ town }) => `12000 live in ${town}.`, {
    name: "look_up",
    description: "Looks a town up.",
    schema: z.object({ town: z.string() }),
  });
  const context: ToolCallContext = {
    toolbox: createToolbox([lookUp], { look_up: policy }),
    run: scope.run,
    config: {},
    observations: [],
    execution: { place: "node", isCommitted: false },
    texts: () => [],
    wrappers: [],
    state: { messages: [] },
    ...given,
  };
  const args = { town: "Alma" };
  const request: CheckedRequest = {
    call: { id: "c1", name: "look_up", args },
    entry: { tool: lookUp, policy, role: undefined, counts: true },
    context,
  };
  const running: RunRequest = { ...request, spent: scope.run.budget, last: {} };
  return { ...scope, request, running, found: found() };
}

/** The result of a call of `look_up`. */
export function found(content = "12000 live in Alma."): ToolCallResult {
  const args = { town: "Alma" };
  return { kind: "observed", observation: observation({ tool: "look_up", args, content }) };
}

/** The rest of a road that gives one result, with the requests that came to it. */
export function rest<Request, Result>(result: Result) {
  const requests: Request[] = [];
  const next = async (request: Request): Promise<Result> => {
    requests.push(request);
    return result;
  };
  return { requests, next };
}
