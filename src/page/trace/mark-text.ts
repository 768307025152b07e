import type { AgentEvent } from "../../observe/events.js";
import { noteText } from "../chat/notes.js";
import { isNote } from "../model/run-view.js";
import { shortText } from "../model/plan-view.js";
import { duration } from "../text/format.js";
import type { Words } from "../text/words.js";

/** What happened to a part of a run, in a line; nothing for what is shown elsewhere. */
export function markText(mark: AgentEvent, words: Words): string {
  if (isNote(mark)) return noteText(mark, words);
  return mark.type === "decided" ? decisionText(mark, words) : changeText(mark, words);
}

function changeText(mark: AgentEvent, words: Words): string {
  if (mark.type === "input_needed") return words.statuses.paused;
  if (mark.type === "run_started") return words.goesOn;
  if (mark.type === "plan_changed") return `${words.plan}: ${mark.steps.join(", ")}`;
  if (mark.type === "model_corrected") return `${words.askedAgain}: ${mark.content?.problem ?? ""}`;
  if (mark.type !== "arguments_repaired") return otherText(mark);
  return `${words.repaired}: ${shortText(mark.content?.args ?? {}, 300)}`;
}

function decisionText(
  { decision, by, ms, content }: Extract<AgentEvent, { type: "decided" }>,
  words: Words,
): string {
  const said = {
    approve: words.approve,
    edit: words.approveChanged,
    reject: words.reject,
    respond: words.respond,
  }[decision];
  const who = by === undefined ? "" : ` (${by})`;
  const what =
    content?.message ??
    (content?.edited_action === undefined ? "" : shortText(content.edited_action.args, 300));
  return `${said}${who}, ${duration(ms)}${what === "" ? "" : `: ${what}`}`;
}

const silent: ReadonlySet<AgentEvent["type"]> = new Set(["plan_made", "retrieved"]);

/** Its name, for what is rare. */
function otherText({ type }: AgentEvent): string {
  return silent.has(type) ? "" : type.replaceAll("_", " ");
}
