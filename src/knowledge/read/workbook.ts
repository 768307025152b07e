import type { CellObject, WorkSheet, XLSX$Utils } from "@e965/xlsx";

import { optionalPackage } from "../../errors.js";
import { type CellFormatter, cellProblem, cellText } from "./cell.js";
import type { ReadOptions, SourceContent, SourceProblem } from "./piece.js";
import { readSheet, type Sheet } from "./sheet.js";

type Utils = Pick<XLSX$Utils, "decode_cell">;

/** How files of Excel and OpenDocument begin. Anything else would be taken for a text. */
const beginnings = ["504b0304", "d0cf11e0"];

/** Reads a workbook: every sheet that is shown, with its cells as a person sees them. */
export async function readWorkbook(
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<SourceContent> {
  const xlsx = await optionalPackage(
    () => import("@e965/xlsx"),
    `${options.name}: a workbook needs the package "@e965/xlsx": npm install @e965/xlsx.`,
  );
  const buffer = Buffer.from(bytes);
  if (!beginnings.includes(buffer.toString("hex", 0, 4))) throw new Error("it is no workbook");
  const book = xlsx.read(buffer, { cellNF: true, sheetStubs: true });
  const hidden = new Set(
    (book.Workbook?.Sheets ?? [])
      .filter((sheet) => (sheet.Hidden ?? 0) !== 0)
      .map(({ name = "" }) => name),
  );
  const shown = book.SheetNames.filter((name) => !hidden.has(name));
  const formatter: CellFormatter = xlsx.SSF;
  const date1904 = book.Workbook?.WBProps?.date1904 ?? false;
  const textOf = (cell: CellObject | undefined) => cellText(cell, formatter, date1904);
  const read = shown.map((name): SourceContent => {
    const { rows, problems } = cellsOf(book.Sheets[name] ?? {}, xlsx.utils, textOf);
    const inSheet = shown.length === 1 ? "" : name;
    const content = readSheet({ name: inSheet, rows }, options);
    return { ...content, problems: [...content.problems, ...problems.map(inPlace(inSheet))] };
  });
  const left = [...hidden].map((name) => ({ problem: `sheet "${name}" is hidden: left out` }));
  return {
    pieces: read.flatMap(({ pieces }) => pieces),
    problems: [...read.flatMap(({ problems }) => problems), ...left],
  };
}

const inPlace = (sheet: string) => (problem: SourceProblem) =>
  sheet === "" ? problem : { ...problem, problem: `sheet "${sheet}": ${problem.problem}` };

/** The rows that show something. A sheet may be said to reach as far as a cell that only has a colour. */
function cellsOf(
  sheet: WorkSheet,
  utils: Utils,
  textOf: (cell: CellObject | undefined) => string,
): Pick<Sheet, "rows"> & { readonly problems: readonly SourceProblem[] } {
  const problems: SourceProblem[] = [];
  const shown: Shown = new Map();
  for (const place of Object.keys(sheet).filter((name) => !name.startsWith("!"))) {
    const cell: CellObject | undefined = sheet[place];
    const { r: row, c: column } = utils.decode_cell(place);
    const problem = cellProblem(cell);
    if (problem !== undefined) problems.push({ line: row + 1, problem: `${place}: ${problem}` });
    const text = problem === undefined ? textOf(cell) : "";
    if (text === "") continue;
    shown.set(row, (shown.get(row) ?? new Map<number, string>()).set(column, text));
  }
  shareMerged(sheet, shown);
  const rows = [...shown].toSorted(([left], [right]) => left - right);
  return {
    rows: rows.map(([row, cells]) => ({ line: row + 1, cells: inColumns(cells) })),
    problems,
  };
}

type Shown = Map<number, Map<number, string>>;

/** A value that several rows share is that of each. One that is merged across columns is a title. */
function shareMerged(sheet: WorkSheet, shown: Shown): void {
  for (const { s: from, e: to } of sheet["!merges"] ?? []) {
    const value = shown.get(from.r)?.get(from.c) ?? "";
    for (const [row, cells] of shown) {
      if (row > from.r && row <= to.r) cells.set(from.c, value);
    }
  }
}

function inColumns(cells: ReadonlyMap<number, string>): readonly string[] {
  const last = Math.max(...cells.keys());
  return Array.from({ length: last + 1 }, (_column, column) => cells.get(column) ?? "");
}
