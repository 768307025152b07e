import { dayIn } from "./day.js";
import { packBlocks } from "./blocks.js";
import type { Piece, ReadOptions, SourceContent, SourceProblem } from "./piece.js";
import { type Column, filled, type SheetRow, type Table, tablesIn } from "./table.js";

/** A sheet. */
export type Sheet = { readonly name: string; readonly rows: readonly SheetRow[] };

/** Reads a sheet: questions and answers with their similar questions and days of validity, or a table row by row. */
export function readSheet({ name, rows }: Sheet, { maxChars }: ReadOptions): SourceContent {
  const tables = tablesIn(rows);
  const [first] = tables;
  if (first === undefined)
    return { pieces: [], problems: [{ problem: `${named(name)}it is empty` }] };
  if (tables.every(({ body }) => body.length === 0)) {
    return { pieces: [], problems: [nothingUnder(name, first.header)] };
  }
  const read = tables.map((table) => readTable(name, table));
  return {
    pieces: read.flatMap(({ pieces }) => pieces).flatMap((piece) => parted(piece, maxChars)),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function nothingUnder(sheet: string, header: SheetRow): SourceProblem {
  const titles = filled(header).map((title) => `"${title}"`);
  const problem = `${named(sheet)}row ${header.line} is read as its header (${titles.join(", ")}), and there is no row under it`;
  return { line: header.line, problem };
}

function readTable(sheet: string, table: Table): SourceContent {
  const { titles, columns, isQuestions, body } = table;
  const readRow = isQuestions ? answerRow : tableRow;
  const read = body.map((row) => readRow({ sheet, titles, columns, ...row }));
  return {
    pieces: read.flatMap(({ pieces }) => pieces),
    problems: [...notesOn(sheet, table), ...read.flatMap(({ problems }) => problems)],
  };
}

/** How a table is read, where that may not be what was meant. */
function notesOn(sheet: string, table: Table): readonly SourceProblem[] {
  const { header, second, isQuestions, body } = table;
  if (!isQuestions && body.length === 0) return [nothingUnder(sheet, header)];
  const notes = isQuestions ? untitled(sheet, table) : [{ problem: named(sheet) + tableNote }];
  if (second === undefined) return notes;
  const problem = `${named(sheet)}row ${second.line} is read as the second row of the header`;
  return [...notes, { line: second.line, problem }];
}

/** Cells beside questions and answers that have no title, such as the rest of an answer that has a separator in it. */
function untitled(sheet: string, { columns, body }: Table): readonly SourceProblem[] {
  const rows = body.flatMap(({ line, cells }) => {
    const cell = cells.find((one, at) => one.trim() !== "" && (columns[at]?.title ?? "") === "");
    return cell === undefined ? [] : [{ line, cell: cell.trim() }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const others = rows.length === 1 ? "" : ` (rows with such cells: ${rows.length})`;
  const problem = `${named(sheet)}row ${first.line}: "${first.cell}" has no title above it: it is left out${others}`;
  return [{ line: first.line, problem }];
}

const tableNote =
  'it is read as a table, row by row: no columns for a question ("question", "问题") and an answer ("answer", "答案")';

type Row = SheetRow & {
  readonly sheet: string;
  /** What stands above the table. */
  readonly titles: readonly string[];
  readonly columns: readonly Column[];
};

function named(sheet: string): string {
  return sheet === "" ? "" : `sheet "${sheet}": `;
}

/** A row of a table: one line for each column that has a value. */
function tableRow(row: Row): SourceContent {
  const { sheet, titles, columns: all, line, cells } = row;
  // A cell may stand where the header has none.
  const values = cells.flatMap((cell, at) => {
    const title = all[at]?.title ?? "";
    const value = cell.trim();
    return value === "" ? [] : [title === "" ? value : `${title}: ${value}`];
  });
  const title = cells.find((cell) => cell.trim() !== "")?.trim() ?? "";
  const path = [...(sheet === "" ? [] : [sheet]), ...titles, title];
  const { metadata, days, problems } = fieldsOf(row);
  return {
    pieces:
      days === undefined
        ? []
        : [{ path, text: values.join("\n"), line, questions: [], metadata, ...days }],
    problems,
  };
}

function answerRow(row: Row): SourceContent {
  const { sheet, titles, line } = row;
  const questions = [...new Set([...valuesOf(row, "question"), ...similarOf(row)])];
  const text = valuesOf(row, "answer").join("\n");
  const { metadata, days, problems } = fieldsOf(row);
  const where = `${named(sheet)}row ${line}`;
  const [question] = questions;
  if (question === undefined || text === "") {
    const lacking = question === undefined ? "question" : "answer";
    return { pieces: [], problems: [{ line, problem: `${where}: it has no ${lacking}` }] };
  }
  const path = [...(sheet === "" ? [] : [sheet]), ...titles, question];
  const pieces = days === undefined ? [] : [{ path, text, line, questions, metadata, ...days }];
  return { pieces, problems };
}

/** Similar questions stand in columns of their own, or several in one cell. */
function similarOf(row: Row): readonly string[] {
  const all = valuesOf(row, "similar").flatMap((cell) => cell.split(/[\n|；;]+/));
  return all.map((one) => one.trim()).filter((one) => one !== "");
}

function valuesOf({ columns: all, cells }: Row, kind: Column["kind"]): readonly string[] {
  return all.flatMap((column, at) => {
    const value = (cells[at] ?? "").trim();
    return column.kind === kind && value !== "" ? [value] : [];
  });
}

type Fields = {
  readonly metadata: Piece["metadata"];
  /** Undefined for a row of which nobody can say when it is valid. */
  readonly days: Pick<Piece, "from" | "until"> | undefined;
  readonly problems: readonly SourceProblem[];
};

function fieldsOf(row: Row): Fields {
  const { sheet, line } = row;
  const problems: SourceProblem[] = [];
  const problem = (text: string) =>
    problems.push({ line, problem: `${named(sheet)}row ${line}: ${text}` });
  const day = (kind: "from" | "until") => {
    const [value, other] = new Set(valuesOf(row, kind));
    if (other !== undefined)
      problem(`it has two days, "${value}" and "${other}": the row is left out`);
    const read = value === undefined ? undefined : dayIn(value);
    if (value !== undefined && read === undefined)
      problem(`"${value}" is no date; expected one such as 2026-11-24: the row is left out`);
    return read;
  };
  const from = day("from");
  const until = day("until");
  if (from !== undefined && until !== undefined && until < from)
    problem(`it ends (${until}) before it begins (${from}): the row is left out`);
  const days = problems.length > 0 ? undefined : { ...(from && { from }), ...(until && { until }) };
  return { metadata: metadataOf(row), days, problems };
}

/** Several columns may have one title. */
function metadataOf({ columns: all, cells }: Row): Piece["metadata"] {
  const metadata = new Map<string, readonly string[]>();
  for (const [at, { title, kind }] of all.entries()) {
    const value = (cells[at] ?? "").trim();
    const isField = kind === "other" && title !== "" && value !== "";
    if (isField) metadata.set(title, [...(metadata.get(title) ?? []), value]);
  }
  return Object.fromEntries(metadata);
}

/** A long cell is parted as a text is. */
function parted(piece: Piece, maxChars: number): readonly Piece[] {
  if (piece.text.length <= maxChars) return [piece];
  const block = { path: piece.path, line: piece.line, parts: piece.text.split("\n"), glue: "\n" };
  return packBlocks([block], maxChars).map(({ text }) => ({ ...piece, text }));
}
