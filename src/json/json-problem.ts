import { parse } from "lossless-json";

/** What is wrong with a text that is not JSON, from the message of its parser, with line and column. */
export function jsonProblem(text: string, message: string): string {
  const [, before = message, position] = inMessage(message);
  const isShort = message === "Unexpected end of JSON input";
  const offset = isShort ? text.length : numberOf(position ?? positionIn(text));
  return `${before}${placeIn(text, offset)}`;
}

function inMessage(message: string): readonly (string | undefined)[] {
  return /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
}

function numberOf(position: string | undefined): number | undefined {
  return position === undefined ? undefined : Number(position);
}

/** For short texts V8 shows the text in place of the position. */
function positionIn(text: string): string | undefined {
  try {
    parse(text);
  } catch (error) {
    return error instanceof Error ? inMessage(error.message)[2] : undefined;
  }
  return undefined;
}

/** An offset of a text as line and column. */
export function placeIn(text: string, offset: number | undefined): string {
  if (offset === undefined) return "";
  const lines = text.slice(0, offset).split("\n");
  return `, at line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
