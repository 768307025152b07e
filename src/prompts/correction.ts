/** What a reply may be where tools are called by the provider's own means. */
export const wantedCall =
  "either make one complete tool call, or give your final answer as plain text";

/** Tells a model, as a plain user message, what was wrong with its last reply and what is wanted. */
export function correctionPrompt(problem: string, said: string, wanted: string): string {
  const quote = said === "" ? "" : `\nYour reply was:\n${said}`;
  return `That did not work: ${problem}.${quote}\nReply again: ${wanted}.`;
}
