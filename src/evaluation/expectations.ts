import { Validator } from "@langchain/core/utils/json_schema";

import { canonicalJson, type Json, parsedJson } from "../json/json.js";
import { holdsNumber, isNear } from "./answer-number.js";
import type { Expectations } from "./case.js";
import type { MadeCall, Score } from "./cell.js";
import { callsProblem } from "./trajectory.js";

/** Raise it with the rules: what earlier ones have scored is then scored anew. */
export const rulesVersion = 3;

/** What a run came to, as far as it is scored. */
export type ScoredRun = {
  readonly answer: string;
  readonly structuredResponse: Json | undefined;
  /** How it ended: "answered", "no_knowledge", "limit", "handed_off", "needs_input", "failed" or "refused". */
  readonly outcome: string;
  readonly calls: readonly MadeCall[];
};

type Part = {
  readonly name: keyof Expectations;
  /** Nothing if it holds. */
  readonly problem: string | undefined;
};

/** Scores a run by rules. The judge's part is not among them: a model scores it. */
export function scoreByRules(run: ScoredRun, expect: Expectations): Score[] {
  return [...ofEnd(run, expect), ...ofAnswer(run, expect), ...ofCalls(run, expect)].map(
    ({ name, problem }) =>
      problem === undefined ? { name, holds: true } : { name, holds: false, why: problem },
  );
}

/** Without an expectation a run must have answered: no other end counts as right. */
function ofEnd({ outcome }: ScoredRun, { outcome: expected = "answered" }: Expectations): Part[] {
  const ends = [expected].flat();
  const problem = ends.includes(outcome)
    ? undefined
    : `expected ${ends.join(" or ")}, got ${outcome}`;
  return [{ name: "outcome", problem }];
}

function ofAnswer(run: ScoredRun, expect: Expectations): Part[] {
  const { answer } = run;
  const { equals, number, includes, excludes, matches, schema } = expect;
  return [
    part("equals", equals, (given) => equalsProblem(run, given)),
    part("number", number, (given) => numberProblem(run, given)),
    part("includes", includes, (given) => includesProblem(answer, [given].flat())),
    part("excludes", excludes, (given) => excludesProblem(answer, [given].flat())),
    part("matches", matches, (given) => matchesProblem(answer, [given].flat())),
    part("schema", schema, (given) => schemaProblem(run, given)),
  ].flat();
}

function ofCalls({ calls }: ScoredRun, { tools, forbidden }: Expectations): Part[] {
  return [
    part("tools", tools, (given) => callsProblem(calls, given.calls, given.mode)),
    part("forbidden", forbidden, (given) => forbiddenProblem(calls, given)),
  ].flat();
}

/** The part of an expectation that is given. */
function part<Given>(
  name: Part["name"],
  given: Given | undefined,
  problemWith: (given: Given) => string | undefined,
): Part[] {
  return given === undefined ? [] : [{ name, problem: problemWith(given) }];
}

/** A text as it is compared: in lower case, with single spaces, without a full stop at its end. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[.。]$/u, "");
}

function equalsProblem({ answer, structuredResponse }: ScoredRun, expected: Json) {
  const own = structuredResponse ?? (typeof expected === "string" ? undefined : parsedJson(answer));
  if (own !== undefined && canonicalJson(own) === canonicalJson(expected)) return undefined;
  if (plain(answer) === plain(textOf(expected))) return undefined;
  return `expected ${JSON.stringify(expected)}`;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function numberProblem(
  { answer, structuredResponse }: ScoredRun,
  wanted: NonNullable<Expectations["number"]>,
): string | undefined {
  const isGiven = typeof structuredResponse === "number" && isNear(structuredResponse, wanted);
  if (isGiven || holdsNumber(answer, wanted)) return undefined;
  const { value, tolerance, unit } = wanted;
  const about = tolerance === 0 ? "" : ` ± ${Number(tolerance.toPrecision(2))}`;
  return `expected ${value}${about}${unit === undefined ? "" : ` ${unit}`}`;
}

function includesProblem(
  answer: string,
  expected: readonly (string | readonly string[])[],
): string | undefined {
  const own = plain(answer);
  const missing = expected.find((one) => ![one].flat().some((text) => own.includes(plain(text))));
  return missing === undefined ? undefined : `expected ${JSON.stringify(missing)} in the answer`;
}

function excludesProblem(answer: string, unwanted: readonly string[]): string | undefined {
  const own = plain(answer);
  const found = unwanted.find((text) => own.includes(plain(text)));
  return found === undefined ? undefined : `${JSON.stringify(found)} stands in the answer`;
}

function matchesProblem(answer: string, patterns: readonly string[]): string | undefined {
  const missing = patterns.find((pattern) => !new RegExp(pattern, "iu").test(answer));
  return missing === undefined ? undefined : `expected a match of ${missing}`;
}

function schemaProblem(
  { answer, structuredResponse }: ScoredRun,
  schema: NonNullable<Expectations["schema"]>,
): string | undefined {
  const value = structuredResponse ?? parsedJson(answer);
  if (value === undefined) return "expected an object, or an answer in JSON";
  const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
  const [first] = errors;
  return valid ? undefined : `${first?.instanceLocation ?? "#"}: ${first?.error ?? "does not fit"}`;
}

function forbiddenProblem(
  calls: readonly MadeCall[],
  forbidden: readonly string[],
): string | undefined {
  const made = calls.find(({ tool }) => forbidden.includes(tool));
  return made === undefined ? undefined : `${made.tool} was called`;
}
