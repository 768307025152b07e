import { exitStatus } from "./exit-status.js";
import type { CliIo } from "./io.js";

/** Why a run was called off; the process ends with its status. */
export class Cancelled extends Error {
  readonly status: number;

  constructor(status: number) {
    super("The run was called off.");
    this.status = status;
  }
}

/** What calls a run off. */
export type Cancellation = { readonly signal: AbortSignal; readonly stop: () => void };

/** Watches for Ctrl-C and for an output that nobody reads: the first calls the run off, a second Ctrl-C ends the process. */
export function watchCancellation({ onInterrupt, onClosed, exit }: CliIo): Cancellation {
  const controller = new AbortController();
  const { signal } = controller;
  const stops = [
    onInterrupt(() => {
      if (signal.aborted) exit(exitStatus.cancelled);
      else controller.abort(new Cancelled(exitStatus.cancelled));
    }),
    onClosed(() => {
      if (!signal.aborted) controller.abort(new Cancelled(exitStatus.closed));
    }),
  ];
  return {
    signal,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
