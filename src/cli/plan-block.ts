import { isSettled, type Row } from "./checklist.js";

/** The part of a checklist that a screen has room for. */
export type PlanBlock = {
  /** Rows that are written for good, to make room. */
  readonly leaving: readonly Row[];
  /** Rows that are drawn, and drawn again when they change. */
  readonly shown: readonly Row[];
  /** How many more there are. */
  readonly hidden: number;
};

/**
 * Fits rows into `height` lines, one of them for the number of those that are hidden. Where all of them
 * have room, all are shown. Else those that are settled leave, and of the others those that run come first.
 */
export function planBlock(rows: readonly Row[], height: number): PlanBlock {
  if (rows.length <= height) return { leaving: [], shown: rows, hidden: 0 };
  const leaving = rows.filter(isSettled);
  const unsettled = rows.filter((row) => !isSettled(row));
  if (unsettled.length <= height) return { leaving, shown: unsettled, hidden: 0 };
  const byUrgency = [
    ...unsettled.filter(({ state }) => state === "running"),
    ...unsettled.filter(({ state }) => state === "open"),
  ];
  const chosen = new Set(byUrgency.slice(0, Math.max(0, height - 1)));
  const shown = unsettled.filter((row) => chosen.has(row));
  return { leaving, shown, hidden: unsettled.length - shown.length };
}
