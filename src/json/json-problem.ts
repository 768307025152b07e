/** What is wrong with a text that is not JSON, from the message of its parser, with line and column. */
export function jsonProblem(text: string, message: string): string {
  const [, before = message, position] =
    /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
  const isShort = message === "Unexpected end of JSON input";
  const offset = position === undefined ? undefined : Number(position);
  return `${before}${placeIn(text, isShort ? text.length : offset)}`;
}

/** An offset of a text as line and column. */
export function placeIn(text: string, offset: number | undefined): string {
  if (offset === undefined) return "";
  const lines = text.slice(0, offset).split("\n");
  return `, at line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
