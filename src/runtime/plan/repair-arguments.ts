import { HumanMessage, SystemMessage } from "@langchain/core/messages";

import { canonicalJson, type Json, type JsonObject } from "../../json/json.js";
import { toolForm } from "../../models/model-request.js";
import { type StructuredForm, type Validated } from "../../models/structured-output.js";
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
 * Lets the repairer model find, in one call for one step, the values that the results have for a step in
 * which they did not fit as they are. Where a number is needed it chooses from the figures of each result.
 */
export function createRepair(toolbox: Toolbox, run: Run): Repair {
  return async (step, evidence, failed) => {
    const entry = toolbox.get(step.tool);
    if (entry === undefined) return { args: undefined, usage: noUsage };
    const choices = valueChoices(step.args, evidence, argumentSchema(entry.tool));
    // The results were figures already: what failed is no matter of how they are written.
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
    const form = valuesForm(entry, step.args, choices, run);
    const wanted = { form, task: "Write them now.", mayRepair: 0 };
    const reply = await run.askFor("repairer", wanted, {
      messages: [new SystemMessage(repairerInstructions), new HumanMessage(task)],
    });
    const isAgain = reply.ok && (await isSameCall(entry, reply.value, failed, run));
    const args = reply.ok && !isAgain ? reply.value : undefined;
    return { args, usage: reply.usage };
  };
}

/**
 * The form of the values: a small model that writes the whole arguments anew loses half of the calculation.
 * One that does so all the same is understood.
 */
function valuesForm(
  entry: ToolEntry,
  planned: JsonObject,
  choices: readonly ValueChoice[],
  time: RunTime,
): StructuredForm<JsonObject> {
  const names = choices.map(({ name }) => name);
  return {
    name: "values",
    schema: {
      type: "object",
      properties: Object.fromEntries(choices.map(({ name, schema }) => [name, schema])),
      required: names,
      additionalProperties: false,
    },
    read: async (value) => {
      const read = readArguments(value);
      if (!read.ok) return read;
      const isValues = names.some((name) => Object.hasOwn(read.args, name));
      const values = new Map(Object.entries(read.args));
      return fittedTo(entry, isValues ? fillReferences(planned, values) : read.args, time);
    },
  };
}

/** Whether arguments are those that a call failed with: made again it would only fail again, or do its work twice. */
async function isSameCall(
  { tool }: ToolEntry,
  args: JsonObject,
  failed: Observation,
  time: RunTime,
): Promise<boolean> {
  return isEqual(fitArguments(tool, args, time).args, failed.args);
}

function isEqual(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

/** Arguments without a reference that the tool takes. */
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

/** What may stand in place of a reference. */
type ValueChoice = {
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
