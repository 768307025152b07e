import type { AgentEvent } from "../observe/events.js";
import type { Call } from "./calls.js";
import {
  checklistAfter,
  emptyChecklist,
  isOfStep,
  isSettled,
  type Row,
  rowsOf,
} from "./checklist.js";
import { eventLines, type Line } from "./event-lines.js";
import { type PlanBlock, planBlock } from "./plan-block.js";

/** The rows of a run's plans on a terminal: drawn in place until they are written, and again where they change later. */
export class PlanRows {
  #list = emptyChecklist;
  /** The rows that have been written, as far as their calls were then. */
  readonly #written = new Map<string, Call | undefined>();

  /** Takes an event in; returns the lines that it adds beside the rows. */
  after(event: AgentEvent): readonly Line[] {
    this.#list = checklistAfter(this.#list, event);
    return isOfStep(this.#list, event) ? [] : eventLines(event, this.#list.calls);
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
    for (const { key, call } of rows) this.#written.set(key, call);
  }

  #hasChanged({ key, call }: Row): boolean {
    return !this.#written.has(key) || this.#written.get(key) !== call;
  }
}
