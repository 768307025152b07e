import type { StructuredToolInterface } from "@langchain/core/tools";

import type { JsonObject } from "../json/json.js";
import type { RunMemory } from "../run/memory.js";
import { argumentSchema, propertiesOf, requiredOf } from "./argument-schema.js";
import type { ToolPolicy } from "./policy.js";
import { coerceArguments, readArguments } from "./read-arguments.js";

/** The part of a policy that says which parameters the memory of a run fills. */
type FromMemory = Pick<ToolPolicy, "fromMemory">;

/** A tool in a toolbox. */
type Shown = {
  readonly tool: StructuredToolInterface;
  readonly whole?: StructuredToolInterface;
};

/** A tool as models see it, without the parameters that memory fills, and the tool that runs where it is another one. */
export function shownTool(whole: StructuredToolInterface, { fromMemory = {} }: FromMemory): Shown {
  const filled = new Set(Object.keys(fromMemory));
  if (filled.size === 0) return { tool: whole };
  const schema = argumentSchema(whole);
  const value = {
    ...schema,
    properties: withoutNames(propertiesOf(schema), filled),
    required: requiredOf(schema).filter((name) => !filled.has(name)),
  };
  const tool: StructuredToolInterface = Object.create(whole, { schema: { value } });
  return { tool, whole };
}

/** Arguments as models know them, and those that the memory of the run has filled. */
export type SplitArguments = {
  readonly args: JsonObject;
  readonly fromMemory?: JsonObject | undefined;
};

/** Divides arguments into those that models know and those that memory fills. */
export function splitArguments({ fromMemory }: FromMemory, args: JsonObject): SplitArguments {
  if (fromMemory === undefined) return { args };
  const filled = new Set(Object.keys(fromMemory));
  const named = new Set(Object.keys(args).filter((name) => !filled.has(name)));
  return { args: withoutNames(args, filled), fromMemory: withoutNames(args, named) };
}

/** All arguments of a call. */
export function wholeArguments({ args, fromMemory }: SplitArguments): JsonObject {
  return fromMemory === undefined ? args : { ...args, ...fromMemory };
}

/** All arguments of a call on its way. */
export function allArguments({
  call: { args },
  fromMemory,
}: Pick<SplitArguments, "fromMemory"> & {
  readonly call: { readonly args: JsonObject };
}): JsonObject {
  return wholeArguments({ args, fromMemory });
}

/** What the memory of a run fills in. */
export type Filled = {
  readonly values: JsonObject;
  /** The names of the memory that are not known. */
  readonly missing: readonly string[];
};

/** The values of parameters that memory fills; `held` are those that a person saw, which win. */
export function filledBy(
  { policy, tool, whole = tool }: Shown & { readonly policy: FromMemory },
  held: JsonObject = {},
  memory?: RunMemory,
): Filled | undefined {
  const { fromMemory } = policy;
  if (fromMemory === undefined) return undefined;
  const missing = new Set<string>();
  const fields = Object.entries(fromMemory).flatMap(([parameter, path]) => {
    if (path === undefined) return [];
    if (Object.hasOwn(held, parameter)) return [[parameter, held[parameter]]];
    const { name, id } = read(path);
    const known = memory?.values().get(name);
    const ids = known === undefined || "failed" in known ? {} : (known.ids ?? {});
    if (Object.hasOwn(ids, id)) return [[parameter, ids[id]]];
    missing.add(name);
    return [];
  });
  const fitted = readArguments(coerceArguments(Object.fromEntries(fields), argumentSchema(whole)));
  return { values: fitted.ok ? fitted.args : {}, missing: [...missing] };
}

function read(path: string): { readonly name: string; readonly id: string } {
  const at = path.indexOf(".");
  return { name: path.slice(0, at), id: path.slice(at + 1) };
}

function withoutNames<Value>(
  fields: { readonly [name: string]: Value },
  names: ReadonlySet<string>,
): { readonly [name: string]: Value } {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}
