import { isToolMessage } from "@langchain/core/messages";
import {
  DynamicStructuredTool,
  DynamicTool,
  StructuredTool,
  type StructuredToolInterface,
  Tool,
} from "@langchain/core/tools";
import { isCommand } from "@langchain/langgraph";

import { isRecord } from "../json/json.js";
import { oncePerObject } from "../models/once-per-object.js";
import { errorLine } from "../observe/redact.js";
import { EffectUnknown } from "../run/errors.js";
import { ToolError } from "./policy.js";

/** LangChain's own ways to run a tool; a class with another one may have private members. */
const ownCalls: ReadonlySet<unknown> = new Set(
  [StructuredTool, DynamicStructuredTool, DynamicTool, Tool].map(({ prototype }) =>
    Reflect.get(prototype, "call"),
  ),
);

/**
 * The tool with its result written here: LangChain would write `[object Object]` or `{}` for a result that is not data.
 * This tool throws an error that names the result.
 */
export const withWrittenResult = oncePerObject((tool: StructuredToolInterface) => {
  const run: unknown = Reflect.get(tool, "_call");
  const isOwn =
    Reflect.get(tool, "invoke") === Reflect.get(StructuredTool.prototype, "invoke") &&
    ownCalls.has(Reflect.get(tool, "call"));
  if (typeof run !== "function" || !isOwn) return tool;
  const call = async (...given: unknown[]): Promise<unknown> => {
    const returned: unknown = await Reflect.apply(run, tool, given);
    const isPair = Reflect.get(tool, "responseFormat") === "content_and_artifact";
    const write = isPair ? writePair : writeResult;
    return isAsyncGenerator(returned) ? endOf(returned, write) : write(returned);
  };
  const made: StructuredToolInterface = Object.create(tool, { _call: { value: call } });
  return made;
});

/** A generator as LangChain reads it: it yields events and returns the result. */
async function* endOf(
  generator: AsyncGenerator<unknown, unknown>,
  write: (returned: unknown) => unknown,
): AsyncGenerator<unknown, unknown> {
  const returned = yield* generator;
  if (returned !== undefined) return write(returned);
  throw noData("an async generator that returned nothing at its end");
}

function writePair(returned: unknown): unknown {
  return Array.isArray(returned) && returned.length === 2
    ? [writeResult(returned[0]), returned[1]]
    : returned;
}

/** The tool's result in a form that LangChain accepts: data as JSON. Throws an error for a result that is not data. */
function writeResult(returned: unknown): unknown {
  if (typeof returned === "bigint") return String(returned);
  const isPlain = !isFunction(returned) && (typeof returned !== "object" || returned === null);
  if (isPlain || isForLangChain(returned)) return returned;
  if (returned instanceof Error) throw returnedError(returned);
  return writeJson(returned);
}

/** A returned error as a failure that the tool itself reports. */
export function returnedError({ name, message }: Error): ToolError {
  return new ToolError("rejected", `the tool returned an error: ${name}: ${message}`);
}

/** Values that LangChain does not change: messages, commands and content blocks. */
function isForLangChain(returned: unknown): boolean {
  if (isToolMessage(returned) || isCommand(returned)) return true;
  if (Array.isArray(returned)) return returned.every((item) => isRecord(item) && "type" in item);
  return isRecord(returned) && returned["lc_direct_tool_output"] === true;
}

function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  const isObject = typeof value === "object" && value !== null;
  return isObject && Symbol.asyncIterator in value && "next" in value && "throw" in value;
}

function isFunction(value: unknown): boolean {
  return typeof value === "function" || typeof value === "symbol";
}

/** JSON; BigInt by its digits, Map as object, Set as list, NaN and Infinity by name. Throws EffectUnknown for no data. */
export function writeJson(value: unknown): string {
  if (isFunction(value)) throw noData(`a ${typeof value}`);
  try {
    return JSON.stringify(value, (_, each: unknown) => asData(each)) ?? "null";
  } catch (error) {
    if (error instanceof EffectUnknown) throw error;
    throw noData(`something that cannot be written as text (${errorLine(error, 200)})`);
  }
}

function asData(value: unknown): unknown {
  if (typeof value === "bigint") return digitsOf(value);
  // JSON would write null for NaN and Infinity.
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "object" && value !== null ? objectData(value) : value;
}

function digitsOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function objectData(value: object): unknown {
  if (value instanceof Map) return mapData(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const what = noDataIn(value);
  if (what !== undefined) throw noData(what);
  // The numbers of a Float64Array, for example.
  return ArrayBuffer.isView(value) ? Object.values(value) : value;
}

function mapData(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  const isNamed = entries.every(([key]) => typeof key === "string" || typeof key === "number");
  return isNamed ? Object.fromEntries(entries.map(([key, each]) => [String(key), each])) : entries;
}

/** The kind of a value whose data were not fetched. */
function noDataIn(value: object): string | undefined {
  if (value instanceof Response)
    return `a Response (status ${value.status}) whose body was not read`;
  if (typeof Reflect.get(value, "then") === "function") return "a Promise that was not awaited";
  if (Symbol.asyncIterator in value) return "an async iterator that was not read";
  const isIterator = Symbol.iterator in value && typeof Reflect.get(value, "next") === "function";
  if (isIterator) return "an iterator that was not read";
  return isClosed(value)
    ? `a value of class ${value.constructor.name}, which shows none of its data`
    : undefined;
}

/** Whether the value's class hides its data, as a Blob or a RegExp does: JSON would be `{}`. */
function isClosed(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, such as a sandbox, has a prototype of that realm.
  const isPlain =
    typeof prototype !== "object" ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null;
  return !isPlain && !Array.isArray(value) && Object.keys(value).length === 0;
}

function noData(what: string): EffectUnknown {
  return new EffectUnknown(
    "internal",
    `the tool ran, but it returned ${what}: its result cannot be read.`,
  );
}
