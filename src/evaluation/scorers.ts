import type { Json } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { checkNames, invalidOption, shown } from "../run/check-names.js";
import type { Case } from "./case.js";
import type { CellRun, Score } from "./cell.js";

/** A message of a run as OpenAI writes it, for scorers of trajectories. */
export type ScoredMessage = {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: "function";
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
};

/**
 * What a scorer of your own reads. The names are those of autoevals (`input`, `output`, `expected`) and of openevals
 * (`inputs`, `outputs`, `referenceOutputs`), so that their scorers fit as they are. Those of agentevals take `messages` as `outputs`.
 */
export type ScorerInput = {
  /** The question of the last turn. */
  readonly input: string;
  /** The answer to it. */
  readonly output: string;
  /** The `expected` of the case. */
  readonly expected: Json | undefined;
  readonly inputs: string;
  readonly outputs: string;
  readonly referenceOutputs: Json | undefined;
  readonly case: Case;
  readonly run: CellRun;
  /** The questions, calls, results and answers. */
  readonly messages: readonly ScoredMessage[];
};

/** What a scorer gives: yes or no, a number from 0 to 1, or an object with such a `score`. */
export type ScorerResult =
  | boolean
  | number
  | { readonly score?: boolean | number | null | undefined; readonly comment?: string | undefined };

/** A scorer: any function. */
export type ScorerFunction = (input: ScorerInput) => ScorerResult | Promise<ScorerResult>;

/** A scorer, and the least score with which a run is right; default 0.5. */
export type Scorer =
  | ScorerFunction
  | { readonly score: ScorerFunction; readonly atLeast?: number; readonly version?: string };

/** Scorers by name. */
export type Scorers = { readonly [name: string]: Scorer };

type ReadyScorer = {
  readonly name: string;
  readonly score: ScorerFunction;
  readonly atLeast: number;
  readonly version: string;
};

/** Checks scorers. Throws `invalid_option`. */
export function readyScorers(scorers: Scorers = {}): ReadyScorer[] {
  return Object.entries(scorers).map(([name, scorer]) => {
    if (typeof scorer === "function") {
      return { name, score: scorer, atLeast: 0.5, version: scorer.toString() };
    }
    const where = `evaluate: scorers.${name}`;
    checkNames(where, scorer, { score: true, atLeast: true, version: true });
    const { score, atLeast = 0.5, version } = scorer;
    if (typeof score !== "function") {
      throw invalidOption(`${where}: expected a function, got ${shown(score)}.`);
    }
    return { name, score, atLeast, version: version ?? score.toString() };
  });
}

/** Scores a run by the scorers of the caller. Throws an error that names the scorer where one throws, or gives no score. */
export async function scoreByScorers(
  given: Case,
  run: CellRun,
  scorers: readonly ReadyScorer[],
): Promise<Score[]> {
  const input = scorerInput(given, run);
  const scores: Score[] = [];
  for (const { name, score, atLeast } of scorers) {
    const { score: value, comment } = await resultOf(name, score, input);
    const number = Number(value ?? Number.NaN);
    if (Number.isNaN(number)) throw new Error(`the scorer "${name}" gave no score`);
    scores.push({
      name,
      holds: number >= atLeast,
      score: number,
      ...(comment === undefined ? {} : { why: comment }),
    });
  }
  return scores;
}

async function resultOf(name: string, score: ScorerFunction, input: ScorerInput) {
  try {
    const result = await score(input);
    return typeof result === "object" ? result : { score: result, comment: undefined };
  } catch (error) {
    throw new Error(`the scorer "${name}" failed: ${errorLine(error)}`, { cause: error });
  }
}

function scorerInput(given: Case, run: CellRun): ScorerInput {
  const last = run.turns.at(-1);
  const { question = "", answer = "" } = last ?? {};
  const { expected } = given;
  return {
    input: question,
    output: answer,
    expected,
    inputs: question,
    outputs: answer,
    referenceOutputs: expected,
    case: given,
    run,
    messages: messagesOf(run),
  };
}

function messagesOf({ turns }: CellRun): ScoredMessage[] {
  return turns.flatMap(({ question, answer, calls }, turn): ScoredMessage[] => [
    { role: "user", content: question },
    ...calls.flatMap(({ tool, args, result }, at): ScoredMessage[] => {
      const id = `${turn}-${at}`;
      const call = { name: tool, arguments: JSON.stringify(args) };
      return [
        { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: call }] },
        { role: "tool", content: result, tool_call_id: id },
      ];
    }),
    { role: "assistant", content: answer },
  ]);
}
