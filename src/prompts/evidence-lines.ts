const breaks = "\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029]";
const lineBreak = new RegExp(breaks, "g");
const indentedBreak = new RegExp(`(${breaks}) {2}`, "g");
const entry = /^([A-Za-z]+\d+): ([^\n]*(?:\n {2}[^\n]*)*)/gm;
/** Evidence with the remark in brackets above it. */
const remarked = new RegExp(String.raw`(?:^\([^\n]*\)\n)?${entry.source}`, "gm");
/** A remark in brackets that has a line to itself; no sum begins with a capital. */
const remark = /^\(\p{Lu}[^\n]*\)$/gmu;

/**
 * Evidence as the models read it, one line `<step id>: <value>` each. A value's further lines are
 * indented by two spaces, so that no value can pass for another step's.
 */
export function evidenceLines(entries: readonly { id: string; value: string }[]): string {
  return entries.map(({ id, value }) => `${id}: ${value.replaceAll(lineBreak, "$&  ")}`).join("\n");
}

/** The evidence found in a text by step id ("E1", "S2", …), in the order written; other lines are passed over. */
export function readEvidenceLines(text: string): Map<string, string> {
  const found = text.matchAll(entry);
  return new Map(
    [...found].map(([, id = "", value = ""]) => [id, value.replaceAll(indentedBreak, "$1")]),
  );
}

/** The text without its evidence lines, and without lines that are remarks in brackets. */
export function withoutEvidenceLines(text: string): string {
  return text.replaceAll(remarked, "").replaceAll(remark, "");
}
