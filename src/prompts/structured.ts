const wanted = "Reply with one JSON object in the form above, and nothing else.";

/**
 * The form of a reply, in words or else as a JSON schema. It belongs into the system message: there it stays the same
 * from question to question, so servers read it once.
 */
export function formPrompt(schema: object, form?: string): string {
  return form === undefined
    ? `The JSON schema of your reply:\n${JSON.stringify(schema)}`
    : `The form of your reply:\n${form}`;
}

/** Asks for an object in the form of `formPrompt`; `task` describes its content. */
export function structuredPrompt(task: string): string {
  return `${task}\n${wanted}`;
}

/** Whether a text is such a request rather than a question. */
export function isStructuredPrompt(text: string): boolean {
  return text.includes(wanted);
}

/** Asks for an answer in another form; `results` are not in the conversation. A small model loses a bare figure. */
export function answerTask(answer: string, results: readonly string[] = []): string {
  const known = results.length === 0 ? "" : `The results:\n${results.join("\n")}\n\n`;
  return `${known}Your answer was: ${answer}\nNow put this answer into another form.`;
}

/** Why a reply that did not fit is not shown again: a model that reads it once more copies it once more. */
const unshown = {
  again: "You gave the same reply twice. Give another one.",
  loop: "Your reply said the same again and again. Say each thing once.",
} as const;

/** That a reply is the one before, or goes round in a loop. */
export type ReplyFault = keyof typeof unshown;

/** Sends back an object that did not fit. */
export function structuredRepairPrompt(said: string, problem: string, fault?: ReplyFault): string {
  const shown = fault === undefined ? `Your reply was:\n${said.slice(0, 1_000)}` : unshown[fault];
  return `That does not fit: ${problem}\n${shown}\nReply with the corrected JSON object only.`;
}
