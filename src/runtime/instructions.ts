import type { Conversation } from "../state/conversation.js";
import type { Run } from "./enter-run.js";

/** The instructions of a node: a text, or a function of the state and the run that returns it. */
export type Instructions = string | ((state: Conversation, run: Run) => string);

/** The text of instructions. */
export function textOf(instructions: Instructions, state: Conversation, run: Run): string {
  return typeof instructions === "string" ? instructions : instructions(state, run);
}

/** The prompt that the run's options or context have under this name, else the default. */
export function promptOf(name: string, otherwise: string | ((run: Run) => string)): Instructions {
  const byDefault = typeof otherwise === "string" ? () => otherwise : otherwise;
  return (_, run) => run.settings.prompts[name] ?? byDefault(run);
}
