import type { StructuredToolInterface } from "@langchain/core/tools";

import { isDigits, isWhole } from "../json/exact-json.js";
import { isRecord } from "../json/json.js";
import { itemsOf, type JsonSchema, propertiesOf, shapeOf, typesOf } from "./argument-schema.js";

const exactKey = Symbol.for("plangraph.exactNumbers");

/** Under what name a call's metadata has arguments whose numbers JavaScript would change. */
export const exactArguments = "exactArguments";

/** Marks a tool that takes the digits of a number that JavaScript would change, as a text in the number's place. */
export function withExactNumbers<T extends StructuredToolInterface>(tool: T): T {
  return Object.assign(tool, { [exactKey]: true });
}

/** Whether a tool takes them. */
export function takesExactNumbers(tool: object): boolean {
  return Reflect.get(tool, exactKey) === true;
}

/** The value with what `change` makes of the digits that stand where its schema wants a number. */
export function changeDigits(
  value: unknown,
  schema: JsonSchema,
  change: (digits: string) => unknown,
): unknown {
  if (typeof value === "string") return isNumberAt(value, schema) ? change(value) : value;
  if (Array.isArray(value)) {
    const items = itemsOf(schema) ?? {};
    return value.map((item: unknown) => changeDigits(item, items, change));
  }
  if (!isRecord(value)) return value;
  const properties = propertiesOf(shapeOf(value, schema));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property === undefined ? each : changeDigits(each, property, change)];
    }),
  );
}

/** The number that comes nearest to digits. */
export function nearestNumber(digits: string): number {
  const nearest = Number(digits);
  return Number.isFinite(nearest) ? nearest : Math.sign(nearest) * Number.MAX_VALUE;
}

function isNumberAt(value: string, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  const wanted = types.includes("number") || (types.includes("integer") && isWhole(value));
  return wanted && !types.includes("string") && isDigits(value);
}
