import { HumanMessage, SystemMessage } from "@langchain/core/messages";

import {
  canonicalJson,
  defined,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
} from "../../json/json.js";
import { toolForm } from "../../models/model-request.js";
import { objectSchema } from "../../models/provider/output-mode.js";
import { type OutputSchema, type Validated } from "../../models/structured-output.js";
import { numbersIn } from "../../plan/asked-figures.js";
import { isCalculation } from "../../plan/figures.js";
import { fillReferences, referenceName } from "../../plan/references.js";
import { type Reference, referencesIn, type ToolStep, wholeReference } from "../../plan/step.js";
import { insideFence } from "../../prompts/fence.js";
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
import { statedReads, type Toolbox, type ToolEntry } from "../../tools/toolbox.js";
import type { Run } from "../enter-run.js";
import { isKnown } from "../messages.js";
import { withFigureWords } from "./figure-words.js";
import { type AskedResult, meantFigure, resultFigures } from "./meant-figure.js";
import { meantName, resultNames } from "./meant-name.js";
import type { Evidence, Repair } from "./run-steps.js";

/**
 * Finds the values for one step whose references did not fit. Which figure of a result is meant is said by its words
 * where they leave no choice; for all other values the repairer model is asked, in one call. For a number it chooses
 * from the figures in each result. `question`: what the whole plan answers.
 */
export function createRepair(toolbox: Toolbox, run: Run, question: string): Repair {
  return async (step, evidence, failed) => {
    const entry = toolbox.get(step.tool);
    if (entry === undefined) return { args: undefined, usage: noUsage };
    // What a tool that may act is called with comes from the results that its plan names.
    const others = statedReads(toolbox).has(step.tool) ? evidence.filter(isKnown) : [];
    const needs = { aim: step.thought ?? "", question, tool: step.tool, others };
    const args = withFigureWords(step.args, evidence);
    const choices = valueChoices(args, evidence, argumentSchema(entry.tool), needs);
    const planned = fillReferences(args, meantValues(choices));
    const open = choices.filter(({ meant }) => meant === undefined);
    const found =
      open.length === 0
        ? { args: await fittingTo(entry, planned, run), usage: noUsage }
        : await askedFor({ step: { ...step, args: planned }, entry, open, evidence, failed }, run);
    // The same call would fail again, or do its work twice.
    const isAgain =
      found.args !== undefined &&
      isEqual(fitArguments(entry.tool, found.args, run).args, failed.args);
    return isAgain ? { ...found, args: undefined } : found;
  };
}

type Asked = {
  /** The step, with the values in it that are known. */
  readonly step: ToolStep;
  readonly entry: ToolEntry;
  /** The values that are not. */
  readonly open: readonly ValueChoice[];
  readonly evidence: readonly Evidence[];
  readonly failed: Observation;
};

/** Asks the repairer for the values that are open. */
async function askedFor({ step, entry, open, evidence, failed }: Asked, run: Run) {
  const names = open.map(({ name }) => name);
  const needed = new Set(referencesIn(step.args).map(({ id }) => id));
  const task = repairerTask({
    tool: toolForm(entry.tool),
    planned: step.args,
    names,
    evidence: evidence
      .filter(({ callId }) => needed.has(callId))
      .map(({ callId: id, content: value, tool, args, purpose }) => {
        const call = `${tool} ${JSON.stringify(args)}`;
        return { id, value, call: purpose === "" ? call : `${purpose}: ${call}` };
      }),
    problem: failed.error?.message ?? failed.content,
  });
  const output = valuesOutput(entry, step.args, open, run);
  const wanted = { output, task: "Write them now.", mayRepair: 0 };
  const reply = await run.askFor("repairer", wanted, {
    for: step.id,
    messages: [new SystemMessage(repairerInstructions), new HumanMessage(task)],
  });
  return { args: reply.ok ? reply.value : undefined, usage: reply.usage };
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

/** Arguments, if they fit the tool. */
async function fittingTo(entry: ToolEntry, args: JsonObject, time: RunTime) {
  const fitted = await fittedTo(entry, args, time);
  return fitted.ok ? fitted.value : undefined;
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
  /** The figure or the name that is meant, where the words of the result leave no choice. */
  readonly meant?: number | string;
  /** JSON schema of the value. */
  readonly schema: object;
};

/** What values are for: the purpose of the step that takes them, and the question that the plan answers. */
type Needs = Pick<AskedResult, "aim" | "question"> & {
  /** The tool of the step that takes them. */
  readonly tool?: string;
  /** The results that may tell what the one that was asked does not; default none. */
  readonly others?: readonly Evidence[];
};

/** What may replace each reference of a step whose call failed, each once. */
export function valueChoices(
  planned: JsonObject,
  evidence: readonly Evidence[],
  parameters: JsonSchema,
  needs: Needs = {},
): ValueChoice[] {
  const byName = new Map(referencesIn(planned).map((found) => [referenceName(found), found]));
  return [...byName].map(([name, reference]) => {
    const places = placesOf(name, planned, parameters);
    const schema = placeSchema(places);
    if (!places.some(({ text }) => isCalculation(text)) && !isNumber(schema)) {
      const asked = askedOf(reference, evidence, needs);
      const meant = asked === undefined ? undefined : meantName(asked);
      if (meant !== undefined && takes(schema, meant)) return { name, schema, meant };
      return { name, schema: namesToChoose(schema, asked, needs) };
    }
    const { figures, meant } = figuresFor(reference, evidence, needs);
    // A small model that may write any number calculates one; null means that the result has none.
    const listed = figures.length === 0 ? {} : { enum: [...figures, null] };
    return { name, schema: { type: ["number", "null"], ...listed }, ...defined({ meant }) };
  });
}

/** The schema of a name: with the tool that found the result, the name that it was found by would only find it again. */
function namesToChoose(schema: JsonSchema, asked: FoundResult | undefined, { tool }: Needs) {
  if (asked === undefined || asked.tool !== tool) return schema;
  const names = resultNames(asked).filter((name) => takes(schema, name));
  return names.length > 1 ? { ...schema, enum: names } : schema;
}

function meantValues(choices: readonly ValueChoice[]): Map<string, Json> {
  return new Map(
    choices.flatMap(({ name, meant }) => (meant === undefined ? [] : [[name, meant] as const])),
  );
}

/** The figures of a result, and the one that is meant. */
function figuresFor(reference: Reference, evidence: readonly Evidence[], needs: Needs) {
  const asked = askedOf(reference, evidence, needs);
  if (asked === undefined) return { figures: [], meant: undefined };
  return { figures: resultFigures(asked), meant: meantFigure(asked, needs.others) };
}

/** Whether a call with these references would take a figure that no call of its tool has had. */
export function takesMore(tool: string, args: JsonObject, evidence: readonly Evidence[]): boolean {
  const calls = evidence.filter((one) => one.tool === tool);
  const others = evidence.filter(isKnown);
  const had = new Set(calls.flatMap((one) => numbersIn(one.args)));
  return referencesIn(args)
    .map((reference) => askedOf(reference, evidence, {}))
    .map((asked) => (asked === undefined ? undefined : meantFigure(asked, others)))
    .some((figure) => figure !== undefined && !had.has(figure));
}

type FoundResult = AskedResult & Pick<Evidence, "tool">;

/** A result as what is asked of it. A path that leads nowhere still says in words what is meant. */
function askedOf(
  { id, path }: Reference,
  evidence: readonly Evidence[],
  needs: Needs,
): FoundResult | undefined {
  const found = evidence.find(({ callId }) => callId === id);
  if (found === undefined) return undefined;
  const purpose = path.length === 0 ? found.purpose : path.join(" ");
  const { aim, question } = needs;
  return {
    ...found,
    ...defined({ aim, question }),
    purpose,
    content: insideFence(found.content).text,
  };
}

/** Whether a name can be a value of this schema. */
function takes(schema: JsonSchema, name: string): boolean {
  const { enum: values, maxLength = Infinity, pattern, format } = schema;
  const types = typesOf(schema);
  const isFree = pattern === undefined && format === undefined;
  const isText = types.length === 0 || types.includes("string");
  const isListed = !Array.isArray(values) || values.includes(name);
  return isFree && isText && isListed && name.length <= Number(maxLength);
}

/** Where a reference stands: the text, and the schema of its place. */
type Place = { readonly text: string; readonly schema: JsonSchema | undefined };

function placesOf(name: string, value: Json, schema: JsonSchema | undefined): Place[] {
  if (typeof value === "string") {
    const isHere = referencesIn(value).some((found) => referenceName(found) === name);
    return isHere ? [{ text: value, schema }] : [];
  }
  if (Array.isArray(value)) {
    const items = isRecord(schema?.["items"]) ? schema["items"] : undefined;
    return value.flatMap((item: Json) => placesOf(name, item, items));
  }
  if (!isJsonObject(value)) return [];
  const fields = schema === undefined ? {} : propertiesOf(schema);
  return Object.entries(value).flatMap(([field, each]) => placesOf(name, each, fields[field]));
}

function isNumber(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.length > 0 && types.every((type) => type === "number" || type === "integer");
}

/** The schema of the place where the reference is all of it, else figure or text. */
function placeSchema(places: readonly Place[]): JsonSchema {
  const schema = places.find(({ text }) => wholeReference(text) !== undefined)?.schema;
  const isTold = schema !== undefined && !JSON.stringify(schema).includes('"$ref"');
  return isTold ? schema : { anyOf: [{ type: "number" }, { type: "string" }] };
}
