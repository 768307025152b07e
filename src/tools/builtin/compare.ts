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
});

type Given = z.infer<typeof schema>["figures"][number];

/** A figure in the unit in which all are compared. */
type Ranked = { readonly name: string; readonly figure: number };

/** What a comparison of figures comes to. */
type Comparison = {
  /** From the largest to the smallest; equal ones in the order in which they were given. */
  readonly order: readonly Ranked[];
  readonly largest: string;
  readonly smallest: string;
  /** The largest less the smallest. */
  readonly difference: number;
  /** The largest divided by the smallest; null where the smallest is 0 or their signs differ. */
  readonly ratio: number | null;
};

/** Compares figures: their order, the largest, the smallest, difference and ratio. Throws for units of different kinds. */
export function compareFigures(figures: readonly Given[]): Comparison {
  const order = inOneUnit(figures).toSorted((one, other) => other.figure - one.figure);
  const [first, last] = [order[0], order.at(-1)];
  if (first === undefined || last === undefined) throw new Error("There are no figures.");
  const isRatio = first.figure * last.figure > 0;
  return {
    order,
    largest: namesOf(order, first.figure),
    smallest: namesOf(order, last.figure),
    difference: rounded(first.figure - last.figure, 12),
    ratio: isRatio ? rounded(first.figure / last.figure, significantDigits) : null,
  };
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

function comparisonText({ order, largest, smallest, difference, ratio }: Comparison): string {
  const [first, last] = [order[0]?.figure, order.at(-1)?.figure];
  if (difference === 0) return `All are equal: ${largest}, ${first}.`;
  const listed = order.map(({ name, figure }) => `${name} ${figure}`).join(", ");
  return [
    `Largest: ${largest}, ${first}. Smallest: ${smallest}, ${last}.`,
    `${largest} has ${difference} more than ${smallest}.`,
    ...(ratio === null ? [] : [`${largest} has ${ratio} times as much as ${smallest}.`]),
    ...(order.length > 2 ? [`From the largest to the smallest: ${listed}.`] : []),
  ].join(" ");
}

/**
 * Compares figures by name, so that no model has to: which is the largest and the smallest, by how much, and their
 * order. Figures in units that convert, such as km and m, are compared in the first one's. Its structured result has
 * `order`, `largest`, `smallest`, `difference` and `ratio`.
 */
export const compare = withPolicy(
  tool(
    ({ figures }: z.infer<typeof schema>): [string, Comparison] => {
      const comparison = compareFigures(figures);
      return [comparisonText(comparison), comparison];
    },
    {
      name: "compare",
      description:
        "Compares two or more figures: says which is the largest and which the smallest, by how much, and how they rank. " +
        "A result of it has the fields largest, smallest, difference, ratio and order.",
      schema,
      responseFormat: "content_and_artifact",
    },
  ),
  { effect: "read" },
);
