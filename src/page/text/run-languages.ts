import { runChinese } from "./run-chinese.js";
import { runEnglish } from "./run-english.js";
import type { RunWords } from "./run-words.js";

const all = { en: runEnglish, zh: runChinese } as const;

/** What the pages of runs say in a language. */
export function runWordsIn(language: keyof typeof all): RunWords {
  return all[language];
}
