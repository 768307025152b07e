import { appendFile, readFile } from "node:fs/promises";

import { PlangraphError } from "../errors.js";
import { parsedJson } from "../json/json.js";
import { errorLine } from "../observe/redact.js";
import { Cell } from "./cell.js";

/**
 * The cells in a file of results, the last of each run; none for a file that is not there. A line that a killed process
 * left torn is left out. Throws `unreadable_file` for a file that cannot be read, and for one with something else in it.
 */
export async function readResults(file: string): Promise<Cell[]> {
  const lines = (await textOf(file)).split("\n").filter((line) => line.trim() !== "");
  const cells = lines.flatMap((line) => Cell.safeParse(parsedJson(line)).data ?? []);
  if (cells.length === 0 && lines.length > 1) {
    const message = `${file}: expected results of an evaluation, one JSON object a line, got something else. Name another file, or none that is there.`;
    throw new PlangraphError("unreadable_file", message);
  }
  return [...new Map(cells.map((cell) => [cell.runKey, cell])).values()];
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    if (code === "ENOENT") return "";
    const message = `${file}: it cannot be read: ${errorLine(error)}`;
    throw new PlangraphError("unreadable_file", message, { cause: error });
  }
}

/** Adds cells to a file of results, one after another. */
export class ResultsFile {
  readonly #file: string;
  #last: Promise<void> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Writes a cell. */
  add(cell: Cell): Promise<void> {
    this.#last = this.#after(this.#last ?? endLine(this.#file), `${JSON.stringify(cell)}\n`);
    return this.#last;
  }

  async #after(last: Promise<void>, line: string): Promise<void> {
    await last;
    await appendFile(this.#file, line);
  }
}

/** Ends the line that a killed process left torn, so that it costs no other. */
async function endLine(file: string): Promise<void> {
  const text = await textOf(file);
  if (text !== "" && !text.endsWith("\n")) await appendFile(file, "\n");
}
