import { END, START, type StateDefinitionInit, StateGraph } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { createFinalizer } from "../nodes/finalizer.js";
import { createIntake } from "../nodes/intake.js";
import { createReporter } from "../nodes/reporter.js";
import { createRunner } from "../nodes/runner.js";
import type { WorkflowStep } from "../plan/workflow/steps.js";
import { invalidOption } from "../run/check-names.js";
import { issueLines } from "../run/errors.js";
import { compileGraph, type GraphOf } from "../runtime/compile-graph.js";
import { isOn } from "../runtime/options.js";
import type { OwnContext } from "../runtime/own-context.js";
import { byLimit } from "../state/limits.js";
import { noPlan, type Planning } from "../state/plan.js";
import { WorkflowState } from "../state/workflow.js";
import { argumentSchema } from "../tools/argument-schema.js";
import { llmToolName } from "../tools/builtin/llm.js";
import { askUser } from "../tools/builtin/people.js";
import { isNamedTool } from "../tools/provider-tool.js";
import type { Toolbox } from "../tools/toolbox.js";
import { type GraphOptions, graphParts } from "./graph-options.js";
import { HookedGraph } from "./hooked-graph.js";
import { isPlanDone } from "./routes.js";
import { type WorkflowDefinition, WorkflowFields, type WorkflowForm } from "./workflow/form.js";
import { inputFrom, isUnfit, newQuestion } from "./workflow/input.js";
import { workflowIssues } from "./workflow/issues.js";
import type { Callable, Callables } from "./workflow/scope.js";
import { outputOf, stepsOf } from "./workflow/reading.js";
import { objectSchema } from "./workflow/types.js";

/** Options of the graph of a workflow. Every field is optional. */
export type WorkflowOptions<
  State = StateDefinitionInit,
  Context extends OwnContext = OwnContext,
> = Omit<GraphOptions<State, never, Context>, "responseFormat"> & {
  /** Whether `messages` show the steps to people, as tool calls with results; default false. */
  readonly showSteps?: boolean;
};

const parts = {
  where: "createWorkflowGraph",
  base: WorkflowState,
  calls: "steps",
  options: { showSteps: true },
  prompts: {},
  examples: {},
} as const;

/** A compiled workflow. */
export type WorkflowGraph<State = unknown, Response = unknown, Context = unknown> = GraphOf<
  (typeof WorkflowState)["spec"],
  State,
  Response,
  Context
>;

/** The roles of a workflow whose steps ask the model. */
const asking = ["executor"] as const;

const noWorkflow = { ...noPlan, input: undefined, inputs: undefined };

function afterRunner(steps: readonly WorkflowStep[]) {
  return (state: Planning) => {
    if (state.outcome !== undefined) return "finalizer";
    // The calls of its items and rounds come while it runs: it is done with its own steps.
    return isPlanDone({ ...state, steps }) ? "reporter" : "runner";
  };
}

/**
 * A workflow: a plan that a person has written, with conditions, lists and repetitions. Its steps run like those of a
 * planned plan: what can run at once does, each call is recorded, approvals and limits hold.
 *
 *     START → intake → runner ⟲ → reporter → finalizer → END
 *
 * Takes `{ input }`, or `{ messages }` whose last one is the input as JSON (or as it is, for a workflow that requires one
 * text), and returns `{ messages, answer, outcome, usage, observations, steps }`; with `returns`, also
 * `structuredResponse`. A step that fails without a `fallback` ends the run as failed, after everything that does not
 * need it. Throws `invalid_option` with all problems of a definition that cannot work.
 */
export function createWorkflowGraph<State extends StateDefinitionInit, Context extends OwnContext>(
  definition: WorkflowDefinition,
  options?: WorkflowOptions<State, Context>,
): WorkflowGraph<State, unknown, Context>;
export function createWorkflowGraph(
  definition: WorkflowDefinition,
  options: WorkflowOptions = {},
): WorkflowGraph {
  const form = readDefinition(definition);
  const steps = stepsOf(form);
  const given = withDefaults(form, steps, options);
  const roles = steps.some(({ tool }) => tool === llmToolName) ? asking : [];
  const name = form.name ?? "workflow";
  const { toolbox, output, state, context, hooks, instructions, compile } = graphParts(given, {
    ...parts,
    name,
    roles,
  });
  checkWorkflow(form, toolbox);
  const result = form.returns === undefined ? undefined : objectSchema(form.returns);
  const showsSteps = isOn("showSteps", options.showSteps);
  const { graph } = new HookedGraph(
    new StateGraph(state, context).addNode({
      intake: createIntake({ roles, reset: noWorkflow, question: newQuestion, toolbox }),
      runner: createRunner({
        steps,
        toolbox,
        showsSteps,
        readInput: (question) => inputFrom(question, form.input ?? {}),
      }),
      reporter: createReporter({
        steps,
        output: outputOf(form),
        check: (value) => (result === undefined ? undefined : isUnfit(value, result)),
      }),
      finalizer: createFinalizer({ instructions, output }),
    }),
    hooks,
    ["runner"],
  )
    .addEdge(START, "intake")
    .addEdge("intake", "runner")
    .addConditionalEdges("runner", afterRunner(steps), ["runner", "reporter", "finalizer"])
    .addEdge("reporter", "finalizer")
    .addEdge("finalizer", END);
  return compileGraph(graph, compile);
}

function readDefinition(definition: WorkflowDefinition): WorkflowForm {
  const read = WorkflowFields.safeParse(definition);
  if (read.success) return read.data;
  throw invalidOption(`${parts.where}: ${issueLines(read.error.issues, "workflow").join("; ")}.`);
}

/** How many calls the steps make at most. */
function mostCalls(steps: readonly WorkflowStep[]): number {
  return steps.reduce((sum, { each, repeat }) => sum + (each?.max ?? repeat?.max ?? 1), 0);
}

const unset = byLimit((row) => row.unset);

/**
 * The options of a workflow. Its steps are bounded by what it says, so that their number reaches no limit and repetitions
 * are meant; at a limit nothing is asked for an answer.
 */
function withDefaults(
  { returns }: WorkflowForm,
  steps: readonly WorkflowStep[],
  { tools = [], limits, ...options }: WorkflowOptions,
) {
  const calls = mostCalls(steps);
  const asks = steps.some(({ tool }) => tool === askUser.name);
  const hasAsking = tools.filter(isNamedTool).some(({ name }) => name === askUser.name);
  return {
    earlyStopping: "force",
    ...options,
    tools: asks && !hasAsking ? [...tools, askUser] : tools,
    limits: {
      modelCalls: (unset.modelCalls ?? 0) + calls,
      toolCalls: (unset.toolCalls ?? 0) + calls,
      repeatedCalls: null,
      ...limits,
    },
    ...(returns === undefined ? {} : { responseFormat: objectSchema(returns) }),
  } as const;
}

/** What the tools of a workflow take and return. */
function callablesOf(toolbox: Toolbox): Callables {
  const callables = new Map<string, Callable>([[llmToolName, {}]]);
  for (const [name, { tool }] of toolbox) callables.set(name, { args: argumentSchema(tool) });
  return callables;
}

function checkWorkflow(form: WorkflowForm, toolbox: Toolbox): void {
  const issues = workflowIssues(form, callablesOf(toolbox));
  if (issues.length === 0) return;
  const lines = issues.map(({ path, message }) => `- ${path.map(String).join(".")}: ${message}`);
  throw new PlangraphError(
    "invalid_option",
    `${parts.where}: the workflow cannot run:\n${lines.join("\n")}`,
  );
}
