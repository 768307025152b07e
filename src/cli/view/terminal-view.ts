import type { AgentEvent } from "../../observe/events.js";
import type { Row } from "../../observe/plan-rows.js";
import type { Span } from "../../observe/span-tree.js";
import type { Outcome } from "../../state/outcome.js";
import type { Usage } from "../../state/usage.js";
import type { Output } from "../io.js";
import { argsOf, Checklist, rowLine } from "./checklist.js";
import {
  callText,
  duration,
  fitColumns,
  type Line,
  printable,
  summaryLine,
} from "./event-lines.js";
import type { View } from "./plain-view.js";

/** How a run is shown. */
type TerminalOptions = {
  readonly colour: boolean;
  /** Whether replies and the answer are shown; false if the answer is printed elsewhere. */
  readonly answers: boolean;
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;
const styles = { thought: "2", step: "36", problem: "33", summary: "2" } as const;

/** Draws a run on a terminal: its current wait, each step at its end, in plan order, and replies as they stream. */
export class TerminalView implements View {
  readonly #out: Output;
  readonly #options: TerminalOptions;
  readonly #live: LiveRegion;
  readonly #plan = new Checklist();
  #reply = { id: "", text: "" };
  /** The cursor is behind text, not at a line's start. */
  #inText = false;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Output, options: TerminalOptions) {
    this.#out = out;
    this.#options = options;
    this.#live = new LiveRegion(out);
  }

  readonly event = (event: AgentEvent): void => {
    for (const line of this.#plan.after(event)) this.#line(line);
    if (endsReply(event)) this.#endReply();
    if (this.#plan.rests(event)) this.rest();
    else this.#spin();
  };

  readonly token = (id: string, text: string): void => {
    if (!this.#options.answers) return;
    const known = id === this.#reply.id ? this.#reply.text : "";
    if (id !== this.#reply.id) this.#endText();
    const whole = known + printable(text);
    this.#reply = { id, text: whole };
    // Blank tokens at the start would move the spinner for nothing.
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
    this.#endText();
    this.#leavePlan();
  };

  #line({ tone, text }: Line): void {
    const streamed = tone === "thought" && this.#reply.text.trim() === text;
    this.#live.clear();
    this.#endText();
    if (!streamed) this.#out.write(`${this.#styled(tone, text)}\n`);
  }

  #write(text: string): void {
    if (text === "") return;
    if (!this.#inText) this.#leavePlan();
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

  /** Something else follows: the plan stays unchanged. */
  #leavePlan(): void {
    const { leaving, shown, hidden } = this.#plan.unwritten(this.#live.rows - 1);
    this.#leave([...leaving, ...shown]);
    if (shown.length > 0 && hidden > 0)
      this.#out.write(`${this.#styled("summary", more(hidden))}\n`);
  }

  /** Writes whole rows in place of the live lines. */
  #leave(rows: readonly Row[]): void {
    this.#live.clear();
    for (const row of rows) {
      const { tone, text } = rowLine(row, Date.now());
      this.#out.write(`${this.#styled(tone, text)}\n`);
    }
    this.#plan.wrote(rows);
  }

  #spin(): void {
    this.#draw();
    this.#timer ??= setInterval(this.#draw, frameMs).unref();
  }

  readonly #draw = (): void => {
    if (this.#inText) return;
    const frame = frames[this.#frame % frames.length] ?? "";
    this.#frame += 1;
    const { leaving, shown, hidden } = this.#plan.block(this.#live.rows - 1);
    if (leaving.length > 0) this.#leave(leaving);
    const now = Date.now();
    this.#live.draw([
      ...shown.map((row) => this.#cut(rowLine(row, now, frame))),
      ...(hidden === 0 ? [] : [this.#cut({ tone: "summary", text: more(hidden) })]),
      this.#waiting(shown, frame, now),
    ]);
  };

  /** The run's current wait, besides the steps that are shown as running. */
  #waiting(shown: readonly Row[], frame: string, now: number): string {
    const text = `${frame} ${waitingLine(this.#plan.waiting(shown), now)}`;
    return this.#cut({ tone: "summary", text });
  }

  /** A line that fits the terminal's width: one that wraps could not be drawn again. */
  #cut({ tone, text }: { readonly tone: keyof typeof styles; readonly text: string }): string {
    return this.#styled(tone, fitColumns(text, this.#live.columns));
  }

  #styled(style: keyof typeof styles, text: string): string {
    return this.#options.colour ? `\u001b[${styles[style]}m${text}\u001b[0m` : text;
  }
}

function more(hidden: number): string {
  return `… and ${hidden} more`;
}

/** Whether the text so far is not the answer. */
function endsReply(event: AgentEvent): boolean {
  if (event.type === "model_finished") return event.toolCalls.length > 0;
  return (
    event.type === "model_started" ||
    event.type === "model_failed" ||
    event.type === "model_corrected"
  );
}

const clearLine = "\r\u001b[2K";
const clearBelow = "\u001b[0J";

/** The last lines of a terminal, redrawn in place. They must fit its width and height. The cursor is behind the last. */
class LiveRegion {
  readonly #out: Output;
  #drawn = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  /** The width of a line in columns; a terminal of unknown width reports 0. */
  get columns(): number {
    const { columns = 0 } = this.#out;
    return (columns > 0 ? columns : 80) - 1;
  }

  /** The maximum number of lines. */
  get rows(): number {
    const { rows = 0 } = this.#out;
    return (rows > 0 ? rows : 24) - 1;
  }

  /** Replaces the lines with these. */
  draw(lines: readonly string[]): void {
    if (lines.length === 0) {
      this.clear();
      return;
    }
    const text = lines.map((line) => `${clearLine}${line}`).join("\n");
    this.#out.write(`${this.#up()}${lines.length < this.#drawn ? clearBelow : ""}${text}`);
    this.#drawn = lines.length;
  }

  /** Removes the lines; the cursor returns to their start. */
  clear(): void {
    if (this.#drawn === 0) return;
    this.#out.write(this.#drawn === 1 ? clearLine : `${this.#up()}\r${clearBelow}`);
    this.#drawn = 0;
  }

  #up(): string {
    return this.#drawn > 1 ? `\u001b[${this.#drawn - 1}A` : "";
  }
}

/** What the run waits for now, in one line with its time. */
export function waitingLine(spans: readonly Span[], now: number): string {
  const latest = spans.at(-1);
  if (latest === undefined) return "working";
  const others = spans.length > 1 ? ` and ${spans.length - 1} more` : "";
  const { label, since } = waitOf(latest, now);
  return `${label}${others} ${duration(Math.max(0, now - since))}`;
}

function waitOf(span: Span, now: number): { readonly label: string; readonly since: number } {
  const { kind, name, start, startedAt: since, marks } = span;
  const mark = marks.at(-1);
  if (mark?.type === "retry" && now < mark.at + mark.delayMs) {
    return { label: `waiting to try ${mark.of} again`, since: mark.at };
  }
  const label = kind === "model" ? `${start.node} (${name})` : callText(name, argsOf(span));
  return { label, since };
}
