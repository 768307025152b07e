import { dayIn } from "./day.js";
import { packBlocks } from "./blocks.js";
import type { Piece, ReadOptions, SourceContent, SourceProblem } from "./piece.js";

/** A sheet of cells as they are shown; `line` is that of the file, or the row of the sheet. */
export type Sheet = {
  readonly name: string;
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
};

/** What a column of a sheet of questions and answers is, by its header. */
const columnNames = {
  question: /^(?:questions?|q|问题|标准问题?|标准问法|问)$/i,
  similar: /^(?:similar(?: questions?)?|variants?|相似问(?:题|法)?|扩展问(?:题|法)?)\d*$/i,
  answer: /^(?:answers?|a|答案|标准答案|回答|回复|答)$/i,
  from: /^(?:(?:valid[ _-]?)?from|start(?: date)?|生效(?:日期|时间)?|开始(?:日期|时间)|有效期(?:起|自))$/i,
  until:
    /^(?:(?:valid[ _-]?)?(?:until|to)|end(?: date)?|expires?|失效(?:日期|时间)?|过期(?:日期|时间)?|截止(?:日期|时间)?|结束(?:日期|时间)|有效期(?:止|至))$/i,
} as const;

type ColumnKind = keyof typeof columnNames | "other";

/** Reads a sheet: questions and answers with their similar questions and days of validity, or a table row by row. */
export function readSheet({ name, rows }: Sheet, { maxChars }: ReadOptions): SourceContent {
  const { titles, table } = underTitles(rows);
  const [header, ...body] = table;
  if (header === undefined)
    return { pieces: [], problems: [{ problem: `${named(name)}it is empty` }] };
  const kinds = new Set(header.cells.map(kindOf));
  const isQuestions = kinds.has("question") && kinds.has("answer");
  // "From" and "to" of other tables may be places or times.
  const hasDays = (at: number) => body.some(({ cells }) => dayIn(cells[at] ?? "") !== undefined);
  const columns = header.cells.map((title, at): Column => {
    const kind = kindOf(title);
    const isOther = !isQuestions && (kind === "from" || kind === "until") && !hasDays(at);
    return { title: title.trim(), kind: isOther ? "other" : kind };
  });
  const read = body.map(({ line, cells }) =>
    (isQuestions ? answerRow : tableRow)({ sheet: name, titles, columns, line, cells }),
  );
  const note = isQuestions || body.length === 0 ? [] : [{ problem: `${named(name)}${tableNote}` }];
  return {
    pieces: read.flatMap(({ pieces }) => pieces).flatMap((piece) => parted(piece, maxChars)),
    problems: [...note, ...read.flatMap(({ problems }) => problems)],
  };
}

const tableNote =
  'it is read as a table, row by row: no columns for a question ("question", "问题") and an answer ("answer", "答案")';

type Column = { readonly title: string; readonly kind: ColumnKind };
type Row = {
  readonly sheet: string;
  /** What stands above the table. */
  readonly titles: readonly string[];
  readonly columns: readonly Column[];
  readonly line: number;
  readonly cells: readonly string[];
};

function named(sheet: string): string {
  return sheet === "" ? "" : `sheet "${sheet}": `;
}

function kindOf(title: string): ColumnKind {
  const found = Object.entries(columnNames).find(([, pattern]) => pattern.test(title.trim()));
  return columns.find((kind) => kind === found?.[0]) ?? "other";
}

const columns: readonly ColumnKind[] = ["question", "similar", "answer", "from", "until"];

/** The table of a sheet without empty rows and titles, which are rows of one cell above wider ones. */
function underTitles(rows: Sheet["rows"]) {
  const all = rows.filter((row) => filled(row).length > 0);
  const wide = all.findIndex((row) => filled(row).length > 1);
  // What follows a header is as wide as it is; else the single cells are rows like others.
  const first = filled(all[wide + 1] ?? { line: 0, cells: [] }).length > 1 ? wide : 0;
  return {
    titles: all.slice(0, Math.max(0, first)).flatMap(filled),
    table: all.slice(Math.max(0, first)),
  };
}

function filled({ cells }: Sheet["rows"][number]): readonly string[] {
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
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
  const questions = [...valuesOf(row, "question").slice(0, 1), ...similarOf(row)];
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

function valuesOf({ columns: all, cells }: Row, kind: ColumnKind): readonly string[] {
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
  const { sheet, line, columns: all, cells } = row;
  const others = all.flatMap(({ title, kind }, at) => {
    const value = (cells[at] ?? "").trim();
    return kind === "other" && title !== "" && value !== "" ? [[title, [value]] as const] : [];
  });
  const problems: SourceProblem[] = [];
  const problem = (text: string) =>
    problems.push({ line, problem: `${named(sheet)}row ${line}: ${text}` });
  const day = (kind: "from" | "until") => {
    const [value] = valuesOf(row, kind);
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
  return { metadata: Object.fromEntries(others), days, problems };
}

/** A long cell is parted as a text is. */
function parted(piece: Piece, maxChars: number): readonly Piece[] {
  if (piece.text.length <= maxChars) return [piece];
  const block = { path: piece.path, line: piece.line, parts: piece.text.split("\n"), glue: "\n" };
  return packBlocks([block], maxChars).map(({ text }) => ({ ...piece, text }));
}
