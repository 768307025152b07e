import type { Figure } from "./figure.js";
import { hidden } from "./masked.js";
import { placedFigures } from "./read-figures.js";

/** The figures of a text, each with its words there and a value that is equal for all ways to write it. */
export function figuresIn(
  text: string,
): readonly { readonly text: string; readonly value: string }[] {
  return placedFigures(text).map(({ start, end, number, unit }) => ({
    text: text.slice(start, end).trim(),
    value: unit === undefined || /^(?:date|time|ratio)$/.test(unit) ? number : `${number} ${unit}`,
  }));
}

/** The figures of a sentence that stand nowhere in the grounds, as they are written in the sentence. */
export function ungroundedFigures(sentence: string, grounds: readonly string[]): readonly string[] {
  const known = grounds.flatMap((ground) => placedFigures(ground));
  return missingFigures(sentence, placedFigures(sentence), known);
}

/** The same, of figures that are read already. */
export function missingFigures(
  sentence: string,
  figures: readonly Figure[],
  known: readonly Figure[],
): readonly string[] {
  const years = new Set(known.map(({ number }) => number.slice(0, 4)));
  const missing = figures.filter((figure) => !known.some((one) => isSame(figure, one, years)));
  return [...new Set(missing.map(({ start, end }) => sentence.slice(start, end).trim()))];
}

/** Whether a figure says the same as a known one; without a unit on one side the number decides. */
export function isSameFigure(figure: Figure, known: Figure): boolean {
  return isSame(figure, known, new Set([known.number.slice(0, 4)]));
}

function isSame(figure: Figure, known: Figure, years: ReadonlySet<string>): boolean {
  const isUnit =
    figure.unit === known.unit || figure.unit === undefined || known.unit === undefined;
  if (!isUnit) return false;
  if (figure.number === known.number) return true;
  if (figure.unit === "date" && known.unit === "date") return isPartOf(figure, known, years);
  const [one, other] = [figure.also, known.also];
  return (
    one === known.number || (other !== undefined && (other === figure.number || other === one))
  );
}

/** Whether a date leaves parts of a known one out, or adds a year that is known. */
function isPartOf(date: Figure, known: Figure, years: ReadonlySet<string>): boolean {
  const [short, long] = [date.number, known.number];
  if (long.startsWith(`${short}-`) || long.endsWith(`-${short}`)) return true;
  return short.endsWith(`-${long}`) && years.has(short.slice(0, 4));
}

/** The text with its figures hidden. */
export function withoutFigures(text: string, figures: readonly Figure[]): string {
  let from = 0;
  const parts: string[] = [];
  for (const { start, end } of figures) {
    if (start < from) continue;
    parts.push(text.slice(from, start), hidden.repeat(end - start));
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}
