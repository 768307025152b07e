import { isCommand } from "@langchain/langgraph";

/**
 * The input with none for `decisions`, where it brings no others: those that an earlier run refused are on record with
 * the thread, and are not meant for this one.
 */
export function withNoDecisions(input: unknown): unknown {
  const isState = typeof input === "object" && input !== null && "messages" in input;
  // Null rather than undefined: what is read again after a crash has been JSON.
  return isState && !isCommand(input) ? { decisions: null, ...input } : input;
}
