import type { Environment } from "../models/model.js";

/** Where text goes: a terminal, a pipe, a file. */
export type Output = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean | undefined;
  /** The terminal's width. */
  readonly columns?: number | undefined;
  /** The terminal's height. */
  readonly rows?: number | undefined;
};

/** Asks the person at the terminal for one line; `undefined` when none comes: the input ended, or the signal aborted. */
export type Ask = (
  prompt: string,
  options: { readonly prefill?: string; readonly signal: AbortSignal },
) => Promise<string | undefined>;

/** A person at a terminal: how to ask them, and where what they are asked is shown. */
export type Person = { readonly ask: Ask; readonly out: Output };

/** Calls back on every occurrence until the returned function is called. */
export type Occurrences = (listener: () => void) => () => void;

/** All that the command line knows of the process it runs in. */
export type CliIo = {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
  /** Absent where nobody can be asked: the input is no terminal. */
  readonly person?: Person | undefined;
  /** Ctrl-C. */
  readonly onInterrupt: Occurrences;
  /** Nobody reads the output any more: `plangraph … | head -1`. */
  readonly onClosed: Occurrences;
  /** Ends the process at once. */
  readonly exit: (status: number) => void;
};
