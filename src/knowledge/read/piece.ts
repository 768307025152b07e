/** A part of a source that is found and shown as a whole. */
export type Piece = {
  /** The headings above it, the outermost first; the sheet and the question of a row. */
  readonly path: readonly string[];
  readonly text: string;
  /** Where it begins: the line of a text, the row of a sheet, the page of a PDF; 1 is the first. */
  readonly line: number;
  /** The questions that it answers, if it says so itself. */
  readonly questions: readonly string[];
  /** What it can be filtered by. */
  readonly metadata: Metadata;
  /** The first and last day on which it is valid, as `YYYY-MM-DD`. */
  readonly from?: string;
  readonly until?: string;
};

/** What a piece can be filtered by: names, each with one or more values. */
export type Metadata = Readonly<Record<string, readonly string[]>>;

/** Something in a source that was left out, or may not be what was meant. */
export type SourceProblem = { readonly line?: number; readonly problem: string };

/** What a source says. */
export type SourceContent = {
  readonly pieces: readonly Piece[];
  readonly problems: readonly SourceProblem[];
};

/** How a source is read: its name, and the size of its pieces. */
export type ReadOptions = { readonly name: string; readonly maxChars: number };
