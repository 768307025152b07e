import type { Json } from "../../json/json.js";
import { wholeReference } from "../../plan/step.js";
import { inputName, itemName, resultName } from "../../plan/workflow/steps.js";
import { type JsonSchema, schemaAt, typesOf } from "../../tools/argument-schema.js";
import type { StepForm, WorkflowForm } from "./form.js";
import { callOfForm } from "./reading.js";
import { objectSchema } from "./types.js";

/** Something wrong in a workflow: where, what was expected, and what came. */
export type WorkflowIssue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** What a workflow's steps may call. */
export type Callable = {
  /** The JSON schema of the arguments; nothing for any. */
  readonly args?: JsonSchema | undefined;
  /** Whether it is a service, where that is known. */
  readonly isService?: boolean;
  /** The JSON schema of the result, where it is known. */
  readonly result?: JsonSchema | undefined;
};

/** The tools of a workflow by name. */
export type Callables = ReadonlyMap<string, Callable>;

/** The JSON schemas of what references may name: the input, and results as far as they are known. */
export type Scope = ReadonlyMap<string, JsonSchema | undefined>;

export function scopeOf(
  form: WorkflowForm,
  callables: Callables,
  broken: ReadonlySet<string>,
): Scope {
  const results = Object.entries(form.steps).map(
    ([id, step]) => [id, broken.has(id) ? undefined : resultSchema(step, callables)] as const,
  );
  return new Map([[inputName, objectSchema(form.input ?? {})], ...results]);
}

/** The scope of a step: what its calls know as the item and as the result before is in it, too. */
export function scopeOfStep(step: StepForm, scope: Scope, callables: Callables): Scope {
  const list = schemaOfReference(step.each?.list, scope);
  const item = list === undefined ? undefined : schemaAt(list, [0]);
  return new Map([...scope, [itemName, item], [resultName, callSchema(step, callables)]]);
}

/** The schema of a value that is exactly one reference; nothing where its type is not known. */
export function schemaOfReference(value: Json | undefined, scope: Scope): JsonSchema | undefined {
  const only = typeof value === "string" ? wholeReference(value.trim()) : undefined;
  if (only === undefined) return undefined;
  const whole = scope.get(only.id);
  const found = whole === undefined ? undefined : schemaAt(whole, only.path);
  return found === undefined || typesOf(found).length === 0 ? undefined : found;
}

const textSchema: JsonSchema = { type: "string" };

function resultSchema(step: StepForm, callables: Callables): JsonSchema | undefined {
  // What stands in may have any form.
  if (step.otherwise !== undefined || step.fallback !== undefined) return undefined;
  const one = callSchema(step, callables);
  return step.each === undefined
    ? one
    : { type: "array", ...(one === undefined ? {} : { items: one }) };
}

function callSchema(step: StepForm, callables: Callables): JsonSchema | undefined {
  const call = callOfForm(step);
  if (call?.kind === "prompt") {
    return step.returns === undefined ? textSchema : objectSchema(step.returns);
  }
  if (call?.kind === "retrieve") return textSchema;
  return call === undefined ? undefined : callables.get(call.tool)?.result;
}
