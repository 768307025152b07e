import { sentenceEnds } from "./sentence-ends.js";

/** A sentence or row, and where it stands in its text. */
export type Unit = {
  readonly start: number;
  readonly end: number;
  /** What it says; the row of a table names its columns. */
  readonly text: string;
  readonly kind: "sentence" | "row" | "header";
  /** The mark before a list item or heading. */
  readonly mark?: "item" | "heading" | undefined;
};

type Line = { readonly start: number; readonly text: string };

/** The sentences of a text, and the rows of its tables as "column: value; column: value". */
export function unitsOf(text: string): readonly string[] {
  return placedUnits(text, { joinsFields: true })
    .filter(({ kind }) => kind !== "header")
    .map((unit) => unit.text);
}

/**
 * The units of a text with their places. `joinsFields`: lines such as "Region: Berlin" that follow each other are one
 * row, as a sheet is shown.
 */
export function placedUnits(
  text: string,
  { joinsFields }: { readonly joinsFields: boolean },
): readonly Unit[] {
  const lines = linesOf(text);
  const units: Unit[] = [];
  for (let at = 0; at < lines.length;) {
    const size =
      takeTable(lines, at, units) ||
      (joinsFields ? takeFields(lines, at, units) : 0) ||
      takeParagraph(lines, at, text, units);
    at += size;
  }
  return units;
}

function linesOf(text: string): readonly Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const found = { start, text: line };
    start += line.length + 1;
    return found;
  });
}

/** Whether a line parts the header of a table from its rows. */
function isSeparator(line: string): boolean {
  return /-{2}/.test(line) && !/[^\s|:-]/.test(line);
}

/** Adds the table that begins at this line, and returns how many lines it has; 0 if none does. */
function takeTable(lines: readonly Line[], at: number, units: Unit[]): number {
  const [header, rule] = [lines[at], lines[at + 1]];
  if (header === undefined || rule === undefined) return 0;
  if (!header.text.includes("|") || !isSeparator(rule.text)) return 0;
  const titles = cellsOf(header.text);
  units.push(unitAt(header, titles.join("; "), "header"));
  let size = 2;
  for (let row = lines[at + size]; row?.text.includes("|") === true; row = lines[at + size]) {
    units.push(unitAt(row, pairs(titles, cellsOf(row.text)), "row"));
    size += 1;
  }
  return size;
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split("|")
    .map((cell) => cell.trim());
}

function pairs(titles: readonly string[], cells: readonly string[]): string {
  return cells
    .map((cell, at) => [titles[at] ?? "", cell])
    .filter(([, cell]) => cell !== "")
    .map(([title, cell]) => (title === "" ? cell : `${title}: ${cell}`))
    .join("; ");
}

function unitAt(line: Line, text: string, kind: Unit["kind"]): Unit {
  return { start: line.start, end: line.start + line.text.length, text, kind };
}

/** A line that gives a field its value. */
const field = /^[^\s:：|。！？!?；;*#>-][^:：|。！？!?；;]{0,24}[:：]\s?[^\s][^。！？；]{0,80}$/u;
const maxFields = 20;

/** Adds the fields that begin at this line, as one row or, where they are many, a row each; returns how many lines. */
function takeFields(lines: readonly Line[], at: number, units: Unit[]): number {
  const rows: Unit[] = [];
  for (let row = lines[at]; row !== undefined && field.test(row.text.trim());) {
    rows.push(unitAt(row, row.text.trim(), "row"));
    row = lines[at + rows.length];
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (rows.length < 2 || first === undefined || last === undefined) return 0;
  if (rows.length > maxFields) units.push(...rows);
  else {
    const text = rows.map((row) => row.text).join("\n");
    units.push({ start: first.start, end: last.end, text, kind: "row" });
  }
  return rows.length;
}

/** What stands before the words of a line: the mark of a list, a heading or a citation. */
const lead = /^[\s>]*(?:#{1,6}\s+|[-*+•·]\s+|\(?\d{1,2}[.)、）](?!\d)\s*)?(?:\[[ xX]\]\s+)?/;

/** Whether a line goes on in the next one. */
function goesOn(line: Line, next: Line | undefined): boolean {
  if (next === undefined || next.text.trim() === "" || lead.exec(next.text)?.[0].trim() !== "")
    return false;
  if (/^\s*#/.test(line.text) || line.text.length < 20) return false;
  const isOpen = /[,，、\p{Ll}]$/u.test(line.text.trimEnd());
  return isOpen && (/^\s*\p{Ll}/u.test(next.text) || /[,，、]\s*$/u.test(line.text));
}

function takeParagraph(lines: readonly Line[], at: number, text: string, units: Unit[]): number {
  const first = lines[at];
  let last = first;
  let size = 1;
  while (last !== undefined && goesOn(last, lines[at + size])) {
    last = lines[at + size];
    size += 1;
  }
  if (first === undefined || last === undefined) return 1;
  const leading = lead.exec(first.text)?.[0] ?? "";
  const start = first.start + leading.length;
  const paragraph = text.slice(start, last.start + last.text.length);
  let from = 0;
  for (const end of [...sentenceEnds(paragraph), paragraph.length]) {
    const piece = paragraph.slice(from, end);
    const words = piece.trim();
    const shift = start + from + (piece.length - piece.trimStart().length);
    if (words !== "")
      units.push({
        start: shift,
        end: shift + words.length,
        text: inOneLine(words),
        kind: "sentence",
        mark: markOf(leading),
      });
    from = end;
  }
  return size;
}

function inOneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
}

function markOf(leading: string): Unit["mark"] {
  if (leading.includes("#")) return "heading";
  return leading.trim() === "" ? undefined : "item";
}
