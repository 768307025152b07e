// A question about the town, with the steps of a good plan. The figures come from a town: see ../solved.ts.

/** One step: a look-up, a calculation or a comparison. "{{E1}}" stands for what the first step found. */
export type Step =
  | { readonly do: "look"; readonly name: string; readonly fact: string }
  | {
      readonly do: "year";
      readonly name: string;
      readonly year: number;
      readonly figure: string;
    }
  | { readonly do: "calculate"; readonly expression: string; readonly what: string }
  | {
      readonly do: "compare";
      /** By the name of what has each; a name may be a result, too. */
      readonly figures: { readonly [name: string]: string };
      readonly take: "largest" | "smallest";
    };

export type Question = {
  readonly id: string;
  /** What it takes; `long` is what takes more than five steps. */
  readonly tag: "look-up" | "sum" | "growth" | "ratio" | "comparison" | "chain" | "long";
  readonly ask: string;
  readonly steps: readonly Step[];
  readonly unit?: string;
  /** What is said of the one that a comparison takes, and of the other. */
  readonly words?: readonly [of: string, other: string];
};

export const look = (name: string, fact: string): Step => ({ do: "look", name, fact });
export const year = (name: string, of: number, figure: string): Step => ({
  do: "year",
  name,
  year: of,
  figure,
});
export const calculate = (what: string, expression: string): Step => ({
  do: "calculate",
  expression,
  what,
});
export const compare = (
  take: "largest" | "smallest",
  figures: { readonly [name: string]: string },
): Step => ({ do: "compare", figures, take });
