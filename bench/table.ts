import { readFileSync, writeFileSync } from "node:fs";

import { format, resolveConfig } from "prettier";

/** A row of a table in Markdown. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A table in Markdown. */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => "---"), ...rows].map((cells) => tableRow(cells)).join("\n");
}

/** Puts a table into its place in a page: between `<!-- name -->` and `<!-- end of name -->`. */
export async function writeTable(page: string, name: string, table: string): Promise<void> {
  const file = new URL(page, import.meta.url);
  const text = readFileSync(file, "utf8");
  const marked = new RegExp(`(<!-- ${name} -->)[^]*(<!-- end of ${name} -->)`);
  const written = text.replace(marked, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`);
  const options = await resolveConfig(file);
  writeFileSync(file, await format(written, { ...options, parser: "markdown" }));
}
