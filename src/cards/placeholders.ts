import { z } from "zod";

import { isRecord } from "../json/json.js";
import { closeName, nearestFirst } from "../plan/nearest.js";

/** The JSON schema of what a template's values can be, by name. */
export type Values = { readonly [name: string]: unknown };

/** The values that an object's schema has, after it was read. */
export function valuesOf(schema: z.ZodObject): Values {
  const { properties } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  return properties ?? {};
}

/** What is wrong with the placeholder of a path; `undefined` if it names a value with words. */
export function placeholderProblem(path: readonly string[], values: Values): string | undefined {
  const wanted = path.join(".");
  const end = schemaAt({ properties: values, additionalProperties: false }, path);
  if (end === "missing") return `there is no {{${wanted}}}.${hint(wanted, values)}`;
  if (!isObject(end)) return undefined;
  const inside = namesIn(end, `${wanted}.`, 1);
  return `{{${wanted}}} is an object: name one of its values, such as ${inside.slice(0, 3).map(written).join(", ")}.`;
}

function hint(wanted: string, values: Values): string {
  const names = namesIn({ properties: values }, "", 4);
  const meant = closeName(wanted, names);
  const suggestion = meant === undefined ? "" : ` Did you mean ${written(meant)}?`;
  const all = nearestFirst(wanted, names).slice(0, 20).map(written).join(", ");
  return `${suggestion} There is ${all === "" ? "nothing" : all}.`;
}

function written(name: string): string {
  return `{{${name}}}`;
}

/** The schema at a path: `"open"` where anything may be, `"missing"` where nothing is. */
function schemaAt(schema: unknown, path: readonly string[]): unknown {
  const branches = branchesOf(schema);
  if (branches !== undefined) return schemaInBranches(branches, path);
  if (schema === "missing" || !isRecord(schema)) return "missing";
  if (isOpen(schema)) return "open";
  if (schema["type"] === "array") return schemaAt(schema["items"], path);
  const [key, ...rest] = path;
  return key === undefined ? schema : schemaAt(memberOf(schema, key), rest);
}

function schemaInBranches(branches: readonly unknown[], path: readonly string[]): unknown {
  const found = branches
    .map((branch) => schemaAt(branch, path))
    .filter((each) => each !== "missing");
  return found.find((each) => !isObject(each)) ?? found[0] ?? "missing";
}

function memberOf(schema: Record<string, unknown>, key: string): unknown {
  const { properties, additionalProperties } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, key)) return properties[key];
  return isRecord(additionalProperties) ? additionalProperties : "missing";
}

function branchesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  const { anyOf, oneOf, allOf } = schema;
  return [anyOf, oneOf, allOf].find((each) => Array.isArray(each));
}

/** Whether a schema says nothing of its values, or says it elsewhere. */
function isOpen(schema: Record<string, unknown>): boolean {
  return !["type", "properties", "enum", "const"].some((key) => key in schema);
}

/** An object with known values has no words of its own. */
function isObject(schema: unknown): boolean {
  return isRecord(schema) && isRecord(schema["properties"]);
}

/** The paths of the values with words. */
function namesIn(schema: unknown, prefix: string, levels: number): string[] {
  const branches = branchesOf(schema);
  if (branches !== undefined) return branches.flatMap((each) => namesIn(each, prefix, levels));
  if (!isRecord(schema)) return [];
  if (schema["type"] === "array") return namesIn(schema["items"], prefix, levels);
  const { properties } = schema;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const inside = levels > 0 ? namesIn(value, `${prefix}${name}.`, levels - 1) : [];
    return inside.length > 0 ? inside : [`${prefix}${name}`];
  });
}
