import { useWords } from "./context.js";
import { runWordsIn } from "./run-languages.js";
import type { RunWords } from "./run-words.js";

/** What the pages of runs say. */
export function useRunWords(): RunWords {
  return runWordsIn(useWords().language);
}
