import type { AgentEvent } from "../observe/events.js";
import { besideRows, checklistAfter, emptyChecklist, rowsBetween } from "./checklist.js";
import { summaryLine } from "./event-lines.js";
import type { Output } from "./io.js";
import { rowLine } from "./row-line.js";
import { printable } from "./text.js";
import type { View } from "./view.js";

/** Where the parts of a run go; a part without a place is not shown. */
export type PlainPlaces = {
  readonly progress: Output | undefined;
  readonly answer: Output | undefined;
};

/** Shows a run in plain lines: the plan, the steps as they end, then the answer as it is, then the summary. */
export function createPlainView({ progress, answer }: PlainPlaces): View {
  let list = emptyChecklist;
  return {
    event: (event: AgentEvent) => {
      const before = list;
      list = checklistAfter(before, event);
      const rows = rowsBetween(before, list).map((row) => rowLine(row, event.at));
      for (const { text } of [...rows, ...besideRows(list, event)]) progress?.write(`${text}\n`);
    },
    token: () => undefined,
    answer: (text) => {
      const shown = answer?.isTTY === true ? printable(text) : text;
      answer?.write(shown.endsWith("\n") ? shown : `${shown}\n`);
    },
    summary: (outcome, usage, ms) => {
      progress?.write(`${summaryLine(outcome, usage, ms)}\n`);
    },
    rest: () => undefined,
  };
}
