/** What a reply may be where tools are called by the provider's own means. */
export const wantedCall =
  "either make one complete tool call, or give your final answer as plain text";

/** Tells a model, as a plain user message, what was wrong with its last reply and what is wanted. */
export function correctionPrompt(problem: string, said: string, wanted: string): string {
  const quote = said === "" ? "" : `\nYour reply was:\n${said}`;
  return `That did not work: ${problem}.${quote}\nReply again: ${wanted}.`;
}

/** What is wrong with a reply that holds a call of tools as text. */
export function writtenCall(names: readonly string[]): string {
  return `your reply holds a call of ${names.map((name) => `"${name}"`).join(", ")} as text, so it was not made`;
}

/**
 * Asks a model, as a plain user message, whether it means the call that its last reply holds as text. The
 * user has not seen that reply: a model that only explained the call has to say all of it again.
 */
export function writtenCallPrompt(problem: string, said: string, wanted: string): string {
  return (
    `No tool was run: ${problem}.\nYour reply was:\n${said}\n` +
    "Did you mean to make this call now? Then make it. If you only showed, quoted or explained it, or it was " +
    "made before, do not make it: give the final answer, with all that the user is to read, in plain words. " +
    `Either way ${wanted}.`
  );
}
