import type { AgentEvent } from "../../observe/events.js";
import type { Outcome } from "../../state/outcome.js";
import type { Usage } from "../../state/usage.js";
import type { Output } from "../io.js";
import { Checklist, rowLine } from "./checklist.js";
import { printable, summaryLine } from "./event-lines.js";

/** The outputs for the parts of a run; a part without an output is not shown. */
type PlainPlaces = { readonly progress: Output | undefined; readonly answer: Output | undefined };

/** Shows a run in plain lines: the plan, the steps when they end, then the unchanged answer, then the summary. */
export function createPlainView({ progress, answer }: PlainPlaces): View {
  const list = new Checklist();
  return {
    event: (event: AgentEvent) => {
      const beside = list.after(event);
      const rows = list.news().map((row) => rowLine(row, event.at));
      for (const { text } of [...rows, ...beside]) progress?.write(`${text}\n`);
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

/** Shows a run while it is running. */
export type View = {
  readonly event: (event: AgentEvent) => void;
  /** A piece of the reply with this id. */
  readonly token: (id: string, text: string) => void;
  /** The run's answer, without the part that was already streamed. */
  readonly answer: (text: string) => void;
  /** The outcome of the run; `ms` is its working time. */
  readonly summary: (outcome: Outcome, usage: Usage, ms: number) => void;
  /** Releases the terminal for others: a question to the person, a message, the shell. */
  readonly rest: () => void;
};
