import type { BaseMessage } from "@langchain/core/messages";

import { objectSchema } from "../models/provider/output-mode.js";
import type { ReplyOutputSchema } from "../models/structured-output.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { orderTasks } from "../plan/plan-order.js";
import { type TaskStep, taskStepsOf, withExecutors } from "../plan/step.js";
import { validatePlan, writtenTaskIssues } from "../plan/validate-plan.js";
import type { ToolForm } from "../prompts/tool-protocol.js";
import { agentPrompt } from "./agent.js";
import { planExamples, type TaskExample } from "./examples.js";
import { type PlanOrAnswer, planReplyOutput, type PlanRules } from "./planner.js";

/** The default instructions of a planner of tasks. */
export const defaultTaskPlannerInstructions =
  "You plan how to answer the user's question in steps; you do not answer it. Each step is one task in a " +
  "sentence, which somebody else carries out with tools and without the conversation: it names all that it is " +
  "about. You know no figures, names or dates yourself: plan a step for every fact that is needed, then the " +
  'calculations. A step that needs earlier results says so, as in "the result of S1", and lists them in ' +
  '"after"; steps that need nothing of one another have no order. The last step comes to what answers the ' +
  'whole question and is marked "final".';

/** The prompt of a planner of tasks: the conversation with the available tools. */
export function taskPlannerPrompt(
  messages: readonly BaseMessage[],
  instructions: string,
  date: string,
  means: Means,
  examples: readonly TaskExample[] = [taskExample(means.executors)],
): BaseMessage[] {
  const parts = [instructions, meansList(means), ...planExamples(examples, new Set())];
  return agentPrompt(messages, parts.join("\n\n"), date);
}

/** An executor as planners see it. */
export type ExecutorForm = {
  readonly name: string;
  readonly description: string;
  /** The names of its tools. */
  readonly tools: readonly string[];
};

/** What tasks are carried out with: tools, or executors with tools of their own. */
export type Means = {
  readonly tools: readonly ToolForm[];
  readonly executors: readonly ExecutorForm[];
};

/** What tasks are carried out with, for planners. */
export function meansList({ tools, executors }: Means): string {
  if (executors.length === 0) return toolList(tools);
  const lines = executors.map(({ name, description, tools: own }) => {
    const list = own.length === 0 ? "" : ` Its tools: ${own.join(", ")}.`;
    return `- ${name}: ${oneLine(description)}${list}`;
  });
  return `Each step names as "executor" the one of these that carries it out:\n${lines.join("\n")}`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

/** The tools by name and description: a planner of tasks needs no arguments. */
function toolList(tools: readonly ToolForm[]): string {
  if (tools.length === 0) return "There are no tools: steps are carried out by thinking alone.";
  const lines = tools.map(({ name, description }) => `- ${name}: ${oneLine(description)}`);
  return `The steps are carried out with these tools:\n${lines.join("\n")}`;
}

/** An example plan, with executors in turn where there are some. */
function taskExample(executors: readonly ExecutorForm[]): TaskExample {
  const { question, steps } = exampleOfTasks;
  const nameAt = (at: number) => executors[at % executors.length]?.name;
  return { question, steps: steps.map((step, at) => ({ ...step, executor: nameAt(at) })) };
}

const exampleOfTasks: TaskExample = {
  question: "How many times the weight of a Falbo bell is the weight of a Renn bell?",
  steps: [
    { task: "Find the weight of a Falbo bell." },
    { task: "Find the weight of a Renn bell." },
    {
      task: "Calculate how many times the result of S1 the result of S2 is: the result of S2 divided by the result of S1.",
      after: ["S1", "S2"],
      final: true,
    },
  ],
};

/** A plan of tasks, or an answer instead. */
export type TasksPlanned = PlanOrAnswer<TaskStep>;

/** The schema of a task. Small models run away in long texts and endless plans. */
export function taskSchema(executors: readonly string[]) {
  const assigned = executors.length > 0;
  return objectSchema(
    {
      id: { type: "string", pattern: "^S[1-9][0-9]{0,2}$" },
      task: { type: "string", maxLength: 500 },
      ...(assigned ? { executor: { enum: [...executors] } } : {}),
      after: { type: "array", items: { type: "string", pattern: "^S[1-9][0-9]{0,2}$" } },
      final: { type: "boolean" },
    },
    ["id", "task", ...(assigned ? ["executor"] : []), "after"],
  );
}

/**
 * The output schema of a plan of tasks; `planSteps` is the largest number of steps, `null` for no limit. `acts`: tasks
 * may change something outside. `mayAnswer`: the request offers an answer instead. `executors`: each task names one.
 */
export function taskPlanOutput(
  planSteps: number | null,
  acts: boolean,
  mayAnswer = true,
  executors: readonly string[] = [],
): ReplyOutputSchema<TasksPlanned> {
  const rules: PlanRules<TaskStep> = {
    name: "task_plan",
    parse: parsePlan,
    judge: ({ steps: read, ...rest }) => {
      const steps = orderTasks(withExecutors(taskStepsOf(read), executors));
      const others = read.filter(({ kind }) => kind !== "task");
      const plan = { ...rest, steps: [...others, ...steps] };
      const found = validatePlan(plan, [], { planSteps, kind: "task", executors });
      return { steps, issues: [...found, ...writtenTaskIssues(steps, executors)] };
    },
    acts: () => acts,
  };
  return planReplyOutput(rules, taskSchema(executors), planSteps, mayAnswer);
}
