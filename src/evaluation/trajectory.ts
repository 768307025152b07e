import { canonicalJson, isRecord } from "../json/json.js";
import type { callModes, ExpectedCall } from "./case.js";
import type { MadeCall } from "./cell.js";

type Mode = (typeof callModes)[number];

/**
 * Why the calls of a run are not the expected ones; nothing if they are. "strict": the same calls in the same order;
 * "unordered": the same in any order; "superset": these and perhaps others; "subset": none but these. An expected call
 * without arguments takes any, one with some takes others beside them.
 */
export function callsProblem(
  made: readonly MadeCall[],
  expected: readonly ExpectedCall[],
  mode: Mode,
): string | undefined {
  if (mode === "strict") return orderProblem(made, expected);
  const pairs = matched(made, expected);
  const missing = expected.filter((_, at) => !pairs.has(at));
  const used = new Set(pairs.values());
  const more = made.filter((_, at) => !used.has(at));
  if (mode !== "subset" && missing.length > 0) return `not called: ${wordsFor(missing)}`;
  if (mode !== "superset" && more.length > 0) return `called besides: ${wordsFor(more)}`;
  return undefined;
}

function orderProblem(
  made: readonly MadeCall[],
  expected: readonly ExpectedCall[],
): string | undefined {
  const isSame =
    made.length === expected.length &&
    expected.every((one, at) => {
      const call = made[at];
      return call !== undefined && fits(call, one);
    });
  if (isSame) return undefined;
  return `expected ${wordsFor(expected)}, got ${made.length === 0 ? "no call" : wordsFor(made)}`;
}

/** The most expected calls that each have a made one of their own, by their places (augmenting paths). */
function matched(
  made: readonly MadeCall[],
  expected: readonly ExpectedCall[],
): ReadonlyMap<number, number> {
  const takenBy = new Map<number, number>();
  const place = (at: number, tried: Set<number>): boolean =>
    made.some((call, own) => {
      const wanted = expected[at];
      if (wanted === undefined || tried.has(own) || !fits(call, wanted)) return false;
      tried.add(own);
      const holder = takenBy.get(own);
      if (holder !== undefined && !place(holder, tried)) return false;
      takenBy.set(own, at);
      return true;
    });
  for (const at of expected.keys()) place(at, new Set());
  return new Map([...takenBy].map(([own, at]) => [at, own]));
}

function fits(call: MadeCall, { tool, args }: ExpectedCall): boolean {
  if (call.tool !== tool) return false;
  return args === undefined || (isRecord(call.args) && holds(call.args, args));
}

/** Whether the fields of an object are in the other, with the same values. */
function holds(
  whole: { readonly [name: string]: unknown },
  part: { readonly [name: string]: unknown },
): boolean {
  return Object.entries(part).every(([name, value]) => {
    const own = whole[name];
    if (isRecord(value) && isRecord(own)) return holds(own, value);
    return canonicalJson(own) === canonicalJson(value);
  });
}

function wordsFor(calls: readonly { readonly tool: string; readonly args?: unknown }[]): string {
  return calls
    .map(({ tool, args }) => (args === undefined ? tool : `${tool}(${JSON.stringify(args)})`))
    .join(", ");
}
