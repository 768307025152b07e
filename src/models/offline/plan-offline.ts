import type { JsonObject } from "../../json/json.js";
import type { ToolStep } from "../../plan/step.js";

/** The questions the offline stand-in reads, to print; articles are passed over. */
export const offlineGrammar = `question = { LABEL ":" } { "what is" | "what's" | "calculate" | "pick" } ( sum | date ) [ "?" | "." | "=" ]
sum      = operand { SIGN operand }
operand  = [ "-" ] ( power | "(" sum ")" [ "^" INTEGER ] | square | random )
power    = NUMBER [ "^" INTEGER ]
square   = "square of" ( power | square | random | "(" sum without parentheses ")" )
random   = "random number between" INTEGER "and" INTEGER
date     = "current date" | "today's date"
SIGN     = "+" | "-" | "*" | "/" | "plus" | "minus" | "times" | "divided by"`;

/** Ends every sentence in which the stand-in declines. */
export const realModelHint =
  "for a real model set PLANGRAPH_MODEL=openai:NAME with OPENAI_API_KEY, or pass --model.";
const declined = `The offline stand-in reads only sums, squares, random numbers and today's date; ${realModelHint}`;

const signs = new Map(Object.entries({ plus: "+", minus: "-", times: "*", "divided by": "/" }));
const value = String.raw`(?:\d+(?:\.\d+)?(?: ?\^ ?\d+)?|\{\{E\d+\}\})`;
const sum = `-? ?${value}(?: ?[-−+*×/÷] ?-? ?${value})*`;
const group = `\\( ?${sum} ?\\)`;
const grouped = new RegExp(`(?<![\\d)}] ?)${group}(?! ?[\\d({])`, "g");
const random = /random number between (-?\d{1,15}) and (-?\d{1,15})/;
const square = new RegExp(`square of (${value}|${group})`);

type Phrase = readonly [RegExp, tool: string, args: (...found: [string, string]) => JsonObject];
const phrases: readonly Phrase[] = [
  [random, "random_number", (low, high) => ({ low: Number(low), high: Number(high) })],
  [square, "calculator", (of) => ({ expression: `${of} * ${of}` })],
  [/^(?:current|today['’]s) date$/, "current_date", () => ({})],
];

function plain(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/plus|minus|times|divided by/g, (word) => signs.get(word) ?? word)
    .replaceAll(/\b(?:the|an?) |^ | ?[?.=]? ?$/g, "")
    .replace(/^(?:[a-z][\w ]{0,30}: )*(?:(?:what is|what['’]s|calculate|pick) )*/, "");
}

function isSum(text: string): boolean {
  const reduced = text.replaceAll(grouped, "0");
  return reduced === text ? new RegExp(`^${sum}$`).test(text) : isSum(reduced);
}

/** Reads a question of `offlineGrammar` as steps, or declines it in one sentence. Never throws. */
export function planOffline(question: string): { steps: ToolStep[] } | { declined: string } {
  const steps: ToolStep[] = [];
  const step = (phrase: string, tool: string, args: JsonObject) => {
    const thought = phrase.replaceAll(/\{\{(E\d+)\}\}/g, "the result of $1");
    steps.push({ kind: "tool", id: `E${steps.length + 1}`, thought, tool, args });
    return `{{E${steps.length}}}`;
  };
  let text = question.length > 500 ? "" : plain(question);
  for (let before = ""; before !== text;) {
    before = text;
    for (const [pattern, tool, args] of phrases) {
      text = text.replace(pattern, (all: string, ...found: [string, string]) =>
        step(all, tool, args(...found)),
      );
    }
  }
  if (!isSum(text)) return { declined };
  if (text !== `{{E${steps.length}}}`) step(text, "calculator", { expression: text });
  return { steps };
}
