import type { AgentEvent } from "../observe/events.js";
import type { Outcome } from "../state/outcome.js";
import type { Usage } from "../state/usage.js";

/** Shows a run to a person while it goes on. */
export type View = {
  readonly event: (event: AgentEvent) => void;
  /** A piece of the reply with this id. */
  readonly token: (id: string, text: string) => void;
  /** The run's answer; what of it has been shown as tokens is not shown again. */
  readonly answer: (text: string) => void;
  /** How the run ended; `ms` is its working time. */
  readonly summary: (outcome: Outcome, usage: Usage, ms: number) => void;
  /** Leaves the terminal to others: a question to the person, a message, the shell. */
  readonly rest: () => void;
};
