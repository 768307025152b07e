import type { FieldForm } from "./form.js";
import type { WorkflowIssue } from "./scope.js";
import { fieldSchema } from "./types.js";
import { literalIssues } from "./values.js";

/** Choices and defaults that do not fit their field, and parts that a type does not have. */
export function fieldIssues(
  fields: { readonly [name: string]: FieldForm } | undefined,
  path: readonly PropertyKey[],
): WorkflowIssue[] {
  return Object.entries(fields ?? {}).flatMap(([name, field]) => issuesOf(field, [...path, name]));
}

function issuesOf(field: FieldForm, path: readonly PropertyKey[]): WorkflowIssue[] {
  if (typeof field === "string") return [];
  const { type, of, fields, choices = [], default: standing } = field;
  const misplaced = [
    ...(of === undefined || type === "list" ? [] : [["of", "list"] as const]),
    ...(fields === undefined || type === "object" ? [] : [["fields", "object"] as const]),
  ];
  const own = fieldSchema(field);
  return [
    ...misplaced.map(([part, owner]) => ({
      path: [...path, part],
      message: `only a field of the type ${owner} has it, got ${type}`,
    })),
    ...choices.flatMap((choice, at) =>
      literalIssues(choice, fieldSchema(type), [...path, "choices", at]),
    ),
    ...(standing === undefined ? [] : literalIssues(standing, own, [...path, "default"])),
    ...(of === undefined ? [] : issuesOf(of, [...path, "of"])),
    ...fieldIssues(fields, [...path, "fields"]),
  ];
}
