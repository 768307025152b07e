import { exampleForms, exampleProblem } from "../../roles/examples.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { type AgentFile, methodTable } from "../fields/agent-fields.js";
import { nameHint } from "../fields/field-problems.js";
import type { Problems } from "./problems.js";

/** What examples of a file may name; undefined where it is not known, because what brings tools has a problem. */
type Known = {
  readonly tools: readonly string[] | undefined;
  readonly executors: readonly string[] | undefined;
};

/** Adds what is wrong with the examples of an agent: roles that it has not, tools that are not there. */
export function checkExamples(
  { graph, examples = {} }: AgentFile,
  known: Known,
  problems: Problems,
): void {
  const kinds = methodTable[graph].examples;
  // It has no such field, which is a problem already.
  if (kinds === undefined) return;
  const roles = Object.keys(kinds);
  for (const [role, all = []] of Object.entries(examples)) {
    const at = ["examples", role];
    const kind = Object.entries(kinds).find(([name]) => name === role)?.[1];
    if (kind === undefined) {
      problems.add(at, `${graph} has no such role.${nameHint(role, roles)}`);
      continue;
    }
    for (const [nth, example] of all.entries()) {
      const read = exampleForms[kind].safeParse(example);
      if (!read.success) problems.add([...at, nth], `expected ${words[kind]}, got another form`);
      else addProblem(read.data, [...at, nth], known, problems);
    }
  }
}

const words = {
  calls: "a question with steps that have a tool and args",
  tasks: "a question with steps that have a task",
  agent: "a question with an answer",
} as const;

function addProblem(
  example: Parameters<typeof exampleProblem>[0],
  path: readonly PropertyKey[],
  { tools, executors }: Known,
  problems: Problems,
): void {
  if (tools === undefined) return;
  const problem = exampleProblem(example, { tools: [...tools, llmToolName], executors });
  if (problem !== undefined) problems.add(path, problem);
}
