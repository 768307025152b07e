import type { ErrorKind } from "../state/observation.js";

/** The text of a tool's error, as a model reads it. */
export function toolErrorText(kind: ErrorKind, message: string): string {
  return `Error (${kind}): ${message}`;
}
