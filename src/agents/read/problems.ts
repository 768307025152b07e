import { PlangraphError } from "../../errors.js";
import type { PlacedData } from "../../files/data-places.js";

/** Something wrong in an agent file. */
export type Problem = {
  readonly file: string;
  /** Where it stands in the file's data. */
  readonly path: readonly PropertyKey[];
  /** What was expected, and what came. */
  readonly message: string;
  readonly place?: { readonly line: number; readonly column: number } | undefined;
};

/** Collects the problems of one file. */
export class Problems {
  readonly all: Problem[] = [];
  readonly #file: string;
  readonly #placeOf: PlacedData["placeOf"];

  constructor(file: string, placeOf: PlacedData["placeOf"]) {
    this.#file = file;
    this.#placeOf = placeOf;
  }

  add(path: readonly PropertyKey[], message: string): void {
    this.all.push({ file: this.#file, path, message, place: this.#placeOf(path) });
  }

  /** Does work that belongs to a place of the file. What it throws about the file's content is a problem there. */
  async at<Result>(
    path: readonly PropertyKey[],
    work: () => Promise<Result> | Result,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PlangraphError)) throw error;
      this.add(path, error.message);
      return undefined;
    }
  }
}

/** A problem in one line: `agents/refunds.yaml:6:9 limits.secnds: there is no such field (did you mean seconds?)`. */
export function problemLine({ file, path, message, place }: Problem): string {
  const where = place === undefined ? file : `${file}:${place.line}:${place.column}`;
  const name = path.map(String).join(".");
  return `${where} ${name === "" ? "" : `${name}: `}${message}`;
}

/** The error for agent files that cannot be used: all their problems, each on its line. */
export function invalidAgent(problems: readonly Problem[]): PlangraphError {
  const [first] = problems;
  const files = new Set(problems.map(({ file }) => file)).size;
  const count = problems.length === 1 ? "one problem" : `${problems.length} problems`;
  const what = files === 1 ? (first?.file ?? "The agent") : `${files} agent files`;
  const verb = files === 1 ? "has" : "have";
  return new PlangraphError(
    "invalid_agent",
    `${what} ${verb} ${count}:\n${problems.map((one) => `- ${problemLine(one)}`).join("\n")}`,
  );
}
