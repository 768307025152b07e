import type { Piece } from "./piece.js";
import { dayIn } from "./day.js";

/** The simple fields at the head of a Markdown file, between two lines of `---`; the line on which the rest begins. */
export function frontMatter(text: string): {
  readonly fields: Pick<Piece, "metadata" | "from" | "until">;
  readonly body: string;
  readonly line: number;
} {
  const head = /^---\n([^]*?)\n---(?:\n|$)/.exec(text);
  if (head === null) return { fields: { metadata: {} }, body: text, line: 1 };
  const entries = (head[1] ?? "").split("\n").flatMap((line) => {
    const [, name, value] = /^([\w-]+):\s*(\S.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, values: valuesOf(value) }];
  });
  const day = (name: string) =>
    dayIn(entries.find((entry) => entry.name === name)?.values[0] ?? "");
  const from = day("from");
  const until = day("until");
  const others = entries.filter(({ name }) => name !== "from" && name !== "until");
  const metadata = Object.fromEntries(others.map(({ name, values }) => [name, values]));
  return {
    fields: {
      metadata,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
    },
    body: text.slice(head[0].length),
    line: head[0].split("\n").length,
  };
}

/** One value, or those of a list in brackets. */
function valuesOf(text: string): readonly string[] {
  const list = /^\[(.*)\]$/.exec(text.trim());
  const values = list === null ? [text] : (list[1] ?? "").split(",");
  return values
    .map((value) => value.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((one) => one !== "");
}
