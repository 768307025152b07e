import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined, type JsonObject } from "../json/json.js";
import { parsePlan } from "../plan/parse/parse-plan.js";
import { validatePlan } from "../plan/validate-plan.js";
import { checkNames } from "../run/check-names.js";
import { issueLines } from "../run/errors.js";

/** A question with the calls that plan it. The ids are E1, E2, … in order; `args` refer to earlier ones, as `"{{E1}}"`. */
export type PlanExample = {
  readonly question: string;
  readonly steps: readonly {
    /** Why this step is needed. */
    readonly thought?: string | undefined;
    readonly tool: string;
    readonly args: JsonObject;
  }[];
};

/** A question with the tasks that plan it. The ids are S1, S2, … in order; `after` lists those that a task needs. */
export type TaskExample = {
  readonly question: string;
  readonly steps: readonly {
    readonly task: string;
    /** Who carries it out, in a graph with several executors. */
    readonly executor?: string | undefined;
    readonly after?: readonly string[] | undefined;
    /** Its result is the answer. */
    readonly final?: boolean | undefined;
  }[];
};

/** A question with the calls that an agent makes for it, one after another, and its answer. */
export type AgentExample = {
  readonly question: string;
  readonly calls?:
    | readonly { readonly tool: string; readonly args: JsonObject; readonly result: string }[]
    | undefined;
  readonly answer: string;
};

/** What a role's examples show: a plan of calls, a plan of tasks, or an agent's calls. */
export type ExampleKind = "calls" | "tasks" | "agent";

const args = z.record(z.string(), z.json());

/** The forms of examples, by what they show. */
export const exampleForms = {
  calls: z.strictObject({
    question: z.string(),
    steps: z.array(z.strictObject({ thought: z.string().optional(), tool: z.string(), args })),
  }),
  tasks: z.strictObject({
    question: z.string(),
    steps: z.array(
      z.strictObject({
        task: z.string(),
        executor: z.string().optional(),
        after: z.array(z.string()).optional(),
        final: z.boolean().optional(),
      }),
    ),
  }),
  agent: z.strictObject({
    question: z.string(),
    calls: z.array(z.strictObject({ tool: z.string(), args, result: z.string() })).optional(),
    answer: z.string(),
  }),
} satisfies { readonly [Kind in ExampleKind]: z.ZodType };

/** What examples may name. */
type KnownNames = {
  readonly tools: readonly string[];
  readonly executors?: readonly string[] | undefined;
};

/**
 * Checks the examples of a graph: their form, that its tools exist, and that a plan could run. Throws `invalid_option`.
 */
export function checkExamples(
  where: string,
  given: { readonly [role: string]: unknown } | undefined,
  kinds: { readonly [role: string]: ExampleKind },
  known: KnownNames,
): void {
  checkNames(where, given, kinds);
  for (const [role, kind] of Object.entries(kinds)) {
    const examples = given?.[role];
    if (examples === undefined) continue;
    const read = z.array(exampleForms[kind]).safeParse(examples);
    if (!read.success) throw wrong(issueLines(read.error.issues, `${where}.${role}`).join("; "));
    for (const [at, example] of read.data.entries()) {
      const problem = exampleProblem(example, known);
      if (problem !== undefined) throw wrong(`${where}.${role}.${at}: ${problem}`);
    }
  }
}

type AnyExample = PlanExample | TaskExample | AgentExample;

/** What is wrong with an example: a tool or an executor that is not there, a plan that could not run. */
export function exampleProblem(
  example: AnyExample,
  { tools, executors }: KnownNames,
): string | undefined {
  const unknown = toolsIn(example).find((name) => !tools.includes(name));
  if (unknown !== undefined) {
    return `there is no tool "${unknown}"; the tools are ${tools.join(", ")}.`;
  }
  if (!("steps" in example)) return undefined;
  const [issue] = validatePlan(
    parsePlan(JSON.stringify({ steps: withIds(example) })),
    tools.map((name) => ({ name, check: () => [] })),
    { planSteps: null, ...defined({ executors }) },
  );
  return issue?.message;
}

/** The tools that an example uses. */
function toolsIn(example: AnyExample): string[] {
  const parts = "steps" in example ? example.steps : (example.calls ?? []);
  return parts.flatMap((part) => ("tool" in part ? [part.tool] : []));
}

function withIds({ steps }: Pick<PlanExample | TaskExample, "steps">) {
  return steps.map((step, at) =>
    "tool" in step ? { id: `E${at + 1}`, ...step } : taskWithId(step, at),
  );
}

/** In the order of the requested form: a model copies it. */
function taskWithId(
  { task, executor, after = [], ...step }: TaskExample["steps"][number],
  at: number,
) {
  return { id: `S${at + 1}`, task, ...defined({ executor }), after, ...step };
}

/** The examples whose tools a run may use. */
function usable<Example extends AnyExample>(
  examples: readonly Example[],
  tools: ReadonlySet<string>,
): Example[] {
  return examples.filter((example) => toolsIn(example).every((name) => tools.has(name)));
}

/** Example plans in exactly the requested form, as parts of a prompt. */
export function planExamples(
  examples: readonly (PlanExample | TaskExample)[],
  tools: ReadonlySet<string>,
): string[] {
  return usable(examples, tools).map((example) => {
    const plan = JSON.stringify({ steps: withIds(example) });
    return `An example. "${example.question}" is planned as\n${plan}`;
  });
}

/** Examples for an agent, as the turns of an earlier conversation. */
export function agentExamples(
  examples: readonly AgentExample[],
  tools: ReadonlySet<string>,
): BaseMessage[] {
  return usable(examples, tools).flatMap(({ question, calls = [], answer }, at) => [
    new HumanMessage(question),
    ...calls.flatMap(({ tool: name, args: given, result }, nth) => {
      const id = `example_${at + 1}_${nth + 1}`;
      return [
        new AIMessage({ content: "", tool_calls: [{ id, name, args: given, type: "tool_call" }] }),
        new ToolMessage({ content: result, name, tool_call_id: id }),
      ];
    }),
    new AIMessage(answer),
  ]);
}

function wrong(message: string): PlangraphError {
  return new PlangraphError("invalid_option", message);
}
