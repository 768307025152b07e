import type { Json } from "../../json/json.js";
import { nearestFirst } from "../../plan/nearest.js";
import {
  printPath,
  type Reference,
  referencesIn,
  unclosedReferenceIn,
  unreadableReferencesIn,
} from "../../plan/step.js";
import { inner as innerNames, inputName, itemName, resultName } from "../../plan/workflow/steps.js";
import { hintAt } from "../../run/check-names.js";
import { type JsonSchema, propertiesOf, schemaAt, typesOf } from "../../tools/argument-schema.js";
import type { StepForm, WorkflowForm } from "./form.js";
import type { Scope, WorkflowIssue } from "./scope.js";
import { articled } from "./types.js";

/** A value with references, its place, and the names that it may use beside those of all. */
type Placed = {
  readonly value: Json;
  readonly path: readonly PropertyKey[];
  readonly inner: readonly string[];
};

/** The values of a step that may hold references, each with its place. */
export function placedTexts(step: StepForm, path: readonly PropertyKey[]): Placed[] {
  const item = step.each === undefined ? [] : [itemName];
  const result = step.repeat === undefined ? [] : [resultName];
  const inCalls = [...item, ...result];
  const {
    each,
    repeat,
    when,
    otherwise,
    fallback,
    note: _note,
    after: _after,
    returns: _returns,
    ...does
  } = step;
  const rows: readonly (readonly [unknown, readonly PropertyKey[], readonly string[]])[] = [
    ...Object.entries(does).map(([field, value]) => [value, [field], inCalls] as const),
    [when, ["when"], []],
    [otherwise, ["otherwise"], []],
    [fallback, ["fallback"], inCalls],
    [each?.list, ["each", "list"], []],
    [repeat?.until, ["repeat", "until"], result],
    [repeat?.start, ["repeat", "start"], []],
  ];
  return rows.flatMap(([value, at, inner]) => {
    return textsIn(value, [...path, ...at]).map((found) => ({ ...found, inner }));
  });
}

/** The texts in a value, each with its place. */
export function textsIn(
  value: unknown,
  path: readonly PropertyKey[],
): { readonly value: string; readonly path: readonly PropertyKey[] }[] {
  if (typeof value === "string") return [{ value, path }];
  if (typeof value !== "object" || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, each]) => textsIn(each, [...path, key]));
}

export type Where = {
  readonly scope: Scope;
  readonly form: WorkflowForm;
  /** The steps that come before. */
  readonly before: readonly string[];
  readonly own?: { readonly id: string; readonly step: StepForm };
};

export function referenceIssues({ value, path, inner }: Placed, where: Where): WorkflowIssue[] {
  return [
    ...unreadableReferencesIn(value).map((text) => ({
      path,
      message: `expected a reference such as {{input.name}} or {{step.items[0]}}, got ${text}`,
    })),
    ...unclosedIssues(value, path),
    ...referencesIn(value).flatMap((reference) => {
      const message = referenceProblem(reference, { path, inner }, where);
      return message === undefined ? [] : [{ path, message }];
    }),
  ];
}

/** How much of a text without an end is shown, in characters. */
const maxShown = 40;

function unclosedIssues(value: Json, path: readonly PropertyKey[]): WorkflowIssue[] {
  const open = typeof value === "string" ? unclosedReferenceIn(value) : undefined;
  if (open === undefined) return [];
  const text = open.length > maxShown ? `${open.slice(0, maxShown)}…` : open;
  return [{ path, message: `expected }} after {{, got ${JSON.stringify(text)}` }];
}

function referenceProblem(
  reference: Reference,
  place: Pick<Placed, "path" | "inner">,
  where: Where,
): string | undefined {
  const { text, id, path } = reference;
  const { scope, before, own } = where;
  if (innerNames.has(id)) {
    return innerProblem(text, id, place, own?.step) ?? pathProblem(text, id, path, scope.get(id));
  }
  return id === inputName || before.includes(id)
    ? pathProblem(text, id, path, scope.get(id))
    : unknownProblem(reference, where);
}

function unknownProblem({ text, id }: Reference, { form, before, own }: Where): string {
  if (id === own?.id) return `${text}: a step cannot use its own result`;
  if (Object.hasOwn(form.steps, id))
    return `${text}: ${id} comes later; a step can only use what comes before it`;
  const known = [inputName, ...before];
  return `${text}: there is no step "${id}".${hintAt(id, known)} There is ${nearestFirst(id, known).join(", ")}.`;
}

function innerProblem(
  text: string,
  id: string,
  { path, inner }: Pick<Placed, "path" | "inner">,
  step: StepForm | undefined,
): string | undefined {
  if (!inner.includes(id)) {
    const field = id === itemName ? "each" : "repeat";
    return `${text}: there is ${id} only in the call of a step with \`${field}\``;
  }
  const isFirst = id === resultName && !["until", "fallback"].some((field) => path.includes(field));
  return isFirst && step?.repeat?.start === undefined
    ? `${text}: the first round has no result before it: expected repeat.start, got none`
    : undefined;
}

/** What is wrong with the path of a reference, as far as the form of the result is known. */
function pathProblem(
  text: string,
  id: string,
  path: Reference["path"],
  schema: JsonSchema | undefined,
): string | undefined {
  let at = schema ?? {};
  for (const [place, part] of path.entries()) {
    // Nothing is known of the rest.
    if (typesOf(at).length === 0) return undefined;
    const name = `${id}${printPath(path.slice(0, place))}`;
    const problem = typeof part === "number" ? itemProblem(at) : fieldProblem(part, at);
    if (problem !== undefined) return `${text}: ${name} ${problem}`;
    at = schemaAt(at, [part]);
  }
  return undefined;
}

function itemProblem(schema: JsonSchema): string | undefined {
  return typesOf(schema).includes("array") ? undefined : `is ${articled(schema)}, expected a list`;
}

function fieldProblem(field: string, schema: JsonSchema): string | undefined {
  const types = typesOf(schema);
  if (types.includes("string")) return "is a text and has no parts";
  if (!types.includes("object")) return `is ${articled(schema)} and has no field "${field}"`;
  const fields = Object.keys(propertiesOf(schema));
  const isOpen = fields.length === 0 && schema["additionalProperties"] !== false;
  if (isOpen || fields.includes(field)) return undefined;
  const known = fields.length === 0 ? "It has no fields." : `There is ${fields.join(", ")}.`;
  return `has no field "${field}".${hintAt(field, fields)} ${known}`;
}
