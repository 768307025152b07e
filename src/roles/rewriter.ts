import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import type { OutputSchema } from "../models/structured-output.js";
import { oneLine } from "../prompts/passage-lines.js";

/** The default instructions of a rewriter. */
export const defaultRewriterInstructions =
  "You complete the last question of a conversation, so that it can be understood without the conversation. Put in the " +
  "thing that it is about, by the name that the conversation has for it. Change nothing else, and answer nothing. A " +
  "question that is complete stays as it is.";

/** How many of the last messages are shown, and how much of each. */
const shownMessages = 6;
const maxChars = 300;

/** The rewriter's prompt: the end of the conversation as one text, so that no model goes on with it. */
export function rewriterPrompt(
  instructions: string,
  conversation: readonly BaseMessage[],
): BaseMessage[] {
  const lines = conversation
    .filter(({ type, text }) => ["human", "ai"].includes(type) && text.trim() !== "")
    .slice(-shownMessages)
    .map(
      ({ type, text }) => `${type === "human" ? "User" : "Assistant"}: ${oneLine(text, maxChars)}`,
    );
  return [
    new SystemMessage(instructions),
    new HumanMessage(`The conversation:\n${lines.join("\n")}`),
  ];
}

/** Asks for the complete question. */
export function rewriterTask(question: string): string {
  return `The last question: ${JSON.stringify(question)}\nWrite it as a complete question, in its own language, as {"question": "…"}.`;
}

/** The output schema of a complete question. */
export const rewriteOutput: OutputSchema<string> = {
  name: "question",
  schema: objectSchema({ question: { type: "string", maxLength: maxChars } }),
  read: (value) => {
    const question = isRecord(value) ? value["question"] : value;
    return typeof question === "string" && question.trim() !== ""
      ? { ok: true, value: question.trim() }
      : { ok: false, problem: "expected the question as a text" };
  },
};

const chinese = /\p{Script=Han}/u;

/** Words that stand for something said before. */
const pointers =
  /它|他们|她们|这|那|其|该|前者|后者|呢[？?]?$|\b(?:it|its|that|this|these|those|they|them|their|there|one|ones|he|she|him|her|then|same|other)\b|\b(?:what|how) about\b|^(?:and|or|but|then)\b/iu;

/** Fewer characters or words may leave out what they are about. */
const longChinese = 14;
const longWords = 9;

/** Whether a question may leave out what the conversation has said before. */
export function leavesOut(question: string): boolean {
  const asked = question.trim();
  if (pointers.test(asked)) return true;
  return chinese.test(asked)
    ? Array.from(asked).length < longChinese
    : asked.split(/\s+/u).length < longWords;
}

/** Whether a rewritten question has lost or invented a number, an id or a name. */
export function losesSomething(
  question: string,
  rewritten: string,
  { names, said }: { readonly names: readonly string[]; readonly said: string },
): boolean {
  const [asked, now, before] = [plain(question), plain(rewritten), plain(said)];
  const kept = [...figuresIn(asked), ...names.map(plain).filter((name) => asked.includes(name))];
  if (kept.some((one) => !now.includes(one))) return true;
  return figuresIn(now).some((one) => !before.includes(one));
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Numbers, ids and codes: what a question must not lose. */
function figuresIn(text: string): readonly string[] {
  return text
    .split(/[^a-z0-9.,%:-]+/)
    .filter((part) => /\d/.test(part))
    .map((part) => part.replace(/[.,:-]$/, ""));
}
