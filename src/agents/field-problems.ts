import type { z } from "zod";

import { isRecord } from "../json/json.js";
import { modelRoles } from "../models/model.js";
import { nearestFirst } from "../plan/nearest.js";
import { hintAt, preview } from "../run/check-names.js";
import { limitNames } from "../state/limits.js";
import {
  AgentFields,
  type AgentFile,
  fieldsElsewhere,
  methods,
  methodTable,
} from "./agent-fields.js";
import type { Problems } from "./problems.js";

type Issue = z.core.$ZodIssue;

/** How much of a wrong value a problem shows, in characters. */
const maxShown = 60;

/**
 * Reads the fields of an agent file, and adds what is wrong with them. The fields without a problem are returned, so that
 * what they name is checked, too; undefined where even the graph is not known.
 */
export function readFields(value: unknown, problems: Problems): AgentFile | undefined {
  const read = AgentFields.safeParse(value, { reportInput: true });
  for (const issue of read.error?.issues ?? []) addIssue(issue, problems);
  const good = read.data ?? AgentFields.safeParse(withoutWrong(value, read.error?.issues)).data;
  if (good !== undefined) addCombinations(good, problems);
  return good;
}

/** The fields that have no problem. */
function withoutWrong(value: unknown, issues: readonly Issue[] = []): unknown {
  if (!isRecord(value)) return value;
  const wrong = new Set(
    issues.flatMap((issue) => {
      const [field] = issue.path;
      if (field !== undefined) return [field];
      return issue.code === "unrecognized_keys" ? issue.keys : [];
    }),
  );
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
}

function addIssue(issue: Issue, problems: Problems): void {
  if (issue.code === "unrecognized_keys") {
    const known = knownAt(issue.path);
    for (const key of issue.keys) {
      problems.add([...issue.path, key], `there is no such field.${nameHint(key, known)}`);
    }
    return;
  }
  const form = issue.code === "invalid_union" ? closestForm(issue) : undefined;
  if (form !== undefined) {
    for (const each of form) addIssue(each, problems);
    return;
  }
  const { input } = issue;
  const came = input === undefined ? "nothing" : preview(input, maxShown);
  const message = issue.message
    .replace(/^Invalid (?:input|option): /, "")
    .replace(/, received .*$/, "");
  const expected = issue.code === "invalid_union" ? "expected another form" : message;
  problems.add(issue.path, `${expected}, got ${came}`);
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

const byField: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["limits", limitNames],
  ["stepLimits", limitNames],
  ["models", modelRoles],
  ["history", modelRoles],
]);

/** The names that an object at a path may have. */
function knownAt([field, ...inside]: readonly PropertyKey[]): readonly string[] {
  if (field === undefined) return AgentFields.keyof().options;
  if (inside.length === 0) return byField.get(field) ?? [];
  if (field === "policies") {
    return AgentFields.shape.policies.unwrap().valueType.keyof().options;
  }
  return field === "history" ? ["rounds", "summarize"] : ["agent", "description", "when"];
}

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
    const where =
      others.length === 0 ? "its routes have their own" : `${others.join(", ")} have it`;
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
