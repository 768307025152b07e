import type { CellObject } from "@e965/xlsx";

/** What the package's untyped formatter is used for. */
export type CellFormatter = {
  readonly is_date: (form: string) => boolean;
  readonly format: (form: string, value: number, options: { readonly date1904: boolean }) => string;
};

/** Why a cell is read as empty though it is not, if it is so. */
export function cellProblem(cell: CellObject | undefined): string | undefined {
  if (cell?.t === "e") return `it shows the error ${cell.w ?? ""}: read as empty`;
  return cell?.t === "z" && cell.f !== undefined
    ? "its formula has no value yet: read as empty; a spreadsheet program fills it in when it saves the file"
    : undefined;
}

/** A cell as it is shown, but a day so that everybody reads the same one, and a plain number with all of its digits. */
export function cellText(
  cell: CellObject | undefined,
  formatter: CellFormatter,
  date1904: boolean,
): string {
  if (cell?.v === undefined) return "";
  const shown = (cell.w ?? String(cell.v)).trim();
  if (typeof cell.v !== "number" || !Number.isFinite(cell.v)) return shown;
  const form = String(cell.z ?? "General");
  if (form === "General") return digitsOf(cell.v, shown);
  if (!formatter.is_date(form)) return shown;
  const day = dayForm(cell.v, form);
  return day === undefined ? shown : formatter.format(day, cell.v, { date1904 });
}

/** A spreadsheet calculates with 15 digits. What is not shown as a number is none, such as TRUE. */
function digitsOf(value: number, shown: string): string {
  return Number.isNaN(Number(shown)) ? shown : String(Number(value.toPrecision(15)));
}

/**
 * How a day is shown; undefined for times and durations, whose forms have no year or day outside of texts and colours.
 * Days are counted from 1: below stands a time alone.
 */
function dayForm(value: number, form: string): string | undefined {
  const letters = form.replaceAll(/"[^"]*"|\\.|\[[^[\]]*\]/g, "");
  if (!/[yd]/i.test(letters) || value <= 0) return undefined;
  if (value < 1) return "hh:mm";
  return Number.isInteger(value) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
}
