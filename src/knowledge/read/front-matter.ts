import type { Piece, SourceProblem } from "./piece.js";
import { dayIn } from "./day.js";

/** What stands at the head of a Markdown file. */
type FrontMatter = {
  readonly fields: Pick<Piece, "metadata" | "from" | "until">;
  readonly problems: readonly SourceProblem[];
  /** Nobody can say when the text is valid: it must not be read. */
  readonly isUndated: boolean;
  readonly body: string;
  /** The line on which the rest begins. */
  readonly line: number;
};

const field = /^([\p{L}\p{N}_-]+):(?:\s+(\S.*))?$/u;
const isRest = (line: string) => line.trim() === "" || /^(?:\s|#|-\s)/.test(line);

/** The simple fields at the head of a Markdown file, between two lines of `---`. Anything else there is text. */
export function frontMatter(text: string): FrontMatter {
  const head = /^---\n([^]*?)\n---(?:\n|$)/.exec(text);
  const lines = (head?.[1] ?? "").split("\n");
  const isOne = field.test(lines[0] ?? "") && lines.every((one) => field.test(one) || isRest(one));
  if (head === null || !isOne) {
    return { fields: { metadata: {} }, problems: [], isUndated: false, body: text, line: 1 };
  }
  const read = fieldsIn(lines);
  return { ...read, body: text.slice(head[0].length), line: head[0].split("\n").length };
}

function fieldsIn(lines: readonly string[]): Omit<FrontMatter, "body" | "line"> {
  const entries = lines.flatMap((line, at) => {
    const [, name, value] = field.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value: value ?? "", line: at + 2 }];
  });
  const problems: SourceProblem[] = [];
  const day = (key: "from" | "until") => {
    const entry = entries.find(({ name, value }) => name === key && value !== "");
    if (entry === undefined) return undefined;
    const read = dayIn(valuesOf(entry.value)[0] ?? "");
    if (read === undefined) {
      const told = `"${entry.value}" is no date; expected one such as 2026-11-24: the document is left out`;
      problems.push({ line: entry.line, problem: told });
    }
    return read;
  };
  const from = day("from");
  const until = day("until");
  if (from !== undefined && until !== undefined && until < from) {
    const told = `it ends (${until}) before it begins (${from}): the document is left out`;
    problems.push({ line: 1, problem: told });
  }
  const isUndated = problems.length > 0;
  const others = entries.filter(({ name }) => name !== "from" && name !== "until");
  for (const { name, line } of others.filter(({ value }) => value === "")) {
    problems.push({ line, problem: `"${name}" has no value in its line: it is not read` });
  }
  const named = others.filter(({ value }) => value !== "");
  const metadata = Object.fromEntries(named.map(({ name, value }) => [name, valuesOf(value)]));
  return {
    fields: { metadata, ...(from && { from }), ...(until && { until }) },
    problems,
    isUndated,
  };
}

/** One value, or those of a list in brackets; without a comment behind it. */
function valuesOf(text: string): readonly string[] {
  const told = (text.split(/\s#/)[0] ?? "").trim();
  const list = /^\[(.*)\]$/.exec(told);
  const values = list === null ? [told] : (list[1] ?? "").split(",");
  return values
    .map((value) => value.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((one) => one !== "");
}
