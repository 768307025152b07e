import type { Note } from "../model/run-view.js";
import { useWords } from "../text/context.js";
import { duration } from "../text/format.js";
import type { Words } from "../text/words.js";

/** What people should know of a run besides its steps; while it runs, only the newest of what passes. */
export function Notes({
  notes,
  isRunning,
}: {
  readonly notes: readonly Note[];
  readonly isRunning: boolean;
}) {
  const words = useWords();
  const lasting = notes.filter(({ type }) => !passing.has(type));
  const [latest] = isRunning ? notes.filter(({ type }) => passing.has(type)).slice(-1) : [];
  const shown = [...lasting, ...(latest === undefined ? [] : [latest])];
  const lines = [...new Set(shown.map((note) => noteText(note, words)))].filter(
    (line) => line !== "",
  );
  if (lines.length === 0) return null;
  return (
    <ul class="notes">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

const passing: ReadonlySet<Note["type"]> = new Set(["retry", "progress"]);

/** A note in a sentence. */
export function noteText(note: Note, words: Words): string {
  if (note.type === "retry") return words.retry(note.of, duration(note.delayMs), note.reason ?? "");
  if (note.type === "handed_off") return words.handedOff(note.content?.reason ?? "");
  if (note.type === "progress") return note.content?.text ?? "";
  return changeText(note, words);
}

type Change = Exclude<Note, { readonly type: "retry" | "handed_off" | "progress" }>;

function changeText(note: Change, words: Words): string {
  if (note.type === "fallback") return words.fallback(note.from, note.to);
  if (note.type === "degraded") return words.degraded;
  if (note.type === "limit_reached") return words.limitReached(note.limit);
  return note.type === "routed" ? words.routed(note.route) : words.reloadFailed;
}
