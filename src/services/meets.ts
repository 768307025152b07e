import { canonicalJson, type Json } from "../json/json.js";
import type { Service } from "./definition.js";

/** What must hold for a response to be a success. */
type Condition = NonNullable<Service["success"]>;

type Test = (value: Json | undefined, target: Json) => boolean;

const tests: { readonly [Operator in Condition["operator"]]: Test } = {
  exists: (value) => value !== undefined && value !== null,
  "==": isSame,
  "!=": (value, target) => !isSame(value, target),
  in: (value, target) => [target].flat().some((each: Json) => isSame(value, each)),
  ">": (value, target) => amount(value) > amount(target),
  ">=": (value, target) => amount(value) >= amount(target),
  "<": (value, target) => amount(value) < amount(target),
  "<=": (value, target) => amount(value) <= amount(target),
};

/** Whether a value of a response is what a definition wants; a number and its text are one. */
export function meets(value: Json | undefined, { operator, target = null }: Condition): boolean {
  return tests[operator](value, target);
}

/** A number, or a text that is one; what is none compares with nothing. */
export function amount(value: Json | undefined): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

function isSame(left: Json | undefined, right: Json): boolean {
  if (left === undefined) return false;
  if (typeof left === "object" || typeof right === "object") {
    return canonicalJson(left) === canonicalJson(right);
  }
  return String(left) === String(right);
}
