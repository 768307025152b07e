import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { GraphNode, LangGraphRunnableConfig } from "@langchain/langgraph";

import { callModel } from "../models/call-model.js";
import { parentRunOf } from "../guards/parent-run.js";
import type { ToolStep } from "../plan/step.js";
import { llmInstructions } from "../prompts/llm.js";
import { asTheyBegan } from "../runtime/as-they-began.js";
import { closePlan, type PlanWrites } from "../runtime/close-plan.js";
import { enterRun, type Run } from "../runtime/enter-run.js";
import { modelRequest } from "../runtime/model-request.js";
import { createRepair } from "../runtime/repair-arguments.js";
import type { PlanContext } from "../runtime/repair-step.js";
import { roundOfPlan } from "../runtime/run-plan.js";
import { knownTexts } from "../runtime/turn.js";
import type { Planning, PlanState } from "../state/plan.js";
import { createLlmTool, llmToolName } from "../tools/llm.js";
import type { Toolbox } from "../tools/toolbox.js";

/** What the worker works with. */
export type WorkerOptions = { readonly toolbox: Toolbox };

/** Works a plan off: runs its steps, side by side where they do not need one another. */
export function createWorker({ toolbox }: WorkerOptions): GraphNode<typeof PlanState> {
  return async function worker(state, config): Promise<PlanWrites> {
    const run = enterRun(state, config, "worker");
    const { messages, observations } = state;
    const context: PlanContext = {
      toolbox: withLlm(toolbox, run, config),
      run,
      config,
      observations: asTheyBegan(observations),
      texts: () => knownTexts(messages),
      wrappers: run.settings.wrapToolCall,
      state: { messages },
      repair: createRepair(toolbox, run, config),
    };
    const steps = toolStepsOf(state);
    return closePlan(await roundOfPlan(steps, state, context), steps, state, context);
  };
}

/** The steps of the plan that call tools. */
export function toolStepsOf({ steps }: Pick<Planning, "steps">): ToolStep[] {
  return steps.flatMap((step) => (step.kind === "tool" ? [step] : []));
}

/** The tools, and one that asks the executor model. */
function withLlm(toolbox: Toolbox, run: Run, config: LangGraphRunnableConfig): Toolbox {
  const tool = createLlmTool(async (prompt, toolConfig) => {
    const ledger = parentRunOf(toolConfig)?.ledger ?? run.ledger;
    const reply = await callModel({
      ...(await modelRequest(run, config, "executor")),
      run: { ...run, ledger },
      messages: [new SystemMessage(llmInstructions), new HumanMessage(prompt)],
      toUser: false,
    });
    if (reply.kind === "replied") return reply.message.text;
    throw new Error(reply.kind === "failed" ? reply.reason : `the limit of ${reply.limit}`);
  });
  return new Map([
    ...toolbox,
    [llmToolName, { tool, policy: { effect: "read", timeoutMs: Infinity }, role: undefined }],
  ]);
}
