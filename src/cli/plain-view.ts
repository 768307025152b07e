import type { AgentEvent } from "../observe/events.js";
import { eventLines, startedAfter, type StartedCalls, summaryLine } from "./event-lines.js";
import type { Output } from "./io.js";
import { printable } from "./text.js";
import type { View } from "./view.js";

/** Where the parts of a run go; a part without a place is not shown. */
export type PlainPlaces = {
  readonly progress: Output | undefined;
  readonly answer: Output | undefined;
};

/** Shows a run in plain lines: the steps as they end, then the answer as it is, then the summary. */
export function createPlainView({ progress, answer }: PlainPlaces): View {
  let started: StartedCalls = new Map();
  return {
    event: (event: AgentEvent) => {
      started = startedAfter(started, event);
      for (const { text } of eventLines(event, started)) progress?.write(`${text}\n`);
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
