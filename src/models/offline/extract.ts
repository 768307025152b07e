import { unitsOf } from "../../evidence/units.js";
import { piecesOf, runsOf } from "../../evidence/words.js";
import { insideFence } from "../../prompts/fence.js";

/** The answer of the fenced texts in a prompt, without a model: the sentence or row that shares the most words with the question. */
export function extractAnswer(prompt: string, question: string) {
  const { before, text: texts } = insideFence(prompt);
  if (before === "") return { quotes: [], answer: "" };
  const asked = tokensOf(question);
  const parts = texts.split(/^# /mu).slice(1);
  const scored = parts.flatMap((part) => {
    const [title = "", ...lines] = part.split("\n");
    const about = shared(asked, tokensOf(title));
    return unitsOf(lines.join("\n")).map((unit) => ({
      unit,
      score: about + 2 * shared(asked, tokensOf(unit)),
    }));
  });
  const best = scored.reduce((left, right) => (right.score > left.score ? right : left), nothing);
  return best.score < leastScore
    ? { quotes: [], answer: "" }
    : { quotes: [best.unit], answer: best.unit };
}

const nothing = { unit: "", score: 0 };
const leastScore = 2;

function shared(asked: ReadonlySet<string>, tokens: ReadonlySet<string>): number {
  return [...asked].filter((token) => tokens.has(token)).length;
}

function tokensOf(text: string): ReadonlySet<string> {
  return new Set(runsOf(text.toLowerCase()).flatMap((run) => [...piecesOf(run)]));
}
