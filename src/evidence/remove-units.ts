import type { Unit } from "./units.js";

/** A text without some of its units, and without what is empty then: list marks, tables, sentences that open a list. */
export function removeUnits(text: string, units: readonly Pick<Unit, "start" | "end">[]): string {
  const removed = [...units].toSorted((one, other) => one.start - other.start);
  if (removed.length === 0) return text.trim();
  const lines: string[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    const inLine = removed.filter((unit) => unit.start <= end && unit.end >= start);
    const left = without(line, start, inLine);
    if (inLine.length === 0 || /[\p{L}\p{N}]/u.test(left.replace(listMark, "")))
      lines.push(inLine.length === 0 ? left : balanced(left));
    start = end + 1;
  }
  return withoutEmptyFrames(lines)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const listMark = /^[\s>]*(?:#{1,6}\s|[-*+•·]\s|\(?\d{1,2}[.)、）])/;

function without(
  line: string,
  start: number,
  units: readonly Pick<Unit, "start" | "end">[],
): string {
  let left = "";
  let from = 0;
  for (const unit of units) {
    left += line.slice(from, Math.max(from, unit.start - start));
    from = Math.max(from, Math.min(line.length, unit.end - start));
  }
  return `${left}${line.slice(from)}`.trimEnd();
}

/** Without half a pair of bold marks. */
function balanced(line: string): string {
  return line.split("**").length % 2 === 0 ? line.replaceAll("**", "") : line;
}

/** Without a line that ends in a colon or heads a table, if nothing follows it. */
function withoutEmptyFrames(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    const next = kept.findLast((other) => other.trim() !== "");
    if (!isEmptyFrame(line, next)) kept.push(line);
  }
  return withoutLoneHeaders(kept.toReversed());
}

const heading = /^\s*#{1,6}\s/;

function isEmptyFrame(line: string, next: string | undefined): boolean {
  const isRule = line.includes("--") && !/[^\s|:-]/.test(line) && line.includes("|");
  if (isRule) return next?.includes("|") !== true;
  const isFrame = /[:：]\**$/.test(line.trimEnd()) || heading.test(line);
  return isFrame && (next === undefined || heading.test(next));
}

/** A header of a table whose rule is gone. */
function withoutLoneHeaders(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => {
    const isRow = /^\s*\|.*\|\s*$/.test(line);
    const isAlone = lines[at - 1]?.includes("|") !== true && lines[at + 1]?.includes("|") !== true;
    return !isRow || !isAlone;
  });
}
