import type { AgentEvent } from "../../observe/events.js";
import { noteText } from "../chat/notes.js";
import type { Request } from "../model/requests.js";
import { isNote } from "../model/run-view.js";
import { shortText } from "../model/plan-view.js";
import { runWordsIn } from "../text/run-languages.js";
import type { Words } from "../text/words.js";
import { decidedFirst, decisionLine } from "./decision-text.js";

/** What happened to a part of a run, in lines; nothing for what is shown elsewhere. */
export function markLines(
  marks: readonly AgentEvent[],
  requests: readonly Request[],
  words: Words,
): readonly string[] {
  const lines = decidedFirst(marks).map((mark) => {
    if (isNote(mark)) return noteText(mark, words);
    if (mark.type === "decided") return decisionLine(mark, requests, words.language);
    return changeText(mark, words);
  });
  return lines.filter((line) => line !== "");
}

function changeText(mark: AgentEvent, words: Words): string {
  const said = runWordsIn(words.language);
  const { colon } = said;
  if (mark.type === "input_needed") return words.statuses.paused;
  if (mark.type === "run_started") return said.goesOn;
  if (mark.type === "plan_changed") return `${words.plan}${colon}${mark.steps.join(", ")}`;
  if (mark.type === "model_corrected")
    return `${said.askedAgain}${colon}${mark.content?.problem ?? ""}`;
  if (mark.type !== "arguments_repaired") return otherText(mark);
  return `${said.repaired}${colon}${shortText(mark.content?.args ?? {}, 300)}`;
}

const silent: ReadonlySet<AgentEvent["type"]> = new Set(["plan_made", "retrieved"]);

/** Its name, for what is rare. */
function otherText({ type }: AgentEvent): string {
  return silent.has(type) ? "" : type.replaceAll("_", " ");
}
