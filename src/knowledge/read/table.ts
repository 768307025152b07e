import { dayIn } from "./day.js";

/** A row of cells as they are shown; `line` is that of the file, or the row of the sheet. */
export type SheetRow = { readonly line: number; readonly cells: readonly string[] };

/** A column, and what it is in a sheet of questions and answers. */
export type Column = { readonly title: string; readonly kind: ColumnKind };

/** A table in a sheet. */
export type Table = {
  /** What stands above it. */
  readonly titles: readonly string[];
  readonly header: SheetRow;
  /** The second row of its header, if it has one. */
  readonly second: SheetRow | undefined;
  readonly columns: readonly Column[];
  readonly isQuestions: boolean;
  readonly body: readonly SheetRow[];
};

const columnNames = {
  question: /^(?:questions?|q|问题|标准问题?|标准问法|问)$/i,
  similar: /^(?:similar(?: questions?)?|variants?|相似问(?:题|法)?|扩展问(?:题|法)?)\d*$/i,
  answer: /^(?:answers?|a|答案|标准答案|回答|回复|答)$/i,
  from: /^(?:(?:valid[ _-]?)?from|start(?: date)?|生效(?:日期|时间)?|开始(?:日期|时间)|有效期(?:起|自))$/i,
  until:
    /^(?:(?:valid[ _-]?)?(?:until|to)|end(?: date)?|expires?|失效(?:日期|时间)?|过期(?:日期|时间)?|截止(?:日期|时间)?|结束(?:日期|时间)|有效期(?:止|至))$/i,
} as const;

type ColumnKind = keyof typeof columnNames | "other";

const kinds: readonly ColumnKind[] = ["question", "similar", "answer", "from", "until"];

function kindOf(title: string): ColumnKind {
  const found = Object.entries(columnNames).find(([, pattern]) => pattern.test(title.trim()));
  return kinds.find((kind) => kind === found?.[0]) ?? "other";
}

function isQuestionsAnd(answers: readonly string[]): boolean {
  const all = answers.map(kindOf);
  return all.includes("question") && all.includes("answer");
}

/** Whether cells name a column for questions and one for answers. Single letters may be values of any table. */
export function isQuestionHeader(cells: readonly string[]): boolean {
  return isQuestionsAnd(cells.filter((cell) => cell.trim().length > 1));
}

/** The cells of a row that show something. */
export function filled({ cells }: Pick<SheetRow, "cells">): readonly string[] {
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
}

/** The tables of a sheet: one begins at each header of questions and answers, or there is one of the whole sheet. */
export function tablesIn(sheet: readonly SheetRow[]): readonly Table[] {
  const rows = sheet.filter((row) => filled(row).length > 0);
  const starts = rows.flatMap((row, at) => {
    const follows = at > 0 && isQuestionHeader(rows[at - 1]?.cells ?? []);
    return isQuestionHeader(row.cells) && !follows ? [at] : [];
  });
  const [first = rows.length] = starts;
  const above = rows.slice(0, first);
  const isTitles = above.every((row) => isNarrower(row, rows[first])) && above.length <= mostTitles;
  const own = isTitles ? [] : tableOf(...underTitles(above));
  const titles = isTitles ? above.flatMap(filled) : [];
  const others = starts.flatMap((start, at) => tableOf(titles, rows.slice(start, starts[at + 1])));
  return [...own, ...others];
}

const mostTitles = 5;

function isNarrower(row: SheetRow, header: SheetRow | undefined): boolean {
  return header !== undefined && filled(row).length < filled(header).length;
}

/** Rows without the titles above them, which are rows of one cell above wider ones. */
function underTitles(rows: readonly SheetRow[]): [readonly string[], readonly SheetRow[]] {
  const wide = rows.findIndex((row) => filled(row).length > 1);
  // What follows a header is as wide as it is; else the single cells are rows like others.
  const first = filled(rows[wide + 1] ?? { cells: [] }).length > 1 ? Math.max(0, wide) : 0;
  return [rows.slice(0, first).flatMap(filled), rows.slice(first)];
}

function tableOf(titles: readonly string[], rows: readonly SheetRow[]): readonly Table[] {
  const [header, next, ...rest] = rows;
  if (header === undefined) return [];
  const second = next !== undefined && isSecondRow(header.cells, next.cells) ? next : undefined;
  const under = next === undefined || second !== undefined ? rest : [next, ...rest];
  // A header is repeated where a page of the sheet ends.
  const body = under.filter((row) => !isSame(row, header));
  const names = second === undefined ? header.cells : joined(header.cells, second.cells);
  const isQuestions = isQuestionsAnd(names);
  const columns = names.map((title, at): Column => {
    const kind = kindOf(title);
    // "From" and "to" of other tables may be places or times.
    const hasDays = body.some(({ cells }) => dayIn(cells[at] ?? "") !== undefined);
    const isOther = !isQuestions && (kind === "from" || kind === "until") && !hasDays;
    return { title: title.trim(), kind: isOther ? "other" : kind };
  });
  return [{ titles, header, second, columns, isQuestions, body }];
}

function isSame(left: SheetRow, right: SheetRow): boolean {
  return filled(left).join("\0") === filled(right).join("\0");
}

/**
 * Whether a header goes on in the next row: with the same names in another language, or with the names of columns that
 * the first row only groups, while a title of both rows is in both, or stands above nothing.
 */
function isSecondRow(header: readonly string[], next: readonly string[]): boolean {
  if (isQuestionHeader(header) && isQuestionHeader(next)) return true;
  const fillsGap = next.some((cell, at) => at > 0 && cell.trim() !== "" && isEmpty(header[at]));
  const isShared =
    isEmpty(next[0]) || next.some((cell, at) => !isEmpty(cell) && cell === header[at]);
  return fillsGap && isShared && !next.some((cell) => /\d/.test(cell));
}

function isEmpty(cell: string | undefined): boolean {
  return (cell ?? "").trim() === "";
}

/** The titles of a header of two rows. A title of the first row reaches as far as the next one. */
function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  let group = "";
  return Array.from({ length: Math.max(first.length, second.length) }, (_column, at) => {
    const [above = "", below = ""] = [first[at]?.trim(), second[at]?.trim()];
    group = above === "" ? group : above;
    if (below === "") return above;
    return below === group || kindOf(below) !== "other" ? below : `${group} ${below}`.trim();
  });
}
