import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import type { ToolForm } from "../prompts/tool-protocol.js";

/** Small models run away in long thoughts. */
const maxThoughtChars = 200;

/** The schema of a step of a plan that calls this tool. */
export function stepSchema(form: ToolForm) {
  return objectSchema({
    id: { type: "string", pattern: "^E[1-9][0-9]{0,2}$" },
    thought: { type: "string", maxLength: maxThoughtChars },
    ...callOf(form),
  });
}

/** The same without id and thought. */
export function callSchema(form: ToolForm) {
  return objectSchema(callOf(form));
}

function callOf({ name, parameters }: ToolForm) {
  return { tool: { const: name }, args: withReferences(parameters) };
}

/** The tool's arguments, each of which may be a reference to an earlier result. */
function withReferences(parameters: unknown): object {
  const refers = JSON.stringify(parameters ?? {}).includes('"$ref"');
  if (!isRecord(parameters) || refers) return { type: "object" };
  const { $schema: _dialect, properties, ...schema } = parameters;
  const relaxed = mapped(properties, (field) =>
    isAnyText(field) ? field : { anyOf: [relaxedInside(field), { type: "string" }] },
  );
  return { type: "object", ...schema, properties: relaxed };
}

/** A list or an object whose figures, days and the like may be references, however deep they stand. */
function relaxedInside(field: unknown): unknown {
  if (!isRecord(field)) return field;
  const { items, properties } = field;
  return {
    ...field,
    ...(isRecord(items) ? { items: relaxedValue(items) } : {}),
    ...(isRecord(properties) ? { properties: mapped(properties, relaxedValue) } : {}),
  };
}

function relaxedValue(field: unknown): unknown {
  const isNested = isRecord(field) && (isRecord(field["items"]) || isRecord(field["properties"]));
  if (isNested) return relaxedInside(field);
  return isAnyText(field) ? field : { anyOf: [field, { type: "string" }] };
}

function mapped(fields: unknown, change: (field: unknown) => unknown): object {
  const entries = isRecord(fields) ? Object.entries(fields) : [];
  return Object.fromEntries(entries.map(([name, field]) => [name, change(field)]));
}

/** Whether a field takes every text, such as a reference or a day in words. */
function isAnyText(field: unknown): boolean {
  const held = ["enum", "const", "format", "pattern"];
  return isRecord(field) && field["type"] === "string" && !held.some((keyword) => keyword in field);
}
