import type { AgentEvent } from "../observe/events.js";
import type { Outcome } from "../state/outcome.js";
import type { Usage } from "../state/usage.js";
import { type Busy, busyAfter, busyLine } from "./busy.js";
import {
  eventLines,
  type Line,
  startedAfter,
  type StartedCalls,
  summaryLine,
} from "./event-lines.js";
import type { Output } from "./io.js";
import { fitColumns, printable } from "./text.js";
import type { View } from "./view.js";

/** How a run is drawn. */
export type TerminalOptions = {
  readonly colour: boolean;
  /** Whether replies and the answer are shown; not where the answer goes elsewhere. */
  readonly answers: boolean;
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;
const clearLine = "\r\u001b[2K";
const styles = { thought: "2", step: "36", problem: "33", summary: "2" } as const;

/** Draws a run on a terminal: what it waits for, each step as it ends, the replies as they come. */
export function createTerminalView(out: Output, options: TerminalOptions): View {
  return new TerminalView(out, options);
}

class TerminalView implements View {
  readonly #out: Output;
  readonly #options: TerminalOptions;
  #started: StartedCalls = new Map();
  #busy: readonly Busy[] = [];
  #reply = { id: "", text: "" };
  /** The cursor stands behind text, not at a line's start. */
  #inText = false;
  #drawn = false;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Output, options: TerminalOptions) {
    this.#out = out;
    this.#options = options;
  }

  readonly event = (event: AgentEvent): void => {
    this.#started = startedAfter(this.#started, event);
    this.#busy = busyAfter(this.#busy, event);
    for (const line of eventLines(event, this.#started)) this.#line(line);
    if (endsReply(event)) this.#endReply();
    if (event.type === "input_needed" || event.type === "run_finished") this.rest();
    else this.#spin();
  };

  readonly token = (id: string, text: string): void => {
    if (!this.#options.answers) return;
    const known = id === this.#reply.id ? this.#reply.text : "";
    if (id !== this.#reply.id) this.#endText();
    const whole = known + printable(text);
    this.#reply = { id, text: whole };
    // Blank tokens at the start would push the spinner away for nothing.
    const isFirst = known.trim() === "";
    this.#write(
      isFirst ? (whole.trim() === "" ? "" : whole.trimStart()) : whole.slice(known.length),
    );
  };

  readonly answer = (text: string): void => {
    if (!this.#options.answers) return;
    const whole = printable(text).trim();
    const shown = this.#reply.text.trimStart();
    if (shown.trimEnd() !== whole) {
      const continues = shown !== "" && whole.startsWith(shown);
      if (!continues) this.#endText();
      this.#write(continues ? whole.slice(shown.length) : whole);
    }
    this.#endText();
  };

  readonly summary = (outcome: Outcome, usage: Usage, ms: number): void => {
    this.rest();
    this.#out.write(`${this.#styled("summary", summaryLine(outcome, usage, ms))}\n`);
  };

  readonly rest = (): void => {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
    this.#endText();
  };

  #line({ tone, text }: Line): void {
    const streamed = tone === "thought" && this.#reply.text.trim() === text;
    this.#clear();
    this.#endText();
    if (!streamed) this.#out.write(`${this.#styled(tone, text)}\n`);
  }

  #write(text: string): void {
    if (text === "") return;
    this.#clear();
    this.#out.write(text);
    this.#inText = !text.endsWith("\n");
  }

  #endReply(): void {
    this.#endText();
    this.#reply = { id: "", text: "" };
  }

  #endText(): void {
    if (this.#inText) this.#out.write("\n");
    this.#inText = false;
  }

  #spin(): void {
    this.#draw();
    this.#timer ??= setInterval(this.#draw, frameMs).unref();
  }

  readonly #draw = (): void => {
    if (this.#inText) return;
    const frame = frames[this.#frame % frames.length] ?? "";
    this.#frame += 1;
    const line = `${frame} ${busyLine(this.#busy, Date.now())}`;
    const fitting = fitColumns(line, columnsOf(this.#out) - 1);
    this.#out.write(`${clearLine}${this.#styled("summary", fitting)}`);
    this.#drawn = true;
  };

  #clear(): void {
    if (this.#drawn) this.#out.write(clearLine);
    this.#drawn = false;
  }

  #styled(style: keyof typeof styles, text: string): string {
    return this.#options.colour ? `\u001b[${styles[style]}m${text}\u001b[0m` : text;
  }
}

/** A terminal that does not know its width says 0. */
function columnsOf({ columns = 0 }: Output): number {
  return columns > 0 ? columns : 80;
}

/** Whether what was said so far is not the answer. */
function endsReply(event: AgentEvent): boolean {
  if (event.type === "model_finished") return event.toolCalls.length > 0;
  return (
    event.type === "model_started" ||
    event.type === "model_failed" ||
    event.type === "model_corrected"
  );
}
