import { describe, expect, it } from "vitest";

import { evaluate, htmlReport, summarize } from "../../src/evaluation/index.js";
import { pricingOf } from "../../src/evaluation/price.js";
import { townAgent, townCases } from "../support/towns-evaluated.js";

const subject = (costUsd: number, tokens: number, of = 3) => ({
  share: { of },
  spent: { costUsd, tokensIn: tokens, tokensOut: 0 },
});
const [cheap, dear, unpriced] = [subject(0.001, 900), subject(0.2, 500), subject(0, 100)];
const [unmeasured, idle] = [subject(0, 0, 0), subject(0, 0)];

describe("pricingOf", () => {
  it.each([
    { name: "all have a price", subjects: [cheap, dear], unit: "dollars", prices: [0.001, 0.2] },
    { name: "one has none", subjects: [cheap, unpriced], unit: "tokens", prices: [900, 100] },
    { name: "none has one", subjects: [unpriced], unit: "tokens", prices: [100] },
    {
      name: "one was not measured",
      subjects: [dear, unmeasured],
      unit: "dollars",
      prices: [0.2, 0],
    },
    {
      name: "one was not measured, and one has none",
      subjects: [cheap, unmeasured, unpriced],
      unit: "tokens",
      prices: [900, 0, 100],
    },
    { name: "one asked no model", subjects: [dear, idle], unit: "dollars", prices: [0.2, 0] },
    { name: "none asked a model", subjects: [idle], unit: "tokens", prices: [0] },
    { name: "there are none", subjects: [], unit: "tokens", prices: [] },
  ])("counts in $unit where $name", ({ subjects, unit, prices }) => {
    const pricing = pricingOf(subjects);
    expect(pricing.unit).toBe(unit);
    expect(subjects.map(pricing.priceOf)).toEqual(prices);
  });
});

const pricesOf = (dollars: number) => ({ "scripted-model": { input: dollars, output: dollars } });

// The long one takes more tokens, of a model that costs less.
it.each([
  {
    name: "both have a price",
    options: { prices: pricesOf(100) },
    told: /^Take long: .* do not tell it from short, and it costs less\. .* cases: about \$/,
    caption: "Cost against success",
  },
  {
    name: "one has none",
    options: {},
    told: /^Take short: .* do not tell it from long, and it takes fewer tokens\. .* cases: [^$]+$/,
    caption: "Tokens against success",
  },
])("advice and pictures count alike: $name", async ({ options, told, caption }) => {
  const evaluation = await evaluate({
    cases: townCases(),
    subjects: [
      { name: "long", graph: townAgent(() => true, { prices: pricesOf(1) }).graph },
      { name: "short", graph: townAgent((town) => town !== "Corin", options).graph },
    ],
  });
  const summary = summarize(evaluation);
  expect(summary.advice).toMatch(told);
  const page = htmlReport({ summary, cells: evaluation.cells, cases: evaluation.cases });
  expect(page).toContain(`<figcaption>${caption}</figcaption>`);
  expect(page).toContain(`aria-label="${caption}"`);
  const [, picture = ""] = page.split("<figure>").filter((part) => part.includes("<svg"));
  expect(/>\$[\d.]/.test(picture)).toBe(caption.startsWith("Cost"));
});
