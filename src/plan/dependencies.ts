import { referencesIn } from "./reference.js";
import type { Step } from "./step.js";

/** The ids that must finish before a step can run, each once: those it refers to, then those of `after`. */
export function dependenciesOf(step: Step): string[] {
  const referred = step.kind === "tool" ? referencesIn(step.args).map(({ id }) => id) : [];
  return [...new Set([...referred, ...(step.after ?? [])])];
}
