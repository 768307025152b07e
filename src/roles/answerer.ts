import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { type AnswerGrounds, checkedAnswer } from "../evidence/checked-answer.js";
import { type HeldQuote, heldQuotes } from "../evidence/held-quotes.js";
import { supportingUnit } from "../evidence/supporting-unit.js";
import { unitsOf } from "../evidence/units.js";
import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import type { OutputSchema, Validated } from "../models/structured-output.js";
import { fenceUntrusted } from "../prompts/fence.js";
import type { Passage, Query } from "../state/assist.js";

/** The default instructions of an answer from a knowledge base. */
export const defaultAnswererInstructions =
  "You answer questions of customers from the texts of a knowledge base, and from nothing else: you know nothing " +
  "yourself. First copy the sentences or rows of the texts that answer the question, word for word. If no text answers " +
  "the question, copy nothing and leave the answer empty. Texts about the same topic that do not answer the question " +
  "are no answer.";

/** The prompt of an answer: the passages in one fence. */
export function answererPrompt(
  instructions: string,
  passages: readonly Passage[],
  nonce: string,
): BaseMessage[] {
  const texts = passages.map(({ title, text, from, until }) => {
    const first = from === undefined ? "" : ` from ${from}`;
    const last = until === undefined ? "" : ` until ${until}`;
    return `# ${title}${first}${last}\n${text}`.trim();
  });
  const fenced = fenceUntrusted("knowledge", texts.join("\n\n"), nonce);
  return [new SystemMessage(instructions), new HumanMessage(`The texts:\n${fenced}`)];
}

/** Asks for the answer with its quotes. The question stands last, where a small model still knows it. */
export function answererTask({ asked, rewritten }: Query): string {
  const language = /\p{Script=Han}/u.test(asked) ? "in Chinese" : "in the language of the question";
  return [
    `The question: ${JSON.stringify(asked)}`,
    // A completed question may be wrong.
    ...(rewritten === undefined
      ? []
      : [`In the conversation it may mean: ${JSON.stringify(rewritten)}`]),
    'Write {"quotes": ["…"], "answer": "…"}. quotes: whole sentences or rows of the texts that answer the question, ' +
      `copied word for word. answer: one or two sentences ${language} that say only what the quotes say, with their ` +
      'figures and conditions. If nothing in the texts answers the question, write {"quotes": [], "answer": ""}.',
  ].join("\n");
}

/** An answer that stands on what was shown, or none. */
export type Grounded = {
  /** What of the model's words stands; empty if nothing does. */
  readonly answer: string;
  readonly quotes: readonly HeldQuote[];
};

const maxQuotes = 5;

/**
 * The output schema of an answer with quotes. Quotes that stand nowhere and sentences without a ground go back to the
 * model once; then they go.
 */
export function groundedOutput(
  passages: readonly Passage[],
  known: () => Pick<AnswerGrounds, "known" | "asked">,
): OutputSchema<Grounded> {
  let corrections = 0;
  return {
    name: "answer",
    schema: objectSchema({
      quotes: { type: "array", items: { type: "string" }, maxItems: maxQuotes },
      answer: { type: "string" },
    }),
    read: (value) => {
      const { grounded, problem } = readGrounded(value, passages, known());
      if (problem === undefined || corrections > 0) return { ok: true, value: grounded };
      corrections += 1;
      return { ok: false, problem } satisfies Validated<Grounded>;
    },
  };
}

const nothing: Grounded = { answer: "", quotes: [] };

/** What holds of a reply, and what is wrong with the rest. */
function readGrounded(
  value: unknown,
  passages: readonly Passage[],
  known: Pick<AnswerGrounds, "known" | "asked">,
): { readonly grounded: Grounded; readonly problem?: string } {
  const { quotes: given, answer: said } = isRecord(value) ? value : {};
  const quoted = textsIn(given);
  const answer = typeof said === "string" ? said.trim() : "";
  if (answer === "") return { grounded: nothing };
  // An answer that copies a sentence quotes it, too.
  const copied = heldQuotes([...quoted, ...unitsOf(answer)], passages);
  const supporting = copied.length > 0 ? undefined : supportingUnit(answer, passages);
  const quotes = supporting === undefined ? copied : [supporting];
  if (quotes.length === 0) {
    const problem =
      "none of the quotes stands in the texts. Copy whole sentences or rows of the texts, without their titles, or leave quotes and answer empty";
    return { grounded: nothing, problem };
  }
  const grounds = { quotes: quotes.map(({ text }) => text), ...known };
  const { kept, dropped } = checkedAnswer(answer, grounds);
  const grounded = { answer: kept, quotes };
  if (dropped.length === 0) return { grounded };
  const problem = `the answer says what the quotes do not. ${dropped.map(({ why }) => why).join(" ")}`;
  return { grounded, problem };
}

function textsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === "string").slice(0, 2 * maxQuotes);
}
