import { canonicalJson, type Json } from "./json.js";

/** How a value is compared with its target. */
export const operators = ["==", "!=", ">", ">=", "<", "<=", "in", "exists"] as const;

/** A comparison of a value. */
export type Condition = {
  readonly operator: (typeof operators)[number];
  /** A list for `in`; not needed for `exists`. */
  readonly target?: Json | undefined;
};

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

/** Whether a comparison holds; a number equals its text. */
export function meets(value: Json | undefined, { operator, target = null }: Condition): boolean {
  return tests[operator](value, target);
}

/** A number, or a numeric text; otherwise NaN, which compares with nothing. */
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
