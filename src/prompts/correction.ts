/** Tells a model, as a plain user message, what was wrong with its last reply and what is wanted. */
export function correctionPrompt(problem: string, said: string, hasTools: boolean): string {
  const quote = said === "" ? "" : `\nYour reply was:\n${said}`;
  const wanted = hasTools
    ? "either make one complete tool call, or give your final answer as plain text"
    : "give the complete answer in the form that was asked for";
  return `That did not work: ${problem}.${quote}\nReply again: ${wanted}.`;
}
