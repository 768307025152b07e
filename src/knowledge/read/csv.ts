import { z } from "zod";

import { optionalPackage } from "../../errors.js";
import type { ReadOptions, SourceContent } from "./piece.js";
import { readSheet } from "./sheet.js";
import { isQuestionHeader } from "./table.js";

/** `lines` is the last line of a record. */
const Records = z.array(
  z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }),
);
type Records = z.infer<typeof Records>;

/** Reads values that are parted by a character: the one that the first line names (`sep=;`), or that fits best. */
export async function readCsv(text: string, options: ReadOptions): Promise<SourceContent> {
  const { parse } = await optionalPackage(
    () => import("csv-parse/sync"),
    `${options.name}: CSV needs the package "csv-parse": npm install csv-parse.`,
  );
  const [named = "", separator] = /^"?sep=([^\n])"?(?:\n|$)/i.exec(text) ?? [];
  const body = text.slice(named.length);
  const recordsIn = (delimiter: string, to = -1): Records => {
    // Typed by the package as if `info` were not set.
    const records: unknown = parse(body, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      to,
    });
    return Records.parse(records);
  };
  const before = named === "" ? 0 : 1;
  let line = before + 1;
  const rows = recordsIn(separator ?? separatorOf(recordsIn)).map(({ record, info }) => {
    const row = { line, cells: record };
    line = before + info.lines + 1;
    return row;
  });
  return readSheet({ name: "", rows }, options);
}

/** In the order in which a sentence is less likely to have them. The package's own guess takes no text but ASCII. */
const separators = ["\t", ";", ","];
const tried = 50;

/** The separator by which most of the first records are equally wide. A header that is known decides. */
function separatorOf(recordsIn: (separator: string, to: number) => Records): string {
  const fits = separators.map((separator) => {
    try {
      return { separator, fit: fitOf(recordsIn(separator, tried).map(({ record }) => record)) };
    } catch {
      // Quotes may be in order with another one.
      return { separator, fit: 0 };
    }
  });
  const most = Math.max(...fits.map(({ fit }) => fit));
  return most === 0 ? "," : (fits.find(({ fit }) => fit === most)?.separator ?? ",");
}

function fitOf(records: readonly (readonly string[])[]): number {
  if (records.some(isQuestionHeader)) return tried + 1;
  const widths = records.map((cells) => cells.length).filter((width) => width > 1);
  return Math.max(0, ...widths.map((width) => widths.filter((one) => one === width).length));
}
