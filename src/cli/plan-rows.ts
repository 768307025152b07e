import type { AgentEvent } from "../observe/events.js";
import {
  besideRows,
  checklistAfter,
  emptyChecklist,
  isInsideRun,
  isSettled,
  type Row,
  rowsOf,
  stampOf,
} from "./checklist.js";
import type { Line } from "./event-lines.js";
import { type PlanBlock, planBlock } from "./plan-block.js";

/** The rows of a run's plans on a terminal: drawn in place until they are written, and again where they change later. */
export class PlanRows {
  #list = emptyChecklist;
  /** The rows that have been written, by what they were then. */
  readonly #written = new Map<string, ReturnType<typeof stampOf>>();

  /** Takes an event in; returns the lines that it adds beside the rows. */
  after(event: AgentEvent): readonly Line[] {
    this.#list = checklistAfter(this.#list, event);
    return besideRows(this.#list, event);
  }

  /** Whether an event ends the run, or has it wait: not one of a run that is only a call. */
  rests(event: AgentEvent): boolean {
    if (event.type !== "input_needed" && event.type !== "run_finished") return false;
    return !isInsideRun(this.#list, event);
  }

  /** What is drawn in so many lines. */
  block(height: number): PlanBlock {
    const rows = rowsOf(this.#list).filter((row) => !isSettled(row) || this.#hasChanged(row));
    return planBlock(rows, height);
  }

  /** The rows of `block` that were not written yet, or have changed since. */
  unwritten(height: number): PlanBlock {
    const { leaving, shown, hidden } = this.block(height);
    const isNew = (row: Row) => this.#hasChanged(row);
    return { leaving, shown: shown.filter(isNew), hidden };
  }

  /** Notes that these rows have been written. */
  wrote(rows: readonly Row[]): void {
    for (const row of rows) this.#written.set(row.key, stampOf(row));
  }

  #hasChanged(row: Row): boolean {
    return this.#written.get(row.key) !== stampOf(row);
  }
}
