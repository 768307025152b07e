import { disarmed } from "./fence.js";

/** What the application knows just now, for a system message; empty without a line. A text of `undefined` is not known. */
export function memorySection(
  lines: readonly { readonly name: string; readonly text: string | undefined }[],
): string {
  const told = lines.flatMap(({ name, text }) => {
    if (text === undefined) return [`- ${name}: unknown (the application could not look it up)`];
    return text === "" ? [] : [`- ${name}: ${inOneItem(text)}`];
  });
  return told.length === 0 ? "" : [heading, ...told].join("\n");
}

const heading = "What the application knows right now (newer than anything said before):";

/** A text of several lines as one item of a list; what people entered may be in it. */
function inOneItem(text: string): string {
  return disarmed(text.split(/[\n\r]+/).join("\n  "));
}
