import type { Emit } from "../observe/emit.js";
import type { Clock } from "./clock.js";
import type { Ledger } from "./ledger.js";

/** What everything that works for a run is handed: its identity, its budget, its time and its event stream. */
export type RunScope = {
  readonly runId: string;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** IANA zone of "today"; default: the machine's. */
  readonly timeZone?: string | undefined;
  /** BCP 47 tag of how dates are written. */
  readonly locale?: string | undefined;
  readonly emit: Emit;
};

/** The time as a run tells it. */
export type RunTime = Pick<RunScope, "clock" | "timeZone" | "locale">;
