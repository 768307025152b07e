import { defined, isJsonObject, type Json } from "../../json/json.js";
import type { Memory, MemoryProvider, MemoryRequest } from "../../run/memory.js";
import { wholeValue } from "../../tools/kept-result.js";
import { runAlone } from "../../tools/run-alone.js";
import type { ReadMemory, ReadProvider } from "../read/read-memory.js";
import { fillText, fillValue, type FilledValue, type RunValues } from "./run-values.js";

/** The memory that a file describes, as the graph takes it; undefined without any. */
export function memoryOf(read: ReadMemory): Memory | undefined {
  if (read.size === 0) return undefined;
  const providers = [...read].map(([name, each]) => {
    const { keep } = each.fields;
    return [name, { provide: providerOf(each), ...defined({ keep }) }] as const;
  });
  return Object.fromEntries(providers);
}

function providerOf({ fields, tool }: ReadProvider): MemoryProvider {
  const { args = {}, text, ids = {} } = fields;
  return async (request) => {
    const { context, configurable, question } = request;
    const values: RunValues = { context, configurable, question };
    const given = fillValue(args, values);
    if (given.kind === "missing") throw new Error(given.problem);
    if (given.kind === "nothing") return undefined;
    const whole =
      tool === undefined ? values : { ...values, result: await called(tool, given.value, request) };
    return replyOf(
      text === undefined ? undefined : fillText(text, whole),
      Object.entries(ids).map(([name, id]) => [name, fillValue(id, whole)]),
    );
  };
}

/** What is known. Where nothing is, because the run or the result lacks what was named, it fails and says so. */
function replyOf(text: FilledValue | undefined, ids: readonly (readonly [string, FilledValue])[]) {
  const known = ids.flatMap(([name, id]) =>
    id.kind === "filled" ? [[name, idOf(id.value)] as const] : [],
  );
  if (text?.kind === "filled" || known.length > 0) {
    return {
      ids: Object.fromEntries(known),
      ...(text?.kind === "filled" && typeof text.value === "string" ? { text: text.value } : {}),
    };
  }
  const missing = [...(text === undefined ? [] : [text]), ...ids.map(([, id]) => id)];
  const problem = missing.find((each) => each.kind === "missing");
  if (problem !== undefined) throw new Error(problem.problem);
  return undefined;
}

/** An id is a text or a number. */
function idOf(value: Json): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`expected an id to be a text or a number, got a ${typeof value}`);
}

async function called(
  tool: NonNullable<ReadProvider["tool"]>,
  args: Json,
  { signal, configurable, context, store }: MemoryRequest,
): Promise<Json | undefined> {
  const config = { signal, configurable, ...defined({ store }), ...contextIn(context) };
  const observation = await runAlone(
    { name: tool.name, args: isJsonObject(args) ? args : {} },
    [tool],
    config,
  );
  if (observation.ok) return wholeValue(observation);
  throw new Error(observation.content);
}

function contextIn(context: unknown) {
  return typeof context === "object" && context !== null ? { context: { ...context } } : {};
}
