import { readFile } from "node:fs/promises";

import { z } from "zod";

import { optionalPackage, PlangraphError } from "../../errors.js";
import { errorLine } from "../../observe/redact.js";
import { decodeText } from "../read/decode.js";
import type { LabelledQuestion } from "./check.js";

const Rows = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);

/**
 * Reads labelled questions from a CSV file with the columns `question`, `source` and `text`; a row without source and
 * text has no answer. Throws `unreadable_file`, and `invalid_input` for a file without these columns.
 */
export async function readQuestions(file: string): Promise<readonly LabelledQuestion[]> {
  const { parse } = await optionalPackage(
    () => import("csv-parse/sync"),
    `${file}: CSV needs the package "csv-parse": npm install csv-parse.`,
  );
  const records: unknown = parse(await textOf(file), {
    columns: (names: string[]) => checkedColumns(names, file),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  return Rows.parse(records).map(({ record, info }) => {
    const { question = "", source = "", text = "" } = record;
    return {
      question: question.trim(),
      ...(source.trim() === "" ? {} : { source: source.trim() }),
      ...(text.trim() === "" ? {} : { text: text.trim() }),
      where: `${file}:${info.lines}`,
    };
  });
}

const known: ReadonlySet<string> = new Set(["question", "source", "text"]);

function checkedColumns(names: readonly string[], file: string): string[] {
  const columns = names.map((name) => name.trim().toLowerCase());
  const other = columns.find((name) => !known.has(name));
  if (columns.includes("question") && other === undefined) return columns;
  const came = columns.join(", ");
  throw new PlangraphError(
    "invalid_input",
    `${file}: expected the columns question, source and text, got ${came}.`,
  );
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const message = `The questions ${file}: ${errorLine(error)}`;
    throw new PlangraphError("unreadable_file", message, { cause: error });
  });
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new PlangraphError("unreadable_file", `The questions ${file}: it is no text.`);
}
