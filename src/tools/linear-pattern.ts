import type { StructuredToolInterface } from "@langchain/core/tools";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { RE2JS } from "re2js";

import { isRecord } from "../json/json.js";
import { oncePerObject } from "../models/once-per-object.js";
import { argumentSchema, type JsonSchema } from "./argument-schema.js";

/** A regular expression from data: its search time grows only linearly with the text. */
export type LinearPattern = { readonly test: (text: string) => boolean };

/** Compiled patterns, and undefined for those that cannot be compiled. */
const compiled = new Map<string, LinearPattern | undefined>();
const maxCompiled = 1_000;
/** Longer patterns, which cost too much, are not used for arguments. */
const maxPatternChars = 2_000;

/**
 * A JSON Schema pattern (ECMA-262 with the flag `u`, not anchored) on a linear-time engine. Nothing for an invalid
 * pattern, or one that the engine does not support: look-around and references to groups.
 */
export function linearPattern(pattern: string): LinearPattern | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  if (compiled.size >= maxCompiled) compiled.clear();
  const made = compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function compile(pattern: string): LinearPattern | undefined {
  if (pattern.length > maxPatternChars || !isPattern(pattern)) return undefined;
  try {
    const engine = RE2JS.compile(translated(pattern));
    return { test: (text) => engine.test(text) };
  } catch {
    return undefined;
  }
}

/** Whether a text is a regular expression of JSON Schema; it is parsed, never run. */
export function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

const blanks = String.raw`\t\n\x{b}\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const noBlanks = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const anything = String.raw`[\x{0}-\x{10ffff}]`;
const nothing = String.raw`[^\x{0}-\x{10ffff}]`;

const token =
  /\\u\{[0-9a-fA-F]+\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\c[A-Za-z]|\\[pP]\{[^{}]*\}|\\[^]|\[\^?\]?|[^]/gu;

/** The pattern in the engine's syntax, where the two differ. */
function translated(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(token, (part) => {
    const written = isInClass ? inClass(part) : outsideClass(part);
    if (isInClass ? part === "]" : /^\[\^?$/.test(part)) isInClass = !isInClass;
    return written;
  });
}

const outside: { readonly [part: string]: string } = {
  ".": String.raw`[^\n\r\x{2028}\x{2029}]`,
  [String.raw`\s`]: `[${blanks}]`,
  [String.raw`\S`]: `[${noBlanks}]`,
  "[^]": anything,
  "[]": nothing,
};

function outsideClass(part: string): string {
  return outside[part] ?? anywhere(part);
}

const inside: { readonly [part: string]: string } = {
  [String.raw`\s`]: blanks,
  [String.raw`\S`]: noBlanks,
  [String.raw`\b`]: String.raw`\x{8}`,
};

function inClass(part: string): string {
  // The engine has class names in brackets, ECMA-262 does not.
  if (part.startsWith("[")) return `\\${part}`;
  return inside[part] ?? anywhere(part);
}

function anywhere(part: string): string {
  if (part.startsWith("\\u")) return codePoint(part);
  if (part.startsWith("\\c")) return `\\x{${(part.charCodeAt(2) % 32).toString(16)}}`;
  return part.replace(/^(\\[pP]\{)(?:Script|sc|General_Category|gc)=/, "$1");
}

function codePoint(part: string): string {
  const units = part.match(/[0-9a-fA-F]+/g) ?? [];
  const [first = 0, second] = units.map((unit) => Number.parseInt(unit, 16));
  const point = second === undefined ? first : String.fromCharCode(first, second).codePointAt(0);
  return `\\x{${(point ?? 0).toString(16)}}`;
}

/** Keywords that hold schemas by name. */
const maps: ReadonlySet<string> = new Set([
  "properties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
/** Keywords that hold values, even values that look like schemas. */
const data: ReadonlySet<string> = new Set(["enum", "const", "default", "example", "examples"]);

type Instead = {
  readonly pattern: (pattern: string) => JsonSchema;
  readonly properties: (pattern: string, schema: unknown) => JsonSchema;
};

function rewritten(schema: unknown, instead: Instead): unknown {
  if (!isRecord(schema)) return schema;
  const inner = (each: unknown) => rewritten(each, instead);
  const { pattern, patternProperties, format, ...rest } = schema;
  const kept = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, heldBy(keyword, value, inner)]),
  );
  const named = Object.entries(isRecord(patternProperties) ? patternProperties : {}).map(
    ([name, each]) => instead.properties(name, inner(each)),
  );
  return {
    ...kept,
    // The validator's own pattern for "url" is exponential.
    ...(format === undefined || format === "url" ? {} : { format }),
    ...(named.length === 0 ? {} : { patternProperties: Object.assign({}, ...named) }),
    ...patternIn(pattern, kept["allOf"], instead),
  };
}

function patternIn(pattern: unknown, allOf: unknown = [], instead: Instead): JsonSchema {
  // Not a text: this is a schema by the name "pattern", in a place that only references know.
  if (typeof pattern !== "string") {
    return pattern === undefined ? {} : { pattern: rewritten(pattern, instead) };
  }
  const said = instead.pattern(pattern);
  return Object.keys(said).length === 0 ? {} : { allOf: [allOf, said].flat() };
}

function heldBy(keyword: string, value: unknown, inner: (each: unknown) => unknown): unknown {
  if (data.has(keyword)) return value;
  if (Array.isArray(value)) return value.map(inner);
  if (!maps.has(keyword) || !isRecord(value)) return inner(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
}

/**
 * The schema without patterns, for these arguments. Each pattern was matched here on the linear-time engine; the texts
 * that it refuses are listed instead. Patterns that the engine does not support refuse nothing.
 */
export function withPatternsMatched(
  schema: JsonSchema,
  args: unknown,
): { readonly schema: JsonSchema; readonly refused: ReadonlySet<string> } {
  const texts = new Set(textsIn(args));
  const refused = new Set<string>();
  const matched = rewritten(schema, {
    pattern: (pattern) => {
      const engine = linearPattern(pattern);
      const bad = [...texts].filter((text) => engine?.test(text) === false);
      for (const text of bad) refused.add(text);
      return bad.length === 0 ? {} : { not: { enum: bad } };
    },
    properties: (pattern, each) => {
      const engine = linearPattern(pattern);
      const names = [...texts].filter((text) => text.length <= maxName && engine?.test(text));
      return Object.fromEntries(names.map((name) => [`^${escaped(name)}$`, each]));
    },
  });
  return { schema: isRecord(matched) ? matched : {}, refused };
}

const maxName = 200;

/** The pattern of a text. */
export function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** All texts in a value, including field names. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((each: unknown) => textsIn(each));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)]);
}

/** The patterns of a schema that the linear-time engine does not support: plangraph does not check them. */
export function uncheckedPatterns(schema: unknown): string[] {
  const found = new Set<string>();
  const look = (pattern: string) => {
    if (isPattern(pattern) && linearPattern(pattern) === undefined) found.add(pattern);
    return {};
  };
  rewritten(schema, { pattern: look, properties: look });
  return [...found];
}

/**
 * The patterns of tools' arguments that the linear-time engine does not support (look-around, references to groups):
 * only the service checks them. Patterns of zod schemas are the developer's own and are checked.
 */
export function uncheckedPatternsOf(
  tools: readonly StructuredToolInterface[],
): { readonly tool: string; readonly pattern: string }[] {
  return tools
    .filter(({ schema }) => !isInteropZodSchema(schema))
    .flatMap((tool) =>
      uncheckedPatterns(argumentSchema(tool)).map((pattern) => ({ tool: tool.name, pattern })),
    );
}

/**
 * The tool without a schema, for arguments that were checked here: LangChain would match the patterns of a JSON Schema
 * on JavaScript's own engine. Patterns of a zod schema are the developer's own and stay.
 */
export function withoutOwnPatterns(tool: StructuredToolInterface): StructuredToolInterface {
  const hasPatterns = /"pattern|"format":"url"/.test(JSON.stringify(argumentSchema(tool)));
  return hasPatterns ? withoutSchema(tool) : tool;
}

const withoutSchema = oncePerObject((tool: StructuredToolInterface): StructuredToolInterface =>
  Object.create(tool, { schema: { value: {} } }),
);
