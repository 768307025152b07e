import type { WorkSheet } from "@e965/xlsx";

/** What of a sheet is hidden: all of it, rows and columns, counted from 0. */
export type Hidden = {
  readonly sheet: boolean;
  readonly row: (at: number) => boolean;
  readonly column: (at: number) => boolean;
};

/** What a sheet of Excel hides. */
export function hiddenIn(sheet: WorkSheet, isHidden: boolean): Hidden {
  return {
    sheet: isHidden,
    row: (at) => sheet["!rows"]?.[at]?.hidden === true,
    column: (at) => sheet["!cols"]?.[at]?.hidden === true,
  };
}

type Span = { readonly from: number; readonly to: number };
type Table = {
  sheet: boolean;
  name: string;
  rows: Span[];
  row: number;
  columns: Span[];
  column: number;
};

/** What the sheets of an OpenDocument hide, by name, from its XML: the package reads it for Excel alone. */
export function hiddenInTables(content: string): ReadonlyMap<string, Hidden> {
  const styles = hidingStyles(content);
  const tables: Table[] = [];
  const elements = /<table:(table|table-row|table-column)(?=[\s/>])([^<>]*)>/g;
  for (const [, element, attributes = ""] of content.matchAll(elements)) {
    const table = tables.at(-1);
    if (element === "table") tables.push(tableOf(attributes, styles));
    else if (table !== undefined && element === "table-row") {
      table.row = spread(attributes, "rows", table.row, table.rows);
    } else if (table !== undefined) {
      table.column = spread(attributes, "columns", table.column, table.columns);
    }
  }
  return new Map(
    tables.map(({ name, sheet, rows, columns }) => [
      name,
      { sheet, row: among(rows), column: among(columns) },
    ]),
  );
}

const among = (spans: readonly Span[]) => (at: number) =>
  spans.some(({ from, to }) => from <= at && at < to);

function tableOf(attributes: string, styles: ReadonlySet<string>): Table {
  const sheet = styles.has(valueOf(attributes, "table:style-name"));
  const name = valueOf(attributes, "table:name");
  return { sheet, name, rows: [], row: 0, columns: [], column: 0 };
}

/** Adds rows or columns to what is hidden, if they are; where the next ones begin. */
function spread(attributes: string, what: "rows" | "columns", from: number, spans: Span[]): number {
  const to = from + Math.max(1, Number(valueOf(attributes, `table:number-${what}-repeated`)) || 1);
  if (/^(?:collapse|filter)$/.test(valueOf(attributes, "table:visibility")))
    spans.push({ from, to });
  return to;
}

function hidingStyles(content: string): ReadonlySet<string> {
  const styles = /<style:style\b([^<>]*)>\s*<style:table-properties\b([^<>]*)>/g;
  const hiding = [...content.matchAll(styles)].filter(
    ([, , properties = ""]) => valueOf(properties, "table:display") === "false",
  );
  return new Set(hiding.map(([, attributes = ""]) => valueOf(attributes, "style:name")));
}

const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

function valueOf(attributes: string, name: string): string {
  const value = attributes.split(` ${name}="`)[1]?.split('"', 1)[0] ?? "";
  return Object.entries(entities).reduce((text, [from, to]) => text.replaceAll(from, to), value);
}
