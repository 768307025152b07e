import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";

import { isRecord } from "../json/json.js";
import { objectSchema } from "../models/provider/output-mode.js";
import type { OutputSchema, Validated } from "../models/structured-output.js";
import { fencedPassage } from "../prompts/passage-lines.js";
import type { Passage } from "../state/passages.js";

const instructions =
  "You read a text from a help centre, a manual or a report, and write down what people would ask if they needed it. " +
  "They do not know the text, and use their own everyday words.";

/** The prompt of a question writer: the passages, fenced. */
export function questionWriterPrompt(passages: readonly Passage[], nonce: string): BaseMessage[] {
  const texts = passages.map((passage) => fencedPassage(passage, nonce));
  return [new SystemMessage(instructions), new HumanMessage(`The text:\n${texts.join("\n")}`)];
}

/** How many questions are wanted, and their longest form in characters. */
const wanted = 3;
const maxChars = 200;

/** Asks for the questions, in the language of the text: a small model takes to English. */
export function questionWriterTask(passages: readonly Passage[]): string {
  const isChinese = passages.some(({ text }) => /\p{Script=Han}/u.test(text));
  const language = isChinese ? "用中文写。" : "Write in the language of the text.";
  return `Write ${wanted} short questions that the text answers, each about something else in it, as {"questions": ["…", …]}. ${language}`;
}

/** The output schema of questions: each once, none of them empty. */
export const questionsOutput: OutputSchema<readonly string[]> = {
  name: "questions",
  schema: objectSchema({
    questions: { type: "array", items: { type: "string", maxLength: maxChars }, maxItems: wanted },
  }),
  read: (value) => readQuestions(isRecord(value) ? value["questions"] : value),
};

function readQuestions(list: unknown): Validated<readonly string[]> {
  const given: readonly unknown[] = Array.isArray(list) ? list : [];
  const questions = given
    .map((one) => (typeof one === "string" ? one.replaceAll(/\s+/g, " ").trim() : ""))
    .filter((one) => one !== "" && one.length <= maxChars);
  if (questions.length === 0) return { ok: false, problem: "expected a list of short questions" };
  return { ok: true, value: [...new Set(questions)].slice(0, wanted) };
}
