import { errorLine } from "../observe/redact.js";
import { addUsage, noUsage, type Usage } from "../state/usage.js";
import type { Case, Expectations } from "./case.js";
import type { CellRun, Score } from "./cell.js";
import { scoreByRules } from "./expectations.js";
import type { Judge } from "./judge.js";
import { type readyScorers, scoreByScorers } from "./scorers.js";

/** How runs are scored. */
export type Scoring = {
  readonly scorers: ReturnType<typeof readyScorers>;
  readonly judge: Judge | undefined;
  readonly signal: AbortSignal;
};

/** The scores of a run, or why a judge could give none. */
export type CaseScore = { readonly judged: Usage } & (
  | { readonly kind: "scored"; readonly scores: readonly Score[]; readonly right: boolean }
  | { readonly kind: "failed"; readonly problem: string }
);

/** What is expected of which turns: an answer is the last one's, calls are those of all. */
type Part = { readonly prefix: string; readonly run: CellRun; readonly expect: Expectations };

/**
 * Scores a run of a case: every part of what is expected, of each turn and of the whole. A judge or a scorer that fails
 * leaves the run to be scored by a later call.
 */
export async function scoreCase(given: Case, run: CellRun, scoring: Scoring): Promise<CaseScore> {
  const scores: Score[] = [];
  let judged = noUsage;
  try {
    for (const part of partsOf(given, run)) {
      const found = await judgedPart(part, scoring);
      judged = addUsage(judged, found.usage);
      if (found.kind === "failed") return { kind: "failed", problem: found.problem, judged };
      const { prefix } = part;
      scores.push(...found.scores.map((score) => ({ ...score, name: `${prefix}${score.name}` })));
    }
    scores.push(...turnScore(given, run));
    scores.push(...(await scoreByScorers(given, run, scoring.scorers)));
  } catch (error) {
    return { kind: "failed", problem: errorLine(error, 1_000), judged };
  }
  return { kind: "scored", scores, right: scores.every(({ holds }) => holds), judged };
}

/** Scores a part by rules, and by the judge if it is asked. */
async function judgedPart({ run, expect }: Part, { judge, signal }: Scoring) {
  const last = run.turns.at(-1);
  const calls = run.turns.flatMap((turn) => turn.calls);
  const { answer = "", structuredResponse, outcome = "failed", question = "" } = last ?? {};
  const scores = scoreByRules({ answer, structuredResponse, outcome, calls }, expect);
  if (expect.judge === undefined || judge === undefined) {
    return { kind: "scored", scores, usage: noUsage } as const;
  }
  const found = await judge({ question, answer, criterion: expect.judge }, signal);
  if (found.kind === "failed") return found;
  return { kind: "scored", scores: [...scores, found.score], usage: found.usage } as const;
}

/** A turn without expectations may end in any way. */
function partsOf({ turns, expect }: Case, run: CellRun): Part[] {
  const ofTurns = run.turns.flatMap((turn, at): Part[] => {
    const own = turns[at]?.expect ?? {};
    if (Object.keys(own).length === 0) return [];
    return [{ prefix: `turn ${at + 1}: `, run: { ...run, turns: [turn] }, expect: own }];
  });
  return [...ofTurns, { prefix: "", run, expect }];
}

/** Whether the conversation came to its last turn. */
function turnScore({ turns }: Case, run: CellRun): Score[] {
  if (run.turns.length === turns.length) return [];
  const { outcome = "failed" } = run.turns.at(-1) ?? {};
  const why = `${run.turns.length} of ${turns.length} turns, then ${outcome}`;
  return [{ name: "turns", holds: false, why }];
}
