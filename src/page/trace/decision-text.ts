import type { AgentEvent } from "../../observe/events.js";
import { shortText } from "../model/plan-view.js";
import type { Request } from "../model/requests.js";
import { duration, timeOfDay } from "../text/format.js";
import { runWordsIn } from "../text/run-languages.js";
import type { RunWords } from "../text/run-words.js";

type Decided = Extract<AgentEvent, { readonly type: "decided" }>;

/** What happened to a run, with what people decided before that it went on: it tells of them only then. */
export function decidedFirst(marks: readonly AgentEvent[]): readonly AgentEvent[] {
  const ordered: AgentEvent[] = [];
  for (const mark of marks) {
    const isBack = mark.type === "decided" && ordered.at(-1)?.type === "run_started";
    ordered.splice(isBack ? -1 : ordered.length, 0, mark);
  }
  return ordered;
}

/** A decision with what it is about: a call by its tool and its id. */
export function decisionLine(
  decided: Decided,
  requests: readonly Request[],
  language: Parameters<typeof runWordsIn>[0],
): string {
  const said = runWordsIn(language);
  const request = requests.find((each) => each.decided === decided);
  const text = decisionText(decided, said);
  if (request === undefined) return text;
  const { callId, tool } = request;
  const whole = { plan: said.plan, answer: said.answer }[callId];
  const id = /^[A-Z]\d/.test(callId) ? callId : "";
  const what = whole ?? [id, tool].filter((part) => part !== "").join(" ");
  // What a person made of a call stands with the call.
  const edited = whole === undefined ? undefined : decided.content?.edited_action?.args;
  const made = edited === undefined ? "" : `${said.colon}${shortText(edited, 300)}`;
  return what === "" ? text : `${what}${said.colon}${text}${made}`;
}

/** A decision in a line: what, when, by whom, and what the person said. */
export function decisionText({ decision, by, at, ms, content }: Decided, said: RunWords): string {
  const what = said.decided(said.decisions[decision], timeOfDay(at, Date.now()), by);
  const message = content?.message ?? "";
  const line = message === "" ? what : `${what}${said.colon}${message}`;
  return `${line} · ${said.decidedAfter(duration(ms))}`;
}
