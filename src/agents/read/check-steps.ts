import { workflowIssues } from "../../graphs/workflow/issues.js";
import type { Callable, Callables } from "../../graphs/workflow/scope.js";
import { callOfForm } from "../../graphs/workflow/reading.js";
import { objectSchema } from "../../graphs/workflow/types.js";
import { defined } from "../../json/json.js";
import { systemClock } from "../../run/clock.js";
import { argumentSchema } from "../../tools/argument-schema.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { askUser } from "../../tools/builtin/people.js";
import { writtenArgumentProblems } from "../../tools/check-arguments.js";
import { shownTool } from "../../tools/from-memory.js";
import { attachedPolicy } from "../../tools/policy.js";
import { createToolbox } from "../../tools/toolbox.js";
import { policiesFor } from "../make/policies.js";
import type { Problems } from "./problems.js";
import type { ReadFile, ReadWorkflow } from "./read-types.js";

/** What has its problem already: steps that could not be read, and the tools of files that cannot be used. */
type Told = { readonly broken: ReadonlySet<string>; readonly unread: readonly string[] };

/** Adds what is wrong with the steps of a workflow, given what its file names. */
export async function checkSteps(
  workflow: ReadWorkflow,
  { broken, unread }: Told,
  problems: Problems,
): Promise<void> {
  const { form } = workflow;
  const lost = isLosing(problems) ? toolNames(workflow) : [];
  const callables = new Map([
    ...[...unread, ...lost].map((name): [string, Callable] => [name, {}]),
    ...callablesIn(workflow),
  ]);
  for (const { path, message } of workflowIssues(form, callables, broken)) {
    problems.add(path, message);
  }
  const wrong = new Set(problems.all.map(({ path }) => path.slice(0, 3).join(".")));
  const toolbox = await problems.at(["policies"], () =>
    createToolbox(
      withAsking(workflow.tools),
      policiesFor(workflow.tools, workflow.fields.policies),
    ),
  );
  if (toolbox === undefined) return;
  const time = { clock: systemClock, timeZone: workflow.fields.timeZone, locale: undefined };
  const open = Object.entries(form.steps).filter(
    ([id]) => !broken.has(id) && !wrong.has(`steps.${id}.args`),
  );
  for (const [id, step] of open) {
    const call = callOfForm(step);
    if (call === undefined || step.args === undefined) continue;
    const found = await writtenArgumentProblems(toolbox, call.tool, call.args, time);
    for (const { path, message } of found) problems.add(["steps", id, "args", ...path], message);
  }
}

/** The tools with the one of steps that ask a person, which a file need not name. */
function withAsking(tools: ReadWorkflow["tools"]) {
  return tools.some(({ name }) => name === askUser.name) ? tools : [...tools, askUser];
}

/** The fields that bring tools. */
const bringingTools = ["tools", "services", "mcp", "knowledge", "executors"];

/** Whether something that brings tools cannot be used: then a step may name a tool of it. */
export function isLosing({ all }: Problems): boolean {
  return all.some(({ path: [field] }) => bringingTools.includes(String(field)));
}

function toolNames({ form }: ReadWorkflow): string[] {
  const calls = Object.values(form.steps).map((step) => callOfForm(step));
  return calls.flatMap((call) => (call === undefined ? [] : [call.tool]));
}

function callablesIn({ tools, services, agents, fields }: ReadWorkflow): Callables {
  const served = new Set(services.map(({ name }) => name));
  const callables = new Map<string, Callable>([
    [llmToolName, {}],
    [askUser.name, {}],
  ]);
  for (const each of tools) {
    // What the memory of the calling agent fills in, no step writes.
    const { fromMemory } = fields.policies?.[each.name] ?? attachedPolicy(each);
    const { tool } = shownTool(each, defined({ fromMemory }));
    callables.set(tool.name, { args: argumentSchema(tool), isService: served.has(tool.name) });
  }
  for (const [name, other] of agents) callables.set(name, callableOf(other));
  return callables;
}

const question: Callable = { args: objectSchema({ question: "text" }) };

function callableOf(other: ReadFile): Callable {
  if (other.kind === "agent") return question;
  const { input = {}, returns } = other.form;
  const args = objectSchema(input);
  return returns === undefined ? { args } : { args, result: objectSchema(returns) };
}
