import type { Outcome } from "../state/outcome.js";
import { limitWords } from "./closing.js";

/** What a model reads of a graph that it called as a tool, and whether that is a result. */
export type SubRunResult = { readonly ok: boolean; readonly text: string };

/** Tells how a sub-run ended: an answer speaks for itself, of everything else it says what it is. */
export function subRunResult(
  name: string,
  answer: string,
  { status, limit, reason = "" }: Outcome,
  asked: readonly string[],
): SubRunResult {
  if (status === "answered") return { ok: true, text: answer };
  if (status === "limit") {
    const what = limit === undefined ? "its work" : limitWords[limit];
    const remark = `(${name} was stopped before it was done: the limit on ${what} was reached. This is what it found out.)`;
    return { ok: true, text: `${answer}\n${remark}` };
  }
  const ends = {
    needs_input: `${name} needs a person and cannot ask one here: ${asked.join(" ")}`,
    handed_off: `${name} gave its task back, for a person to take over: ${reason}`,
    failed: `${name} failed: ${answer.includes(reason) ? answer : reason}`,
  };
  return { ok: false, text: `Error: ${ends[status]}` };
}
