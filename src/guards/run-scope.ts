import type { Emit } from "../observe/emit.js";
import type { Clock } from "./clock.js";
import type { Ledger } from "./ledger.js";

/** What everything that works for a run is handed: its identity, its budget, its time and its event stream. */
export type RunScope = {
  readonly runId: string;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly emit: Emit;
};
