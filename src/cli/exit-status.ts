import { PlangraphError, type PlangraphErrorCode } from "../errors.js";
import type { Outcome } from "../state/outcome.js";

/** What the process ends with. */
export const exitStatus = {
  answered: 0,
  /** A missing key, an unreachable server, a failed run. */
  failed: 1,
  /** A wrong flag, spec or file. */
  usage: 2,
  limit: 3,
  /** Handed off, input needed, or a run that stopped. */
  person: 4,
  /** Ctrl-C, as shells count it. */
  cancelled: 130,
  /** The output was closed, as shells count it. */
  closed: 141,
} as const;

const ofOutcome: { readonly [Status in Outcome["status"]]: number } = {
  answered: exitStatus.answered,
  needs_input: exitStatus.person,
  limit: exitStatus.limit,
  handed_off: exitStatus.person,
  failed: exitStatus.failed,
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
  invalid_service: exitStatus.usage,
  invalid_decisions: exitStatus.failed,
  already_answered: exitStatus.failed,
  missing_thread: exitStatus.usage,
  thread_busy: exitStatus.failed,
  nothing_to_resume: exitStatus.usage,
  wrong_graph: exitStatus.usage,
  unfinished_run: exitStatus.person,
  invalid_structure: exitStatus.failed,
  not_a_plangraph: exitStatus.failed,
  unreadable_file: exitStatus.usage,
};

/** The exit status of a run that ended. */
export function outcomeStatus({ status }: Outcome): number {
  return ofOutcome[status];
}

/** The exit status of what was thrown. */
export function errorStatus(error: unknown): number {
  return error instanceof PlangraphError ? ofCode[error.code] : exitStatus.failed;
}
