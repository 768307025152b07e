/** Asks for the answer as an object of a JSON schema. */
export function structuredPrompt(schema: object): string {
  return `Now give your answer as one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
}

/** Sends an object back that did not fit. */
export function structuredRepairPrompt(said: string, problem: string, schema: object): string {
  return `That does not fit: ${problem}\nYour reply was:\n${said.slice(0, 1_000)}\nReply with the corrected JSON object only. The schema is:\n${JSON.stringify(schema)}`;
}
