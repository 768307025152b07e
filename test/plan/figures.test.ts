import { expect, it } from "vitest";

import { figuresIn } from "../../src/plan/figures.js";

it.each([
  { text: "Mount Orrin. height_m=5199 (metres).", figures: [5199] },
  { text: "It is 12.6 km long.", figures: [12.6] },
  { text: "It is 12km long.", figures: [12] },
  { text: "4233.6", figures: [4233.6] },
  { text: "It was opened in 1874.", figures: [1874] },
  { text: "population=910000 (2019), 910000 in all", figures: [910000, 2019] },
  { text: "1,234,567 or 1.234.567 or 1 234 567", figures: [1234567] },
  { text: "It costs $1,234.50.", figures: [1234.5] },
  { text: "1.2 million people", figures: [1200000] },
  { text: "0.3 billion", figures: [300000000] },
  { text: "It fell to -5 degrees.", figures: [-5] },
  { text: "30% of it", figures: [30, 0.3] },
  { text: "2026-11-21, 12:30, 21/11/2026", figures: [] },
  { text: "E1, m2, v1.2, 3D, the 2nd, 1e5", figures: [] },
  { text: "from 10-20", figures: [] },
  { text: "Nothing is known.", figures: [] },
])("finds $figures in $text", ({ text, figures }) => {
  expect(figuresIn(text)).toEqual(figures);
});

it("takes a long text in its stride", () => {
  const text = "1,234 ".repeat(20_000);
  expect(figuresIn(`${text}5`)).toContain(5);
});
