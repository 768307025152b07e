import type { JsonObject } from "../json/json.js";
import { referencesIn } from "../plan/step.js";
import type { RunTime } from "../run/scope.js";
import { argumentSchema, propertiesOf } from "./argument-schema.js";
import { checkArguments } from "./check-arguments.js";
import { fitArguments } from "./fit-arguments.js";
import type { Toolbox } from "./toolbox.js";

/**
 * What is wrong with the arguments of a planned step. What a reference will bring is not known yet: where
 * one is, only the names of the arguments are checked, and that none is missing. A date in words stays in
 * the plan as it is: it is read in the run's time when the step is carried out.
 */
export async function checkPlanArguments(
  toolbox: Toolbox,
  name: string,
  args: JsonObject,
  time: RunTime,
): Promise<readonly string[]> {
  const entry = toolbox.get(name);
  if (entry === undefined) return [];
  const schema = argumentSchema(entry.tool);
  if (referencesIn(args).length === 0) {
    const fitted = await fitArguments(entry.tool, args, time);
    const problem = await checkArguments(entry.tool, fitted.args, fitted.unread);
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
