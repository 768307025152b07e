import type { Json, JsonObject } from "../json/json.js";
import { figuresIn, isCalculation } from "../plan/figures.js";
import { referenceName } from "../plan/references.js";
import { type Reference, referencesIn, wholeReference } from "../plan/step.js";
import type { Observation } from "../state/observation.js";
import { type JsonSchema, propertiesOf, typesOf } from "../tools/argument-schema.js";

/** What may stand in place of a reference. */
export type ValueChoice = {
  /** The reference without its braces. */
  readonly name: string;
  /** The figures of the result, where a number is needed. */
  readonly figures: readonly number[];
  /** JSON schema of the value. */
  readonly schema: object;
};

/** What may stand in place of each reference of a step in which a result did not fit, each once. */
export function valueChoices(
  planned: JsonObject,
  evidence: readonly Observation[],
  parameters: JsonSchema,
): ValueChoice[] {
  const byName = new Map(referencesIn(planned).map((found) => [referenceName(found), found]));
  return [...byName].map(([name, reference]) => {
    const place = placeSchema(name, planned, parameters);
    if (!isCalculated(name, planned) && !isNumber(place))
      return { name, figures: [], schema: place };
    const figures = figuresFor(reference, evidence);
    // A small model that may write any number calculates one; null says that the result tells none.
    const schema =
      figures.length === 0
        ? { type: ["number", "null"] }
        : { type: ["number", "null"], enum: [...figures, null] };
    return { name, figures, schema };
  });
}

/** The values, where nothing is left to choose: every result has exactly one figure, and a number is needed. */
export function onlyChoice(choices: readonly ValueChoice[]): Map<string, Json> | undefined {
  const values = choices.flatMap(({ name, figures: [figure, ...others] }) =>
    figure !== undefined && others.length === 0 ? [[name, figure] as const] : [],
  );
  return values.length === choices.length ? new Map(values) : undefined;
}

/** Figures that the call itself was made with are no results: "Nothing found for Lake 7". */
function figuresFor({ id }: Reference, evidence: readonly Observation[]): number[] {
  const found = evidence.find(({ callId }) => callId === id);
  if (found === undefined) return [];
  if (typeof found.value === "number") return [found.value];
  const asked = new Set(figuresIn(JSON.stringify(found.args)));
  return figuresIn(found.content).filter((figure) => !asked.has(figure));
}

function placesOf(name: string, planned: JsonObject) {
  return Object.entries(planned).flatMap(([field, value]) => {
    const isHere = referencesIn(value).some((found) => referenceName(found) === name);
    return isHere && typeof value === "string" ? [{ field, text: value }] : [];
  });
}

function isCalculated(name: string, planned: JsonObject): boolean {
  return placesOf(name, planned).some(({ text }) => isCalculation(text));
}

function isNumber(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => type === "number" || type === "integer");
}

/** What the argument is where the reference is all of it, else figure or text. */
function placeSchema(name: string, planned: JsonObject, parameters: JsonSchema): JsonSchema {
  const whole = placesOf(name, planned).find(({ text }) => wholeReference(text) !== undefined);
  const schema = whole === undefined ? undefined : propertiesOf(parameters)[whole.field];
  const isTold = schema !== undefined && !JSON.stringify(schema).includes('"$ref"');
  return isTold ? schema : { anyOf: [{ type: "number" }, { type: "string" }] };
}
