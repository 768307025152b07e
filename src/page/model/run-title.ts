import { textFileIn } from "./thread-state.js";
import type { TracedRun } from "./traced.js";

/** The question of a run as its conversation shows it: without the files of text that went with it; one alone by its name. */
export function titleOf({
  question,
  words = question,
}: Pick<TracedRun, "question" | "words">): string | undefined {
  return words === undefined ? undefined : (textFileIn(words) ?? words);
}

/** The beginning of a text, up to a word's end; all of it where it is no longer than this. */
export function beginningOf(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  const end = cut.lastIndexOf(" ");
  return `${cut.slice(0, end > most / 2 ? end : cut.length).trimEnd()}…`;
}
