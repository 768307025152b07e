import { HumanMessage, SystemMessage } from "@langchain/core/messages";

import { canonicalJson, type Json, type JsonObject } from "../../json/json.js";
import { toolForm } from "../../models/model-request.js";
import { objectSchema } from "../../models/provider/output-mode.js";
import { type OutputSchema, type Validated } from "../../models/structured-output.js";
import { figuresIn, isCalculation } from "../../plan/figures.js";
import { fillReferences, referenceName } from "../../plan/references.js";
import { type Reference, referencesIn, wholeReference } from "../../plan/step.js";
import { repairerInstructions, repairerTask } from "../../roles/repairer.js";
import type { RunTime } from "../../run/scope.js";
import type { Observation } from "../../state/observation.js";
import { noUsage } from "../../state/usage.js";
import {
  argumentSchema,
  type JsonSchema,
  propertiesOf,
  typesOf,
} from "../../tools/argument-schema.js";
import { checkArguments } from "../../tools/check-arguments.js";
import { fitArguments, readArguments } from "../../tools/read-arguments.js";
import type { Toolbox, ToolEntry } from "../../tools/toolbox.js";
import type { Run } from "../enter-run.js";
import type { Repair } from "./run-steps.js";

/**
 * Lets the repairer model find the values for one step whose references did not fit, in one call. For a number it
 * chooses from the figures in each result.
 */
export function createRepair(toolbox: Toolbox, run: Run): Repair {
  return async (step, evidence, failed) => {
    const entry = toolbox.get(step.tool);
    if (entry === undefined) return { args: undefined, usage: noUsage };
    const choices = valueChoices(step.args, evidence, argumentSchema(entry.tool));
    // The results were figures already: the failure has another cause.
    const only = onlyChoice(choices);
    const isSame = only !== undefined && isEqual(fillReferences(step.args, only), failed.args);
    if (isSame) return { args: undefined, usage: noUsage };
    const task = repairerTask({
      tool: toolForm(entry.tool),
      planned: step.args,
      names: choices.map(({ name }) => name),
      evidence: evidence.map(({ callId: id, content: value, tool, args }) => ({
        id,
        value,
        call: `${tool} ${JSON.stringify(args)}`,
      })),
      problem: failed.error?.message ?? failed.content,
    });
    const output = valuesOutput(entry, step.args, choices, run);
    const wanted = { output, task: "Write them now.", mayRepair: 0 };
    const reply = await run.askFor("repairer", wanted, {
      for: step.id,
      messages: [new SystemMessage(repairerInstructions), new HumanMessage(task)],
    });
    // The same call would fail again, or do its work twice.
    const isAgain =
      reply.ok && isEqual(fitArguments(entry.tool, reply.value, run).args, failed.args);
    const args = reply.ok && !isAgain ? reply.value : undefined;
    return { args, usage: reply.usage };
  };
}

/**
 * The output schema of the values: a small model that rewrites all arguments loses half of the calculation. A reply
 * with all arguments is understood, too.
 */
function valuesOutput(
  entry: ToolEntry,
  planned: JsonObject,
  choices: readonly ValueChoice[],
  time: RunTime,
): OutputSchema<JsonObject> {
  const names = choices.map(({ name }) => name);
  return {
    name: "values",
    schema: objectSchema(Object.fromEntries(choices.map(({ name, schema }) => [name, schema]))),
    read: async (value) => {
      const read = readArguments(value);
      if (!read.ok) return read;
      const isValues = names.some((name) => Object.hasOwn(read.args, name));
      const values = new Map(Object.entries(read.args));
      return fittedTo(entry, isValues ? fillReferences(planned, values) : read.args, time);
    },
  };
}

function isEqual(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

/** Arguments without references that fit the tool. */
async function fittedTo(
  { tool }: ToolEntry,
  args: JsonObject,
  time: RunTime,
): Promise<Validated<JsonObject>> {
  const [left] = referencesIn(args);
  if (left !== undefined) return { ok: false, problem: `${left.text} is no value` };
  const fitted = fitArguments(tool, args, time);
  const problem = await checkArguments(tool, fitted.args, fitted.unread);
  return problem === undefined ? { ok: true, value: args } : { ok: false, problem };
}

/** What may replace a reference. */
type ValueChoice = {
  /** The reference without its braces. */
  readonly name: string;
  /** The figures in the result, where a number is needed. */
  readonly figures: readonly number[];
  /** JSON schema of the value. */
  readonly schema: object;
};

/** What may replace each reference of a step whose call failed, each once. */
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
    // A small model that may write any number calculates one; null means that the result has none.
    const listed = figures.length === 0 ? {} : { enum: [...figures, null] };
    return { name, figures, schema: { type: ["number", "null"], ...listed } };
  });
}

/** The values where there is no choice: a number is needed, and every result has exactly one figure. */
export function onlyChoice(choices: readonly ValueChoice[]): Map<string, Json> | undefined {
  const values = choices.flatMap(({ name, figures: [figure, ...others] }) =>
    figure !== undefined && others.length === 0 ? [[name, figure] as const] : [],
  );
  return values.length === choices.length ? new Map(values) : undefined;
}

/** Figures from the call itself are no results: "Nothing found for Lake 7". */
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

/** The schema of the argument where the reference is all of it, else figure or text. */
function placeSchema(name: string, planned: JsonObject, parameters: JsonSchema): JsonSchema {
  const whole = placesOf(name, planned).find(({ text }) => wholeReference(text) !== undefined);
  const schema = whole === undefined ? undefined : propertiesOf(parameters)[whole.field];
  const isTold = schema !== undefined && !JSON.stringify(schema).includes('"$ref"');
  return isTold ? schema : { anyOf: [{ type: "number" }, { type: "string" }] };
}
