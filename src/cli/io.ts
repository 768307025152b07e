import { PlangraphError, type PlangraphErrorCode } from "../errors.js";
import type { Environment } from "../models/model.js";
import { errorLine, errorText } from "../observe/redact.js";
import type { Outcome } from "../state/outcome.js";

/** An output for text: a terminal, a pipe, a file. */
export type Output = {
  /** `false` where the reader is slower than the writer. */
  readonly write: (text: string) => unknown;
  /** Calls back when the reader has caught up. */
  readonly once?: ((event: "drain", listener: () => void) => unknown) | undefined;
  readonly isTTY?: boolean | undefined;
  /** The terminal's width. */
  readonly columns?: number | undefined;
  /** The terminal's height. */
  readonly rows?: number | undefined;
};

/** Asks the person at the terminal for one line; `undefined` if the input ended or the signal aborted. */
export type Ask = (
  prompt: string,
  options: {
    readonly prefill?: string;
    readonly signal: AbortSignal;
    /** A message of a conversation: the line editor remembers it, and Ctrl-C first empties what was typed of it. */
    readonly isMessage?: boolean;
  },
) => Promise<string | undefined>;

/** A person at a terminal: how to ask them, and where the questions are shown. */
export type Person = { readonly ask: Ask; readonly out: Output };

/** Calls back on every occurrence until the returned function is called. */
export type Occurrences = (listener: () => void) => () => void;

/** The command line's view of its process. */
export type CliIo = {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
  /** Absent if nobody can be asked: the input is not a terminal. */
  readonly person?: Person | undefined;
  /** Reads the standard input to its end. */
  readonly input: () => Promise<string>;
  /** Reads the standard input line by line. */
  readonly lines: () => AsyncIterator<string, unknown>;
  /** Ctrl-C. */
  readonly onInterrupt: Occurrences;
  /** SIGTERM, which otherwise ends the process at once; absent where nobody sends it. */
  readonly onTerminate?: Occurrences;
  /** The output was closed by its reader: `plangraph … | head -1`. */
  readonly onClosed: Occurrences;
  /** Ends the process at once. */
  readonly exit: (status: number) => void;
};

/** The exit statuses of the process. */
export const exitStatus = {
  answered: 0,
  /** A missing key, an unreachable server, a failed run. */
  failed: 1,
  /** A wrong flag, spec or file. */
  usage: 2,
  limit: 3,
  /** Handed off, input needed, refused, or a run that stopped. */
  person: 4,
  /** A measure is below the bar that was set. */
  belowBar: 5,
  /** Ctrl-C, the status that shells use. */
  cancelled: 130,
  /** The output was closed, the status that shells use. */
  closed: 141,
  /** SIGTERM, the status that shells use. */
  terminated: 143,
} as const;

/** The exit status of a run by its outcome. */
export const outcomeStatus: { readonly [Status in Outcome["status"]]: number } = {
  answered: exitStatus.answered,
  needs_input: exitStatus.person,
  limit: exitStatus.limit,
  handed_off: exitStatus.person,
  failed: exitStatus.failed,
  refused: exitStatus.person,
};

const ofCode: { readonly [Code in PlangraphErrorCode]: number } = {
  invalid_option: exitStatus.usage,
  invalid_context: exitStatus.usage,
  invalid_input: exitStatus.usage,
  invalid_model: exitStatus.usage,
  missing_model: exitStatus.usage,
  missing_key: exitStatus.failed,
  missing_package: exitStatus.usage,
  invalid_tool: exitStatus.usage,
  invalid_agent: exitStatus.usage,
  invalid_service: exitStatus.usage,
  invalid_decisions: exitStatus.failed,
  already_answered: exitStatus.failed,
  missing_thread: exitStatus.usage,
  thread_busy: exitStatus.failed,
  nothing_to_resume: exitStatus.usage,
  wrong_graph: exitStatus.usage,
  unknown_version: exitStatus.usage,
  unfinished_run: exitStatus.person,
  invalid_structure: exitStatus.failed,
  not_a_plangraph: exitStatus.failed,
  unreadable_file: exitStatus.usage,
  invalid_cases: exitStatus.usage,
  invalid_knowledge: exitStatus.usage,
  knowledge_failed: exitStatus.failed,
  embedding_changed: exitStatus.usage,
  embedding_failed: exitStatus.failed,
  summary_failed: exitStatus.failed,
};

/** The exit status of a thrown error. */
export function errorStatus(error: unknown): number {
  return error instanceof PlangraphError ? ofCode[error.code] : exitStatus.failed;
}

/** An error in words: our own messages in full, the first line of others. */
export function errorWords(error: unknown): string {
  return error instanceof PlangraphError ? errorText(error, 8_000) : errorLine(error, 1_000);
}
