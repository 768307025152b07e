import type { JsonObject } from "../plan/json.js";
import { referencesIn } from "../plan/reference.js";
import { argumentSchema, propertiesOf } from "./argument-schema.js";
import { checkArguments } from "./check-arguments.js";
import { coerceArguments } from "./coerce-arguments.js";
import type { Toolbox } from "./toolbox.js";

/**
 * What is wrong with the arguments of a planned step. What a reference will bring is not known yet: where
 * one is, only the names of the arguments are checked, and that none is missing.
 */
export async function checkPlanArguments(
  toolbox: Toolbox,
  name: string,
  args: JsonObject,
): Promise<readonly string[]> {
  const entry = toolbox.get(name);
  if (entry === undefined) return [];
  const schema = argumentSchema(entry.tool);
  if (referencesIn(args).length === 0) {
    const problem = await checkArguments(entry.tool, coerceArguments(args, schema));
    return problem === undefined ? [] : [problem];
  }
  const known = Object.keys(propertiesOf(schema));
  const { required } = schema;
  const needed = Array.isArray(required) ? required.map(String) : [];
  const missing = needed.filter((field) => args[field] === undefined);
  const unknown = Object.keys(args).filter((field) => known.length > 0 && !known.includes(field));
  return [
    ...missing.map((field) => `${field}: expected a value, got none`),
    ...unknown.map((field) => `${field}: there is no such argument; there are ${known.join(", ")}`),
  ];
}
