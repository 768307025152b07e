import { type JsonObject, jsonText } from "../../json/json.js";
import { referencesIn, wholeReference } from "../../plan/step.js";
import { hintAt } from "../../run/check-names.js";
import {
  argumentNames,
  type JsonSchema,
  propertiesOf,
  typesOf,
} from "../../tools/argument-schema.js";
import { type StepForm, takesArguments } from "./form.js";
import { callOfForm } from "./reading.js";
import { type Callables, schemaOfReference, type Scope, type WorkflowIssue } from "./scope.js";
import { articled, isFitting, typeWords } from "./types.js";

/** Arguments that are missing or unknown, references whose type does not fit, and lists that are none. */
export function argumentIssues(
  id: string,
  step: StepForm,
  scope: Scope,
  callables: Callables,
): WorkflowIssue[] {
  const call = callOfForm(step);
  const wanted = call === undefined ? undefined : callables.get(call.tool)?.args;
  const isOpen = call === undefined || wanted === undefined || !takesArguments.includes(call.kind);
  const own = isOpen
    ? []
    : [...nameIssues(call.args, wanted), ...typeIssues(call.args, wanted, scope)];
  const placed = own.map(({ path, message }) => ({
    path: ["steps", id, "args", ...path],
    message,
  }));
  return [...placed, ...listIssues(id, step, scope)];
}

function nameIssues(args: JsonObject, wanted: JsonSchema): WorkflowIssue[] {
  const { known, missing, unknown } = argumentNames(wanted, args);
  const isClosed = known.length > 0 || wanted["additionalProperties"] === false;
  const others = known.length === 0 ? "no arguments" : known.join(", ");
  return [
    ...missing.map((name) => ({ path: [], message: `expected ${name}, got none` })),
    ...(isClosed ? unknown : []).map((name) => ({
      path: [name],
      message: `there is no such argument.${hintAt(name, known)} There is ${others}.`,
    })),
  ];
}

function typeIssues(args: JsonObject, wanted: JsonSchema, scope: Scope): WorkflowIssue[] {
  return Object.entries(args).flatMap(([name, value]): WorkflowIssue[] => {
    const expected = propertiesOf(wanted)[name];
    const found = schemaOfReference(value, scope);
    if (expected === undefined || found === undefined || isFitting(found, expected)) return [];
    const message = `expected ${typeWords(expected)}, got ${jsonText(value)}, which is ${articled(found)}`;
    return [{ path: [name], message }];
  });
}

function listIssues(id: string, step: StepForm, scope: Scope): WorkflowIssue[] {
  const { each } = step;
  if (each === undefined) return [];
  const path = ["steps", id, "each", "list"];
  if (typeof each.list !== "string") {
    const isPlain = referencesIn(each.list).length === 0;
    const message = "expected one reference to a list, or a list without references";
    return isPlain ? [] : [{ path, message }];
  }
  const found = schemaOfReference(each.list, scope);
  if (wholeReference(each.list) === undefined) {
    const message = `expected one reference to a list, got ${JSON.stringify(each.list)}`;
    return [{ path, message }];
  }
  if (found === undefined || typesOf(found).includes("array")) return [];
  return [{ path, message: `expected a list, got ${each.list}, which is ${articled(found)}` }];
}
