import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";

import { toolForm } from "../../models/model-request.js";
import { zodOutput } from "../../models/response-format.js";
import type { ProviderTool } from "../../models/provider-tool.js";
import type { PlanExample } from "../../roles/examples.js";
import type { PlanTools } from "../../roles/plan-reading.js";
import { plannerPrompt } from "../../roles/planner.js";
import type { ExecutorForm, Means } from "../../roles/task-planner.js";
import { llmInstructions } from "../../roles/solver.js";
import { parentRunOf, type RunTime } from "../../run/scope.js";
import type { Planning } from "../../state/plan.js";
import { createLlmTool, createPromptTool, llmToolName } from "../../tools/builtin/llm.js";
import { checkPlanArguments } from "../../tools/check-arguments.js";
import { providerToolForm } from "../../tools/provider-tool.js";
import { toolsFor } from "../../tools/searchable.js";
import { changesAnything, changesSomething, type Toolbox } from "../../tools/toolbox.js";
import type { Run } from "../enter-run.js";
import { heard } from "../history.js";
import { type Instructions, textOf } from "../instructions.js";
import { knownTexts } from "../messages.js";
import { asTheyBegan } from "../run-calls.js";
import { createRepair } from "./repair-arguments.js";
import type { PlanContext } from "./run-steps.js";
import { openGate } from "./step-gate.js";

/** The context of a plan's steps. */
export function planContext(toolbox: Toolbox, state: Planning, run: Run): PlanContext {
  const context = stepContext(withLlm(toolbox, run), state, run);
  return { ...context, repair: createRepair(toolbox, run, state.objective) };
}

/** What the steps of every plan have. */
function stepContext(toolbox: Toolbox, state: Planning, run: Run): PlanContext {
  const { messages, observations, steps } = state;
  return {
    toolbox,
    run,
    config: run.config,
    observations: asTheyBegan(observations),
    isPlanned: true,
    texts: () => knownTexts(messages, run),
    wrappers: run.settings.wrapToolCall,
    state,
    planned: steps,
    gate: openGate,
  };
}

/** The form of steps that reason, as planners see it. */
const llmForm = toolForm(createLlmTool(async () => ""));

/** The tools that a plan's steps may call, and the executor model, unless a tool has its name. */
export function planTools(toolbox: Toolbox, time: RunTime): PlanTools {
  const forms = [...toolbox.values()].map(({ tool }) => toolForm(tool));
  return {
    forms: toolbox.has(llmToolName) ? forms : [...forms, llmForm],
    acts: (tool) => changesAnything(toolbox, tool),
    check: (tool, args) => checkPlanArguments(toolbox, tool, args, time),
  };
}

/** What a graph says to its planner. */
export type PlannerWords = {
  /** The planner's instructions. */
  readonly instructions: Instructions;
  /** Examples in place of the built-in ones. */
  readonly examples?: readonly PlanExample[] | undefined;
};

/** What the planner of a run reads before it is asked for steps, by the tools that it sees. */
export function plannerMessages(
  state: Planning,
  run: Run,
  { instructions, examples }: PlannerWords,
): (forms: PlanTools["forms"]) => BaseMessage[] {
  const text = textOf(instructions, state, run);
  const read = heard("planner", state, run);
  return (forms) => plannerPrompt(read, text, run.dateLine(), forms, examples);
}

/** The tools with which tasks may run, as planners see them, and whether they may change something. */
export async function taskTools(
  toolbox: Toolbox,
  provided: readonly ProviderTool[],
  run: Run,
  objective: string,
) {
  const allowed = run.allowed(toolbox);
  const seen = await toolsFor(allowed, [{ query: objective }]);
  const own = [...seen.values()].map(({ tool }) => toolForm(tool));
  const others = provided.filter(({ type }) => run.mayUse(type)).map(providerToolForm);
  return { forms: [...own, ...others], acts: changesSomething(allowed) };
}

/** What a run may carry tasks out with. */
export function meansOf(
  tools: Means["tools"],
  executors: readonly ExecutorForm[],
  { mayUse }: Run,
): Means {
  return {
    tools,
    executors: executors.map((each) => ({ ...each, tools: each.tools.filter(mayUse) })),
  };
}

/** Adds a tool that asks the executor model. */
function withLlm(toolbox: Toolbox, run: Run): Toolbox {
  const tool = createLlmTool((prompt, config) =>
    answerText(promptRequest(prompt, config, run), run),
  );
  return withAsking(tool, toolbox);
}

/** The context of a workflow's steps: a person wrote them, so that nothing repairs their arguments. */
export function workflowContext(
  toolbox: Toolbox,
  state: Planning,
  run: Run,
  /** The steps as they were written: their values are the author's own, and ground arguments. */
  written: string,
): PlanContext {
  const context = stepContext(withPrompts(toolbox, run), state, run);
  return { ...context, texts: () => [...context.texts(), written] };
}

/** Adds a tool that asks the executor model, also for an object. */
function withPrompts(toolbox: Toolbox, run: Run): Toolbox {
  const tool = createPromptTool(async ({ prompt, returns }, toolConfig) => {
    const request = promptRequest(prompt, toolConfig, run);
    if (returns === undefined) return answerText(request, run);
    const output = zodOutput("answer", returns);
    const reply = await run.askFor(
      "executor",
      { output, task: prompt },
      {
        ...request,
        messages: request.messages.slice(0, 1),
      },
    );
    if (reply.ok) return reply.value;
    throw new Error(reply.problem);
  });
  return withAsking(tool, toolbox);
}

/** The text that the executor model answers. Throws where it answers nothing. */
async function answerText(request: ReturnType<typeof promptRequest>, run: Run): Promise<string> {
  const reply = await run.ask("executor", request);
  if (reply.kind === "replied") return reply.message.text;
  throw new Error(reply.kind === "failed" ? reply.reason : `the limit of ${reply.limit}`);
}

/** What the executor model is asked by a step. */
function promptRequest(prompt: string, toolConfig: object, run: Run) {
  const { budget = run.budget, of } = parentRunOf(toolConfig) ?? {};
  return {
    for: of?.callId,
    // The calls of the plan belong to what its planner knew.
    run: { ...run, budget, memory: run.memory.fork() },
    messages: [new SystemMessage(llmInstructions), new HumanMessage(prompt)],
  };
}

function withAsking(tool: StructuredToolInterface, toolbox: Toolbox): Toolbox {
  const policy = { effect: "read", timeoutMs: Infinity } as const;
  return new Map([[llmToolName, { tool, policy, role: undefined, counts: true }], ...toolbox]);
}
