import { namedValues } from "../../json/json.js";
import type { ToolForm } from "../../prompts/tool-protocol.js";
import { parameterNames, type RawTextCall, readCall, toolNamed } from "./json-calls.js";

/** A call whose arguments may still be anything, and the brackets that its JSON lacked. */
export type RawCall = Pick<RawTextCall, "name" | "input" | "missing" | "beside">;

/**
 * Whether a call is complete: no argument is outside the arguments because they were closed too early, and missing
 * brackets neither lost an argument nor swallowed one.
 */
export function isWholeCall(
  { name, input, missing, beside = [] }: RawCall,
  tools: readonly ToolForm[],
): boolean {
  const tool = toolNamed(name, tools);
  if (tool === undefined) return true;
  const { args } = readCall(name, input, tools);
  const names = parameterNames(tool.parameters);
  const left = names.filter((each) => !Object.hasOwn(args, each));
  if (left.some((each) => beside.includes(each))) return false;
  if (missing === undefined) return true;
  const isOpen = missing > 0 && (missing > mayLack(input) || left.length > 0);
  const isSwollen = Object.keys(args).some((key) => !names.includes(key)) || holdsKey(args, left);
  return !isOpen && !isSwollen;
}

/** How many brackets may be missing before a value of the arguments is open itself. */
function mayLack(input: unknown): number {
  if (!Array.isArray(input)) return 1;
  return input.length === 0 || namedValues(input) !== undefined ? 2 : 0;
}

/** Whether one of the keys is anywhere within a value. */
function holdsKey(value: unknown, keys: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, each]) => (keys.includes(key) && !Array.isArray(value)) || holdsKey(each, keys),
  );
}
