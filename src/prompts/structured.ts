const wanted = "Reply with one JSON object that fits the JSON schema above, and nothing else.";

/** The form of a reply, for the system message: it stays the same from question to question, so servers read it once. */
export function schemaPrompt(schema: object): string {
  return `The JSON schema of your reply:\n${JSON.stringify(schema)}`;
}

/** Asks for an object in the form of `schemaPrompt`; `task` describes its content. */
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

/** Sends back an object that did not fit. */
export function structuredRepairPrompt(said: string, problem: string): string {
  return `That does not fit: ${problem}\nYour reply was:\n${said.slice(0, 1_000)}\nReply with the corrected JSON object only.`;
}
