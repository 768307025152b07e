/** The instructions for an answer that said what nothing shows. */
export const verifierInstructions =
  "You tell a customer what was found out and done for them. You know no figures, names, rules or dates yourself: say " +
  "only what the results say.";

/** Asks for the answer without what has no ground. */
export function correctionTask(
  question: string,
  dropped: readonly { readonly why: string }[],
): string {
  return [
    `The customer's message: ${JSON.stringify(question)}`,
    ...(dropped.length === 0
      ? []
      : ["A draft says what no result shows:", ...dropped.map(({ why }) => `- ${why}`)]),
    "Write the answer, in the language of the customer's message, in one or two sentences, from the results alone.",
  ].join("\n");
}
