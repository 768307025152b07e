/** The built-in tool that reads the rest of a cut result. */
export const readResultName = "read_result";

const beginning = `(To read what was cut, call ${readResultName} with `;

/** Tells a model how to read the rest of a cut result. */
export function readOnHint(id: string, from: number): string {
  return `${beginning}${JSON.stringify({ id, from })}, or with "id" and "find": words to look for.)`;
}

/** A result without that hint, for readers without the tool: people, and models that must answer now. */
export function withoutReadOnHint(content: string): string {
  if (!content.includes(beginning)) return content;
  return content
    .split("\n")
    .filter((line) => !line.startsWith(beginning))
    .join("\n");
}
