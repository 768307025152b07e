import type { z } from "zod";

import { isRecord } from "../../json/json.js";
import { modelRoles } from "../../models/model.js";
import { redact } from "../../observe/redact.js";
import { closeName, nearestFirst } from "../../plan/nearest.js";
import { hintAt, preview } from "../../run/check-names.js";
import { plainExpectation } from "../../run/plain-words.js";
import { limitNames } from "../../state/limits.js";
import {
  AgentFields,
  type AgentFile,
  fieldsElsewhere,
  methods,
  methodTable,
} from "./agent-fields.js";
import { factNames, knowledgeNames } from "./assistant-fields.js";
import { serverNames } from "./mcp-fields.js";
import { providerNames } from "./memory-fields.js";
import type { Problems } from "../read/problems.js";
import { stepFieldNames, WorkflowFields, type WorkflowFile } from "./workflow-fields.js";

type Issue = z.core.$ZodIssue;

/** How much of a wrong value a problem shows, in characters. */
const maxShown = 60;

/** What a kind of file may hold. */
type FileForm<Fields> = {
  readonly schema: z.ZodType<Fields>;
  /** The names that an object at a path may have. */
  readonly knownAt: (path: readonly PropertyKey[]) => readonly string[];
};

const agentForm: FileForm<AgentFile> = { schema: AgentFields, knownAt };
const workflowForm: FileForm<WorkflowFile> = { schema: WorkflowFields, knownAt: knownInWorkflow };

/**
 * Reads the fields of an agent file, and adds what is wrong with them. The fields without a problem are returned, so that
 * what they name is checked, too; undefined where even the graph is not known.
 */
export function readFields(value: unknown, problems: Problems): AgentFile | undefined {
  const { good } = readForm(value, agentForm, problems);
  if (good !== undefined) addCombinations(good, problems);
  return good;
}

/** Reads the fields of a workflow file in the same way. `broken` are the steps with a problem: they say nothing more. */
export function readWorkflowFields(value: unknown, problems: Problems) {
  return readForm(value, workflowForm, problems);
}

function readForm<Fields>(value: unknown, form: FileForm<Fields>, problems: Problems) {
  const read = form.schema.safeParse(value, { reportInput: true });
  const issues = read.error?.issues ?? [];
  for (const path of unusableKeys(value)) problems.add(path, "expected another name");
  for (const issue of issues) addIssue(issue, form.knownAt, problems);
  const broken = new Set(issues.flatMap(stepOf));
  const good = read.data ?? form.schema.safeParse(withoutWrong(value, issues, broken)).data;
  return { good, broken };
}

/** Where a name stands that JavaScript keeps for itself: such a field would be lost. */
function unusableKeys(
  value: unknown,
  path: readonly PropertyKey[] = [],
): (readonly PropertyKey[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(key === "__proto__" ? [[...path, key]] : []),
    ...unusableKeys(each, [...path, key]),
  ]);
}

/** The step that a problem is in. */
function stepOf({ path: [field, id, ...inside], code }: Issue): string[] {
  const isInside = inside.length > 0 || code === "unrecognized_keys" || code === "invalid_type";
  return field === "steps" && id !== undefined && isInside ? [String(id)] : [];
}

/** A step in the place of one that cannot be read: others may refer to it. */
const standIn = { prompt: "?" };

/** The fields that have no problem; one with a misspelt value has the value that is meant. */
function withoutWrong(
  value: unknown,
  issues: readonly Issue[],
  broken: ReadonlySet<string>,
): unknown {
  if (!isRecord(value)) return value;
  const wrong = new Set(
    issues
      .filter((issue) => stepOf(issue).length === 0)
      .flatMap((issue) => {
        const [field] = issue.path;
        if (field !== undefined) return [field];
        return issue.code === "unrecognized_keys" ? issue.keys : [];
      }),
  );
  const steps = isRecord(value["steps"]) ? Object.entries(value["steps"]) : undefined;
  const mended = steps?.map(([id, step]) => [id, broken.has(id) ? standIn : step] as const);
  const whole = mended === undefined ? value : { ...value, steps: Object.fromEntries(mended) };
  const meant = new Map(issues.flatMap(meantField));
  return Object.fromEntries(
    Object.entries(whole).flatMap(([name, each]) => {
      if (!wrong.has(name)) return [[name, each]];
      return meant.has(name) ? [[name, meant.get(name)]] : [];
    }),
  );
}

/** The field of the file whose value is misspelt, and the value that is meant. */
function meantField(issue: Issue): [PropertyKey, string][] {
  const [field, ...inside] = issue.path;
  if (field === undefined || inside.length > 0 || issue.code !== "invalid_value") return [];
  const meant = closeName(String(issue.input), issue.values.map(String));
  return meant === undefined ? [] : [[field, meant]];
}

function addIssue(issue: Issue, known: FileForm<unknown>["knownAt"], problems: Problems): void {
  if (issue.code === "unrecognized_keys") {
    const names = known(issue.path);
    for (const key of issue.keys) {
      problems.add([...issue.path, key], `there is no such field.${nameHint(key, names)}`);
    }
    return;
  }
  const form = issue.code === "invalid_union" ? closestForm(issue) : undefined;
  if (form !== undefined) {
    for (const each of form) addIssue(each, known, problems);
    return;
  }
  const hint = issue.code === "invalid_value" ? valueHint(issue.input, issue.values) : "";
  problems.add(issue.path, `${expectedBy(issue)}, got ${cameTo(issue)}${hint}`);
}

function valueHint(input: unknown, values: readonly unknown[]): string {
  const hint = typeof input === "string" ? hintAt(input, values.map(String)) : "";
  return hint === "" ? "" : `.${hint}`;
}

/** What came in the place of what was expected; of what may be a secret only its kind. */
function cameTo({ input, path: [field, , part] }: Issue): string {
  if (input === undefined) return "nothing";
  const isHidden = field === "mcp" && (part === "env" || part === "headers");
  return isHidden ? `something else (${typeof input})` : redact(preview(input, maxShown));
}

function expectedBy(issue: Issue): string {
  if (issue.code === "invalid_union") return "expected another form";
  const [inside] = issue.code === "invalid_key" ? issue.issues : [];
  return plainExpectation((inside ?? issue).message);
}

/** The problems of the form that a value has, where it is one of several and wrong inside. */
function closestForm(issue: Extract<Issue, { readonly code: "invalid_union" }>) {
  const forms = issue.errors.map((issues) =>
    issues.map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
  );
  const isInside = (each: Issue) =>
    each.path.length > issue.path.length || each.code === "unrecognized_keys";
  const fitting = forms.find((issues) => issues.every(isInside));
  // The first form is the plain one: what it expects says what is missing.
  return fitting ?? forms.at(0);
}

const routeNames = ["agent", "description", "when"];

const byField: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["limits", limitNames],
  ["stepLimits", limitNames],
  ["models", modelRoles],
  ["history", modelRoles],
  ["agent", routeNames],
  ["examples", ["planner", "agent", "executor"]],
  ["facts", factNames],
  ["knowledge", knowledgeNames],
]);

/** The names inside of each entry of a field. */
const inner: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["history", ["rounds", "summarize"]],
  ["mcp", serverNames],
  ["memory", providerNames],
]);

/** The names that an object at a path may have. */
function knownAt([field, ...inside]: readonly PropertyKey[]): readonly string[] {
  if (field === undefined) return AgentFields.keyof().options;
  if (inside.length === 0) return byField.get(field) ?? [];
  if (field === "examples") return exampleNames(inside);
  if (field === "policies") {
    return AgentFields.shape.policies.unwrap().valueType.keyof().options;
  }
  return inner.get(field) ?? routeNames;
}

/** The names in an example of a role, in one of its steps or in one of its calls. */
function exampleNames([role, , part]: readonly PropertyKey[]): readonly string[] {
  if (part === "calls") return ["tool", "args", "result"];
  if (part === "steps") return ["thought", "tool", "args", "task", "executor", "after", "final"];
  return role === "planner" ? ["question", "steps"] : ["question", "calls", "answer"];
}

/** The same in a workflow file. */
function knownInWorkflow(path: readonly PropertyKey[]): readonly string[] {
  const [field, , ...inside] = path;
  if (path.length === 0) return WorkflowFields.keyof().options;
  if (field === "input" || field === "returns") return fieldKeys;
  if (field !== "steps") return knownAt(path);
  const [part] = inside;
  if (part === undefined) return stepFieldNames;
  if (part === "each") return ["list", "max"];
  if (part === "repeat" && inside.length === 1) return ["until", "max", "start", "seconds"];
  return part === "returns" ? fieldKeys : ["value", "operator", "target"];
}

const fieldKeys = ["type", "description", "optional", "default", "choices", "of", "fields"];

/** Suggests a name, or says which there are; `known` may be empty. */
export function nameHint(given: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const hint = hintAt(given, known);
  return hint !== "" ? hint : ` There is ${nearestFirst(given, known).join(", ")}.`;
}

/** What fits field by field, and not together. */
function addCombinations(agent: AgentFile, problems: Problems): void {
  const { graph, model, models, prompts = {} } = agent;
  for (const field of fieldsElsewhere(agent)) {
    const others = methods.filter((name) => methodTable[name].fields.includes(field));
    const inside = graph === "assistant" ? "its agent has its own" : "its routes have their own";
    const verb = others.length === 1 ? "has" : "have";
    const where = others.length === 0 ? inside : `${others.join(", ")} ${verb} it`;
    problems.add([field], `an agent of the graph ${graph} has no such field: ${where}`);
  }
  const { prompts: known } = methodTable[graph];
  for (const role of Object.keys(prompts).filter((each) => !known.includes(each))) {
    problems.add(["prompts", role], `${graph} has no such role.${nameHint(role, known)}`);
  }
  if (model !== undefined && models !== undefined) {
    problems.add(["models"], "expected model or models, got both");
  }
  if (graph === "router") addRouting(agent, problems);
}

function addRouting({ routes = {}, unclear = "ask" }: AgentFile, problems: Problems): void {
  const names = Object.keys(routes);
  if (names.length === 0) problems.add(["routes"], "expected at least one route, got none");
  if (["ask", ...names].includes(unclear)) return;
  const hint = nameHint(unclear, ["ask", ...names]);
  problems.add(["unclear"], `expected "ask" or a route, got ${preview(unclear, maxShown)}.${hint}`);
}
