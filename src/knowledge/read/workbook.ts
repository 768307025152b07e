import type { CellObject, WorkBook, WorkSheet, XLSX$Utils } from "@e965/xlsx";

import { optionalPackage } from "../../errors.js";
import { type CellFormatter, cellProblem, cellText } from "./cell.js";
import { type Hidden, hiddenIn, hiddenInTables } from "./hidden.js";
import type { ReadOptions, SourceContent, SourceProblem } from "./piece.js";
import { readSheet, type Sheet } from "./sheet.js";

type Utils = Pick<XLSX$Utils, "decode_cell" | "encode_col">;

/** What the package's untyped reader of archives is used for. */
type Archives = {
  readonly read: (bytes: Buffer, options: { readonly type: "buffer" }) => unknown;
  readonly find: (archive: unknown, path: string) => { readonly content: Uint8Array } | null;
};

/** How files of Excel and OpenDocument begin. Anything else would be taken for a text. */
const beginnings = ["504b0304", "d0cf11e0"];

/** Reads a workbook: what is shown of every sheet, with its cells as a person sees them. */
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
  // Styles say which rows and columns are hidden.
  const book = xlsx.read(buffer, { cellNF: true, sheetStubs: true, cellStyles: true });
  const hidden = hiddenOf(book, buffer, xlsx.CFB);
  const shown = book.SheetNames.filter((name) => hidden.get(name)?.sheet !== true);
  const formatter: CellFormatter = xlsx.SSF;
  const date1904 = book.Workbook?.WBProps?.date1904 ?? false;
  const textOf = (cell: CellObject | undefined) => cellText(cell, formatter, date1904);
  const read = shown.map((name): SourceContent => {
    const { rows, problems } = cellsOf(
      book.Sheets[name] ?? {},
      hidden.get(name),
      xlsx.utils,
      textOf,
    );
    const inSheet = shown.length === 1 ? "" : name;
    const content = readSheet({ name: inSheet, rows }, options);
    return { ...content, problems: [...content.problems, ...problems.map(inPlace(inSheet))] };
  });
  const left = book.SheetNames.filter((name) => !shown.includes(name));
  return {
    pieces: read.flatMap(({ pieces }) => pieces),
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...left.map((name) => ({ problem: `sheet "${name}" is hidden: left out` })),
    ],
  };
}

function hiddenOf(book: WorkBook, buffer: Buffer, archives: Archives): ReadonlyMap<string, Hidden> {
  if (book.bookType === "ods") {
    const content = archives.find(archives.read(buffer, { type: "buffer" }), "/content.xml");
    return hiddenInTables(Buffer.from(content?.content ?? []).toString());
  }
  const sheets = book.Workbook?.Sheets ?? [];
  return new Map(
    book.SheetNames.map((name) => {
      const isHidden = sheets.some((sheet) => sheet.name === name && (sheet.Hidden ?? 0) !== 0);
      return [name, hiddenIn(book.Sheets[name] ?? {}, isHidden)];
    }),
  );
}

const inPlace = (sheet: string) => (problem: SourceProblem) =>
  sheet === "" ? problem : { ...problem, problem: `sheet "${sheet}": ${problem.problem}` };

type Cells = Pick<Sheet, "rows"> & { readonly problems: readonly SourceProblem[] };

/** The rows that show something. A sheet may be said to reach as far as a cell that only has a colour. */
function cellsOf(
  sheet: WorkSheet,
  hidden: Hidden | undefined,
  utils: Utils,
  textOf: (cell: CellObject | undefined) => string,
): Cells {
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
  const left = hidden === undefined ? [] : withoutHidden(shown, hidden, utils);
  const rows = [...shown].toSorted(([above], [below]) => above - below);
  return {
    rows: rows.map(([row, cells]) => ({ line: row + 1, cells: inColumns(cells) })),
    problems: [...problems, ...left],
  };
}

/** Drops what is hidden, and says what. What is merged with it may still be shown. */
function withoutHidden(shown: Shown, hidden: Hidden, utils: Utils): readonly SourceProblem[] {
  const rows = new Set<string>();
  const columns = new Set<string>();
  for (const [row, cells] of shown) {
    const all = [...cells.keys()];
    const dropped = hidden.row(row) ? all : all.filter((column) => hidden.column(column));
    if (hidden.row(row)) rows.add(String(row + 1));
    else for (const column of dropped) columns.add(utils.encode_col(column));
    for (const column of dropped) cells.delete(column);
    if (cells.size === 0) shown.delete(row);
  }
  return [...leftOut("row", rows), ...leftOut("column", columns)];
}

const mostNamed = 10;

function leftOut(what: string, places: ReadonlySet<string>): readonly SourceProblem[] {
  if (places.size === 0) return [];
  const named = [...places].slice(0, mostNamed).join(", ");
  const more = places.size > mostNamed ? `, … (${places.size})` : "";
  return [{ problem: `hidden and left out: ${what} ${named}${more}` }];
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
