import { isJsonObject, type Json } from "../../json/json.js";
import { nearestFirst } from "../../plan/nearest.js";
import { idsIn, referencesIn } from "../../plan/step.js";
import { inputName, itemName, resultName } from "../../plan/workflow/steps.js";
import { hintAt } from "../../run/check-names.js";
import { builtInTools } from "../../tools/builtin/by-name.js";
import { llmToolName } from "../../tools/builtin/llm.js";
import { argumentIssues } from "./arguments.js";
import { conditionIssues } from "./conditions.js";
import { type StepForm, stepKinds, takesArguments, type WorkflowForm } from "./form.js";
import { fieldIssues } from "./fields.js";
import { callOfForm, outputOf } from "./reading.js";
import { placedTexts, referenceIssues, textsIn, type Where } from "./references.js";
import { type Callables, type Scope, scopeOf, scopeOfStep, type WorkflowIssue } from "./scope.js";
import { fieldSchema, isRequired, objectSchema } from "./types.js";
import { valueIssues } from "./values.js";

const reserved: readonly string[] = [inputName, itemName, resultName];

/** Which fields belong to which kinds of steps. */
const ofKinds: { readonly [Field in "args" | "question" | "returns"]: readonly string[] } = {
  args: takesArguments,
  question: ["agent"],
  returns: ["prompt"],
};

/**
 * All problems of a workflow: steps of no kind, references to what is not there or comes later, types that do not fit,
 * results that may be missing where the output needs them, and inputs that nothing uses.
 */
export function workflowIssues(
  form: WorkflowForm,
  callables: Callables,
  /** Steps that could not be read: they say nothing, and others may refer to them. */
  broken: ReadonlySet<string> = new Set(),
): WorkflowIssue[] {
  const ids = Object.keys(form.steps);
  if (ids.length === 0)
    return [{ path: ["steps"], message: "expected at least one step, got none" }];
  const scope = scopeOf(form, callables, broken);
  const steps = Object.entries(form.steps).flatMap(([id, step], at) => {
    if (broken.has(id)) return [];
    const inside = scopeOfStep(step, scope, callables);
    const where = { scope: inside, form, before: ids.slice(0, at), own: { id, step } };
    return stepIssues(id, step, where, callables);
  });
  const isWhole = broken.size === 0;
  return [
    ...fieldIssues(form.input, ["input"]),
    ...steps,
    ...outputIssues(form, scope),
    ...fieldIssues(form.returns, ["returns"]),
    ...(isWhole ? unusedInputs(form) : []),
  ];
}

function stepIssues(
  id: string,
  step: StepForm,
  where: Where,
  callables: Callables,
): WorkflowIssue[] {
  const { scope, before } = where;
  return [
    ...shapeIssues(id, step),
    ...toolIssues(id, step, callables),
    ...placedTexts(step, ["steps", id]).flatMap((placed) => referenceIssues(placed, where)),
    ...afterIssues(id, step, before),
    ...argumentIssues(id, step, scope, callables),
    ...conditionIssues(step.when, ["steps", id, "when"], scope),
    ...conditionIssues(step.repeat?.until, ["steps", id, "repeat", "until"], scope),
    ...fieldIssues(step.returns, ["steps", id, "returns"]),
  ];
}

/** A step whose tool is not there. */
function toolIssues(id: string, step: StepForm, callables: Callables): WorkflowIssue[] {
  const call = callOfForm(step);
  if (call === undefined) return [];
  const { kind, tool } = call;
  const found = callables.get(tool);
  const path = ["steps", id, kind];
  if (kind === "retrieve" && found === undefined) {
    return [{ path, message: "expected a knowledge base to search, got none" }];
  }
  if (found === undefined) {
    if (Object.hasOwn(builtInTools, tool)) {
      return [{ path, message: `the built-in tool ${tool} must be named in \`tools\`` }];
    }
    const names = [...callables.keys()].filter((name) => name !== llmToolName);
    const known =
      names.length === 0
        ? " There are no tools."
        : ` There is ${nearestFirst(tool, names).join(", ")}.`;
    return [{ path, message: `there is no ${kind} "${tool}".${hintAt(tool, names)}${known}` }];
  }
  if (kind !== "service" || found.isService !== false) return [];
  return [{ path, message: `${tool} is a tool and no service: expected \`tool: ${tool}\`` }];
}

function shapeIssues(id: string, step: StepForm): WorkflowIssue[] {
  const kinds = stepKinds.filter((kind) => step[kind] !== undefined);
  const got = kinds.length === 0 ? "none" : kinds.join(" and ");
  const rows: readonly (readonly [boolean, readonly string[], string])[] = [
    [reserved.includes(id), [], `expected another name: {{${id}}} has a meaning of its own`],
    [kinds.length !== 1, [], `expected one of ${stepKinds.join(", ")}, got ${got}`],
    ...Object.entries(ofKinds).map(([field, owners]): [boolean, string[], string] => {
      const isGiven = Object.entries(step).some(
        ([name, value]) => name === field && value !== undefined,
      );
      const isElsewhere = isGiven && !kinds.some((kind) => owners.includes(kind));
      return [isElsewhere, [field], `only a step with ${owners.join(", ")} has it`];
    }),
    [
      step.agent !== undefined && step.question === undefined,
      ["question"],
      "expected the question for the agent, got none",
    ],
    [
      step.each !== undefined && step.repeat !== undefined,
      ["repeat"],
      "expected each or repeat, got both: a step of the kind workflow may have the other inside",
    ],
    [
      step.otherwise !== undefined && step.when === undefined,
      ["otherwise"],
      "only a step with `when` has it: what stands for a failure is `fallback`",
    ],
  ];
  return rows.flatMap(([isWrong, path, message]) =>
    isWrong ? [{ path: ["steps", id, ...path], message }] : [],
  );
}

function afterIssues(
  id: string,
  { after = [] }: StepForm,
  before: readonly string[],
): WorkflowIssue[] {
  return [after].flat().flatMap((each) => {
    if (before.includes(each)) return [];
    const hint = hintAt(each, before);
    const known = before.length === 0 ? "nothing, being the first step" : before.join(", ");
    const message = `expected a step that comes before, got ${JSON.stringify(each)}.${hint} Before it: ${known}.`;
    return [{ path: ["steps", id, "after"], message }];
  });
}

/** The steps whose result may be missing because a branch is not taken, each with the step whose condition decides. */
function conditionalSteps({ steps }: WorkflowForm): ReadonlyMap<string, string> {
  const conditional = new Map<string, string>();
  for (const [id, step] of Object.entries(steps)) {
    if (step.otherwise !== undefined) continue;
    const needs = placedTexts(step, []).flatMap(({ value }) => idsIn(value));
    const other = needs.map((each) => conditional.get(each)).find((each) => each !== undefined);
    const origin = step.when === undefined ? other : id;
    if (origin !== undefined) conditional.set(id, origin);
  }
  return conditional;
}

function outputIssues(form: WorkflowForm, scope: Scope): WorkflowIssue[] {
  const output = outputOf(form);
  const conditional = conditionalSteps(form);
  const before = Object.keys(form.steps);
  const isDefault = form.output === undefined;
  const path = isDefault ? ["steps", ...before.slice(-1)] : ["output"];
  const issues = textsIn(output, path).flatMap((found) => [
    ...(isDefault ? [] : referenceIssues({ ...found, inner: [] }, { scope, form, before })),
    ...referencesIn(found.value)
      .filter(({ id }) => conditional.has(id))
      .map(({ text, id }) => ({
        path: found.path,
        message: mayBeMissing(text, id, conditional.get(id) ?? id),
      })),
  ]);
  return [...issues, ...returnIssues(form, output, scope)];
}

function mayBeMissing(text: string, id: string, origin: string): string {
  const why = origin === id ? "in it" : `in ${origin}, which it needs`;
  return `${text}: ${id} may not run: expected \`otherwise\` ${why}, to say what its result is then`;
}

function returnIssues({ returns }: WorkflowForm, output: Json, scope: Scope): WorkflowIssue[] {
  if (returns === undefined) return [];
  const schema = objectSchema(returns);
  if (!isJsonObject(output)) return valueIssues(output, schema, ["output"], scope);
  const missing = Object.entries(returns).filter(
    ([name, field]) => isRequired(field) && output[name] === undefined,
  );
  const surplus = Object.keys(output).filter((name) => !Object.hasOwn(returns, name));
  return [
    ...missing.map(([name]) => ({
      path: ["returns", name],
      message: "the output has no such field",
    })),
    ...surplus.map((name) => ({
      path: ["output", name],
      message: `\`returns\` has no such field.${hintAt(name, Object.keys(returns))}`,
    })),
    ...Object.entries(returns).flatMap(([name, field]) => {
      const value = output[name];
      return value === undefined
        ? []
        : valueIssues(value, fieldSchema(field), ["output", name], scope);
    }),
  ];
}

function unusedInputs({ input = {}, steps, output }: WorkflowForm): WorkflowIssue[] {
  const all = [
    ...Object.values(steps).flatMap((step) => placedTexts(step, [])),
    ...textsIn(output, []),
  ];
  const used = all.flatMap(({ value }) => referencesIn(value)).filter(({ id }) => id === inputName);
  if (used.some(({ path }) => path.length === 0)) return [];
  const names = new Set(used.map(({ path }) => path[0]));
  return Object.keys(input)
    .filter((name) => !names.has(name))
    .map((name) => ({ path: ["input", name], message: "nothing uses this input" }));
}
