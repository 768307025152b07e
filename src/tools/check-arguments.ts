import type { StructuredToolInterface } from "@langchain/core/tools";
import { interopParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";

import { dateForms } from "../dates/resolve-date.js";
import { isDigits } from "../json/exact-json.js";
import { isRecord, type JsonObject } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { referencesIn } from "../plan/step.js";
import { preview } from "../run/check-names.js";
import type { RunTime } from "../run/scope.js";
import type { Observation } from "../state/observation.js";
import {
  argumentNames,
  argumentSchema,
  type JsonSchema,
  schemaAt,
  typesOf,
} from "./argument-schema.js";
import { llmToolName } from "./builtin/llm.js";
import { type DateField, dateFields } from "./date-fields.js";
import { splitArguments } from "./from-memory.js";
import { wholeText } from "./kept-result.js";
import { marksOf } from "./policy.js";
import { changeDigits, fitArguments, nearestNumber } from "./read-arguments.js";
import { placeOf, type SchemaProblem, schemaProblems, valueAt } from "./schema-problems.js";
import type { Toolbox } from "./toolbox.js";

/** Maximum length of an argument error, schema included: 1 500 with the text before it. */
const maxErrorChars = 1_460;

/**
 * Validates arguments against a zod or JSON schema. Returns nothing when they fit, else a text for the model: path,
 * expected and actual value of each problem, for dates why they were not read (`unread`, by path), then the schema.
 * `told` are the tool and the arguments that the model knows, where they are not all.
 */
export async function checkArguments(
  tool: Pick<StructuredToolInterface, "name" | "schema">,
  given: unknown,
  unread: ReadonlyMap<string, string> = new Map(),
  told?: { readonly tool: Pick<StructuredToolInterface, "schema">; readonly args: unknown },
): Promise<string | undefined> {
  const { problems, schema, args } = await problemsOf(tool, given, unread);
  if (problems.length === 0) return undefined;
  const known = told === undefined ? schema : argumentSchema(told.tool);
  const shown = told === undefined ? args : told.args;
  const lines = problems.map((problem) => problemLine(problem, known, shown));
  return capped(`The arguments of "${tool.name}" do not fit:`, lines, JSON.stringify(known));
}

async function problemsOf(
  tool: Pick<StructuredToolInterface, "name" | "schema">,
  given: unknown,
  unread: ReadonlyMap<string, string>,
) {
  const schema = argumentSchema(tool);
  const { takesExactNumbers = false } = marksOf(tool);
  const args = takesExactNumbers ? changeDigits(given, schema, nearestNumber) : given;
  const { schema: form } = tool;
  const isZod = isInteropZodSchema(form);
  const found = isInteropZodSchema(form)
    ? await zodProblems(form, args)
    : schemaProblems(schema, args);
  // A zod schema that only states a format, by `meta`, does not check it.
  const fields = dateFields(args, schema).map((field) =>
    isZod ? { ...field, isOwnFormat: true } : field,
  );
  return { problems: withDates(found, fields, unread), schema, args };
}

/** The problems, with date formats; only this code can check our own formats. */
function withDates(
  problems: readonly SchemaProblem[],
  fields: readonly DateField[],
  unread: ReadonlyMap<string, string>,
): readonly SchemaProblem[] {
  const formsAt = (path: readonly PropertyKey[]) => unread.get(placeOf(path)) ?? dateForms;
  const dates = new Set(fields.map(({ path }) => placeOf(path)));
  const known = new Set(problems.map(({ path }) => placeOf(path)));
  const more = fields.filter(({ path, isOwnFormat }) => isOwnFormat && !known.has(placeOf(path)));
  return [
    ...problems.map(({ path, message }) => ({
      path,
      message: dates.has(placeOf(path)) ? `${message} ${formsAt(path)}` : message,
    })),
    ...more.map(({ path, format }) => ({
      path,
      message: `It is not in the form ${format}. ${formsAt(path)}`,
    })),
  ];
}

async function zodProblems(
  schema: Parameters<typeof interopParseAsync>[0],
  args: unknown,
): Promise<SchemaProblem[]> {
  try {
    await interopParseAsync(schema, args);
    return [];
  } catch (error) {
    const issues: unknown = error instanceof Error ? Reflect.get(error, "issues") : undefined;
    // The tool's own refinement or transformation may throw.
    if (!Array.isArray(issues)) return [{ path: [], message: errorLine(error) }];
    return issues.map((issue: unknown) => {
      const path: unknown = isRecord(issue) ? issue["path"] : undefined;
      const message = isRecord(issue) ? String(issue["message"]) : "does not fit";
      return { path: Array.isArray(path) ? path : [], message };
    });
  }
}

function problemLine(problem: SchemaProblem, schema: JsonSchema, args: unknown): string {
  const name = problem.path.length === 0 ? "(the arguments)" : placeOf(problem.path);
  return `- ${name}: ${problemText(problem, schema, args)}`;
}

function problemText({ path, message }: SchemaProblem, schema: JsonSchema, args: unknown): string {
  const expected = expectation(schemaAt(schema, path));
  const value = valueAt(args, path);
  const why = isDigits(value) ? " It has more digits than this tool can take as a number." : "";
  return `expected ${expected}, got ${preview(value, 120)}. ${message}${why}`;
}

function expectation(schema: JsonSchema): string {
  const values = schema["enum"];
  if (Array.isArray(values)) return `one of ${JSON.stringify(values)}`;
  const types = typesOf(schema);
  const plain = types.length === 0 ? "another value" : types.join(" or ");
  const type = `${plain}${boundsOf(schema)}`;
  const description = schema["description"];
  return typeof description === "string" ? `${type} (${description})` : type;
}

/** Not what every integer of a zod schema is within. */
function isBound(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** The least and the greatest number, where a schema states them. */
function boundsOf({ minimum, maximum }: JsonSchema): string {
  const from = isBound(minimum) ? ` from ${minimum}` : "";
  const to = isBound(maximum) ? ` to ${maximum}` : "";
  return `${from}${to}`;
}

function capped(title: string, lines: readonly string[], schema: string): string {
  const problems = `${title}\n${lines.join("\n")}`.slice(0, maxErrorChars - 200);
  const room = maxErrorChars - problems.length - "\nSchema: …".length;
  return `${problems}\nSchema: ${schema.length > room ? `${schema.slice(0, room)}…` : schema}`;
}

/**
 * The names in `parameters` whose value does not occur in `texts` as a separate word. Numbers are compared by value
 * (12.5 in "12.50"), with and without thousands separators. Absent values are grounded.
 */
export function ungrounded(
  parameters: readonly string[],
  args: unknown,
  texts: readonly string[],
): string[] {
  if (!isRecord(args)) return [];
  const haystack = texts.join("\n").toLowerCase();
  const plain = haystack.replaceAll(/(?<=\d)[,_'’](?=\d{3})/g, "");
  const numbers = new Set((plain.match(/(?<![a-z0-9_.])\d+(?:\.\d+)?(?!\d)/g) ?? []).map(Number));
  const isGrounded = (value: unknown) => {
    if (typeof value === "number") return numbers.has(Math.abs(value));
    const text = String(value).toLowerCase();
    return occurs(text, haystack) || occurs(text, plain);
  };
  return parameters.filter((name) => !scalars(args[name]).every(isGrounded));
}

/** Trusted tools' results, as texts that ground a value. Of a sub-run its calls count, not its answer. */
export function trustedTexts(observations: readonly Observation[]): string[] {
  return observations.flatMap((observation) => {
    const { ok, tool, trust, run } = observation;
    if (run !== undefined) return trustedTexts(run.observations);
    return ok && trust === undefined && tool !== llmToolName ? [wholeText(observation)] : [];
  });
}

function scalars(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(scalars);
  if (isRecord(value)) return Object.values(value).flatMap(scalars);
  return value === undefined || value === null || value === "" ? [] : [value];
}

/** Whether `value` occurs in `text` without a letter or digit directly next to it. */
function occurs(value: string, text: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!continues(text[at - 1], value[0]) && !continues(text[at + value.length], value.at(-1))) {
      return true;
    }
  }
  return false;
}

/** Whether two neighbouring characters belong to one word; this is never so in scripts without spaces. */
function continues(outside: string | undefined, inside: string | undefined): boolean {
  const word = /[a-z0-9_]/;
  return word.test(outside ?? "") && word.test(inside ?? "");
}

/**
 * The problems in the arguments of a planned step. Arguments with references are checked only for unknown and missing
 * names. Dates in words stay: they are resolved when the step runs.
 */
export async function checkPlanArguments(
  toolbox: Toolbox,
  name: string,
  planned: JsonObject,
  time: RunTime,
): Promise<readonly string[]> {
  const entry = toolbox.get(name);
  if (entry === undefined) return [];
  const schema = argumentSchema(entry.tool);
  const { args } = splitArguments(entry.policy, planned);
  if (referencesIn(args).length === 0) {
    const fitted = fitArguments(entry.tool, args, time);
    const problem = await checkArguments(entry.tool, fitted.args, fitted.unread);
    return problem === undefined ? [] : [problem];
  }
  const { known, missing, unknown } = argumentNames(schema, args);
  return [
    ...missing.map((field) => `${field}: expected a value, got none`),
    ...(known.length === 0 ? [] : unknown).map(
      (field) => `${field}: there is no such argument; there are ${known.join(", ")}`,
    ),
  ];
}

/**
 * What is wrong with the arguments of a call that a person has written, each at its place: for files, which tell their
 * places. Arguments with references are known only when the step runs.
 */
export async function writtenArgumentProblems(
  toolbox: Toolbox,
  name: string,
  written: JsonObject,
  time: RunTime,
): Promise<SchemaProblem[]> {
  const entry = toolbox.get(name);
  if (entry === undefined) return [];
  const fitted = fitArguments(entry.tool, splitArguments(entry.policy, written).args, time);
  const { problems, schema, args } = await problemsOf(entry.tool, fitted.args, fitted.unread);
  const open = new Set(
    Object.entries(written).flatMap(([field, value]) =>
      referencesIn(value).length > 0 ? [field] : [],
    ),
  );
  // Without all arguments, nothing can be said of them together.
  const isTold = ({ path: [field] }: SchemaProblem) =>
    field === undefined ? open.size === 0 : !open.has(String(field));
  return problems.filter(isTold).map((problem) => ({
    path: problem.path,
    message: problemText(problem, schema, args),
  }));
}
