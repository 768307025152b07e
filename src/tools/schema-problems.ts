import { Validator } from "@langchain/core/utils/json_schema";

import type { JsonSchema } from "./argument-schema.js";
import { withPatternsMatched } from "./linear-pattern.js";

type OutputUnit = ReturnType<Validator["validate"]>["errors"][number];

/** What does not fit a schema, and where. */
export type SchemaProblem = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
};

/** A place in a value as people read it: "items.0.name". */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

/** Keywords under which the validator repeats other errors. */
const summaries: ReadonlySet<string> = new Set(["properties", "items", "allOf", "$ref", "false"]);

/** What of a value does not fit a JSON schema; nothing for a schema that the validator does not support. */
export function schemaProblems(schema: JsonSchema, args: unknown): SchemaProblem[] {
  const { schema: matched, refused } = withPatternsMatched(schema, args);
  return validationErrors(matched, args)
    .filter(({ keyword }) => !summaries.has(keyword))
    .filter(isFirstOfPlace)
    .map(({ instanceLocation, keyword, error }) => {
      const path = pointerPath(instanceLocation);
      const missing = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined;
      const value = valueAt(args, path);
      const isRefused = keyword === "not" && typeof value === "string" && refused.has(value);
      return {
        path: missing === undefined ? path : [...path, missing],
        message: isRefused ? "String does not match pattern." : error,
      };
    });
}

/** One line for each place; missing and surplus fields appear at their object's place. */
function isFirstOfPlace(
  { instanceLocation, keyword }: OutputUnit,
  at: number,
  errors: readonly OutputUnit[],
): boolean {
  const first = errors.findIndex((error) => error.instanceLocation === instanceLocation);
  return first === at || keyword === "required" || keyword === "additionalProperties";
}

/** The validator's errors; empty for a schema that it does not support: then only the tool can check. */
function validationErrors(schema: JsonSchema, args: unknown): OutputUnit[] {
  try {
    return new Validator(schema, "2020-12", false).validate(args).errors;
  } catch {
    return [];
  }
}

function pointerPath(pointer: string): (string | number)[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => decodeURI(part))
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  }
  return at;
}
