import { canonicalJson } from "../json/json.js";
import { type ErrorKind, isNotRun, type Observation } from "../state/observation.js";

/** The policy fields that the guard needs. */
export type RepetitionPolicy = {
  readonly effect?: "read" | "idempotent" | "write" | undefined;
  readonly volatile?: boolean | undefined;
};

type RepetitionVerdict =
  | { readonly action: "run" }
  | {
      /** Answer from memory, refuse (the last tolerated time), or end the run. */
      readonly action: "recall" | "refuse" | "stop";
      readonly earlier: Observation;
    };

type Call = {
  readonly tool: string;
  readonly args: unknown;
  /** What the memory of the run filled in: another order is another call. */
  readonly fromMemory?: unknown;
};

/** Factor for volatile calls: polling repeats a call. */
const volatilePatience = 10;

/** Factor for calls in other words with the same result. */
const wordsPatience = 2;

/** Failures that may pass: the same call is worth another try. */
const transient: ReadonlySet<ErrorKind> = new Set(["timeout", "rate_limited", "unavailable"]);

/**
 * Checks a call against the run's observations. A call is a repetition when the same tool was called with the same
 * canonical arguments, and since then nothing changed the world (an `idempotent` or `write` tool ran) and no other call
 * returned a new result; A-B-A-B is a repetition. A tool without an effect counts as a change only with a new result.
 * Passing failures run again, and `volatile` tools ten times as often. The last of `tolerated` identical calls is
 * refused; `null` turns the guard off.
 */
export function judgeRepetition(
  call: Call,
  observations: readonly Observation[],
  policyOf: (tool: string) => RepetitionPolicy,
  tolerated: number | null,
): RepetitionVerdict {
  if (tolerated === null) return { action: "run" };
  if (policyOf(call.tool).volatile === true) {
    const before = callsInARow(call, observations);
    const earlier = before.findLast(isMade);
    const allowed = volatilePatience * tolerated;
    return earlier === undefined
      ? { action: "run" }
      : verdict(before.length + 1, allowed, true, earlier);
  }
  const key = keyOf(call);
  const progress = observations.findLastIndex(
    (seen, at) => keyOf(seen) !== key && isProgress(seen, at, observations, policyOf),
  );
  const same = observations.slice(progress + 1).filter((seen) => keyOf(seen) === key);
  const earlier = same.findLast(isMade);
  if (earlier === undefined) return { action: "run" };
  const mayHaveHappened = policyOf(call.tool).effect === "write";
  const passing = !mayHaveHappened && transient.has(earlier.error?.kind ?? "internal");
  return verdict(same.length + 1, passing ? tolerated + 1 : tolerated, passing, earlier);
}

/**
 * Checks a call with other arguments. If all calls of a tool since the last progress returned one result, the call is
 * refused after twice `tolerated` of them, and one more ends the run. Only reads and failures count: "done" may be the
 * result of any other call.
 */
export function judgeOtherWords(
  call: Call,
  observations: readonly Observation[],
  policyOf: (tool: string) => RepetitionPolicy,
  tolerated: number | null,
): RepetitionVerdict {
  const { effect, volatile } = policyOf(call.tool);
  if (tolerated === null || volatile === true) return { action: "run" };
  const since = observations.findLastIndex((seen, at) =>
    isProgress(seen, at, observations, policyOf),
  );
  const tries = observations.slice(Math.max(since, 0)).filter(({ tool }) => tool === call.tool);
  const earlier = tries.findLast(({ attempts }) => attempts > 0);
  if (earlier === undefined || (effect !== "read" && earlier.ok)) return { action: "run" };
  const start = tries.findLastIndex(
    ({ attempts, content }) => attempts > 0 && content !== earlier.content,
  );
  const fruitless = tries.slice(start + 1);
  const allowed = wordsPatience * tolerated;
  // Parallel calls may exceed the limit; the model gets one refusal before the run ends.
  const wasTold = fruitless.some(({ attempts }) => attempts === 0);
  const time = wasTold ? fruitless.length : Math.min(fruitless.length, allowed);
  return verdict(time, allowed, true, earlier);
}

/** The calls at the end of a run that are identical to this one. */
export function callsInARow(
  call: Call,
  observations: readonly Observation[],
): readonly Observation[] {
  const key = keyOf(call);
  const other = observations.findLastIndex((seen) => keyOf(seen) !== key);
  return observations.slice(other + 1);
}

function verdict(
  time: number,
  tolerated: number,
  passing: boolean,
  earlier: Observation,
): RepetitionVerdict {
  if (time > tolerated) return { action: "stop", earlier };
  if (time === tolerated) return { action: "refuse", earlier };
  return passing ? { action: "run" } : { action: "recall", earlier };
}

function isProgress(
  seen: Observation,
  at: number,
  observations: readonly Observation[],
  policyOf: (tool: string) => RepetitionPolicy,
): boolean {
  if (seen.attempts === 0) return false;
  const { effect } = policyOf(seen.tool);
  if (effect === "write" || effect === "idempotent") return true;
  // A read that returns a known result is not progress, whatever its arguments are.
  const nameOf = effect === "read" ? ({ tool }: Call) => tool : keyOf;
  const known = observations
    .slice(0, at)
    .some((before) => before.content === seen.content && nameOf(before) === nameOf(seen));
  return seen.ok && !known;
}

/** Whether the call has its own result: not a refusal, and not from memory. */
function isMade(seen: Observation): boolean {
  const { attempts, ok, error } = seen;
  return attempts > 0 || (!ok && error?.kind !== "repeated" && !isNotRun(seen));
}

function keyOf({ tool, args, fromMemory = {} }: Call): string {
  return `${tool} ${canonicalJson(args)} ${canonicalJson(fromMemory)}`;
}
