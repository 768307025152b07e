import { tool } from "@langchain/core/tools";
import { convert, getMeasureKind, type Unit } from "convert";
import { z } from "zod";

import { withPolicy } from "../policy.js";

const maxFigures = 100;
const significantDigits = 6;

const schema = z.object({
  figures: z
    .array(
      z.object({
        name: z.string().describe("Whose figure it is."),
        figure: z.number(),
        unit: z.string().optional().describe("Only where the units differ, such as km and m."),
      }),
    )
    .min(2)
    .max(maxFigures),
  find: z.enum(["largest", "smallest"]).describe("Which one is asked for."),
});

type Given = z.infer<typeof schema>["figures"][number];

/** A figure in the unit in which all are compared. */
type Ranked = { readonly name: string; readonly figure: number };

/** What a comparison of figures comes to. */
type Comparison = {
  /** The name, or the names, that were asked for. */
  readonly found: string;
  readonly figure: number;
  /** The next one in order with another figure; null where all are equal. */
  readonly next: Ranked | null;
  /** How far the two figures are apart. */
  readonly difference: number;
  /** The larger of the two amounts divided by the smaller; null where their signs differ or one is 0. */
  readonly ratio: number | null;
  /** From the one that was asked for to the other end; equal ones in the order in which they were given. */
  readonly order: readonly Ranked[];
};

type Find = z.infer<typeof schema>["find"];

/** Compares figures: which is the largest or the smallest, and by how much. Throws for units of different kinds. */
export function compareFigures(figures: readonly Given[], find: Find): Comparison {
  const sign = find === "largest" ? 1 : -1;
  const order = inOneUnit(figures).toSorted((one, other) => sign * (other.figure - one.figure));
  const [first] = order;
  if (first === undefined) throw new Error("There are no figures.");
  const next = order.find(({ figure }) => figure !== first.figure) ?? null;
  const other = next?.figure ?? first.figure;
  return {
    found: namesOf(order, first.figure),
    figure: first.figure,
    next,
    difference: rounded(Math.abs(first.figure - other), 12),
    ratio: ratioOf(first.figure, other),
    order,
  };
}

function ratioOf(one: number, other: number): number | null {
  if (one * other <= 0) return null;
  const amounts = [Math.abs(one), Math.abs(other)];
  return rounded(Math.max(...amounts) / Math.min(...amounts), significantDigits);
}

/** The names of all that have this figure. */
function namesOf(order: readonly Ranked[], wanted: number): string {
  return order
    .filter(({ figure }) => figure === wanted)
    .map(({ name }) => name)
    .join(" and ");
}

/** The figures in the unit of the first one. */
function inOneUnit(figures: readonly Given[]): readonly Ranked[] {
  const [first] = figures;
  const wanted = unitOf(first);
  return figures.map((given) => {
    const { name, figure } = given;
    const unit = unitOf(given);
    if (unit === wanted) return { name, figure };
    if (isUnit(unit) && isUnit(wanted) && getMeasureKind(unit) === getMeasureKind(wanted)) {
      return { name, figure: rounded(convert(figure, unit).to(wanted), 12) };
    }
    throw new Error(
      `${first?.name} is in ${wanted || "no unit"}, ${name} in ${unit || "no unit"}: they cannot be compared. Give all figures in one unit.`,
    );
  });
}

function unitOf(given: Given | undefined): string {
  return given?.unit?.trim() ?? "";
}

function isUnit(text: string): text is Unit {
  return getMeasureKind(text) !== undefined;
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** What a comparison says; `isInYears`: the figures are years, such as those of birth. */
function comparisonText(
  { found, figure, next, difference, order }: Comparison,
  find: Find,
  isInYears: boolean,
): string {
  if (next === null) return `They are equal: ${found}, ${figure}.`;
  const than = find === "largest" ? "more" : "less";
  const listed = order.map((one) => `${one.name} ${one.figure}`).join(", ");
  const rank = order.length > 2 ? ` From there: ${listed}.` : "";
  const said = `${found} has the ${find}: ${figure}. That is ${difference} ${than} than ${next.name} with ${next.figure}.${rank}`;
  const years = yearsText(order);
  if (years === "") return said;
  return isInYears ? `${years} ${said}` : `${said} If these are years: ${years}`;
}

/** Which is older, where the figures look like years: small models take the larger year for the older one. */
function yearsText(order: readonly Ranked[]): string {
  if (!order.every(({ figure }) => Number.isInteger(figure) && figure >= 1000 && figure <= 2100)) {
    return "";
  }
  const figures = order.map(({ figure }) => figure);
  const [earliest, latest] = [Math.min(...figures), Math.max(...figures)].map(
    (year) => `${namesOf(order, year)} (${year})`,
  );
  return `${earliest} is the oldest, ${latest} the youngest.`;
}

/**
 * Compares figures by name, so that no model has to: which is the largest or the smallest, by how much, and their order.
 * Figures in units that convert, such as km and m, are compared in the first one's. Its structured result has `found`,
 * `figure`, `next`, `difference`, `ratio` and `order`.
 */
export const compare = withPolicy(
  tool(
    ({ figures, find }: z.infer<typeof schema>): [string, Comparison] => {
      const comparison = compareFigures(figures, find);
      const isInYears = figures.every((given) => unitOf(given) === "year");
      return [comparisonText(comparison, find, isInYears), comparison];
    },
    {
      name: "compare",
      description:
        "Finds the largest or the smallest of two or more figures, and by how much. What is older has the smaller year. " +
        "Fields of its result: found (the name), figure, difference, ratio.",
      schema,
      responseFormat: "content_and_artifact",
    },
  ),
  { effect: "read" },
);
