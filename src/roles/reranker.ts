import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import type { OutputSchema, Validated } from "../models/structured-output.js";
import { passageLines } from "../prompts/passage-lines.js";
import type { Passage } from "../state/passages.js";

const instructions =
  "You judge which passages answer a question. 10 is a passage that answers it completely, 6 one that answers a part " +
  "of it, 2 one that is only about the same topic. You answer nothing yourself.";

/** The reranker's prompt: the passages, numbered and fenced. */
export function rerankerPrompt(passages: readonly Passage[], nonce: string): BaseMessage[] {
  return [
    new SystemMessage(instructions),
    new HumanMessage(`The passages:\n${passageLines(passages, nonce)}`),
  ];
}

/** How many passages are wanted back. A small model that is to score all of them gives all the same score. */
const wanted = 5;
const maxScore = 10;

/** Asks for the scores. The question stands last, where a small model still knows it. */
export function rerankerTask(question: string): string {
  return `The question: ${JSON.stringify(question)}\nName the passages that may answer it, the best first, at most ${wanted}, each with its score from 1 to ${maxScore}. Write {"scores": [{"passage": …, "score": …}]}.`;
}

/** The output schema of the scores of `count` passages: from 0 to 1, in their order, 0 for those that are not named. */
export function scoresOutput(count: number): OutputSchema<readonly number[]> {
  const named = objectSchema({ passage: { type: "integer" }, score: { type: "integer" } });
  return {
    name: "scores",
    schema: objectSchema({ scores: { type: "array", items: named, maxItems: wanted } }),
    read: (value) => readScores(isRecord(value) ? value["scores"] : value, count),
  };
}

function readScores(list: unknown, count: number): Validated<readonly number[]> {
  if (!Array.isArray(list)) return unfit;
  const scores = new Map<number, number>();
  for (const one of list) {
    const { passage, score } = isRecord(one) ? one : {};
    const place = Number(passage) - 1;
    const given = Number(score);
    // A number that no passage has says nothing; of two scores of one passage the first counts: the best come first.
    if (!isPlace(place, count) || Number.isNaN(given) || scores.has(place)) continue;
    scores.set(place, Math.min(Math.max(given, 0), maxScore) / maxScore);
  }
  if (list.length > 0 && scores.size === 0) return unfit;
  return { ok: true, value: Array.from({ length: count }, (_, place) => scores.get(place) ?? 0) };
}

function isPlace(place: number, count: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < count;
}

const unfit = {
  ok: false,
  problem: `expected passages by their numbers with scores from 1 to ${maxScore}`,
} as const;
