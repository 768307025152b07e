/** The built-in tool that reads results on of which a model got only a part. */
export const readResultName = "read_result";

const beginning = `(To read what was cut, call ${readResultName} with `;

/** Tells a model how to read a cut result on. */
export function readOnHint(id: string, from: number): string {
  return `${beginning}${JSON.stringify({ id, from })}, or with "id" and "find": words to look for.)`;
}

/** A result without that hint, for those who have no tool to read on: people, and models that are to answer now. */
export function withoutReadOnHint(content: string): string {
  if (!content.includes(beginning)) return content;
  return content
    .split("\n")
    .filter((line) => !line.startsWith(beginning))
    .join("\n");
}
