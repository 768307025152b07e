import { RunControl } from "@langchain/langgraph";

import { type CliIo, exitStatus } from "./io.js";
import type { Drain } from "./run-session.js";

/** The exit status of a cancelled command. */
export function cancelledStatus({ reason }: Pick<AbortSignal, "reason">): number {
  return reason instanceof Cancelled ? reason.status : exitStatus.cancelled;
}

/** Why a command was cancelled; the process ends with its status. */
class Cancelled extends Error {
  readonly status: number;

  constructor(status: number) {
    super("The command was cancelled.");
    this.status = status;
  }
}

/** A watch for what cancels a command. */
type Cancellation = { readonly signal: AbortSignal; readonly stop: () => void };

/** Watches for Ctrl-C and for a closed output: the first cancels, a second Ctrl-C ends the process. */
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

/** A watch for what asks a command to end. */
type Termination = { readonly drain: Drain; readonly stop: () => void };

/** Watches for SIGTERM: the first asks for a clean stop, a second one ends the process. */
export function watchTermination({ onTerminate, exit }: CliIo): Termination {
  const control = new RunControl();
  const asked = new AbortController();
  const stop = onTerminate?.(() => {
    if (control.drainRequested) exit(exitStatus.terminated);
    control.requestDrain("SIGTERM");
    asked.abort();
  });
  return { drain: { control, signal: asked.signal }, stop: () => stop?.() };
}
