import { expect, it } from "vitest";

import { createRandomNumberTool, randomNumber } from "../../../src/tools/builtin/random-number.js";

it("gives whole numbers from low to high, both included", async () => {
  const dice = createRandomNumberTool({ seed: 1 });
  const rolls = new Set<string>();
  for (let roll = 0; roll < 200; roll += 1) rolls.add(await dice.invoke({ low: 1, high: 6 }));
  expect([...rolls].toSorted()).toEqual(["1", "2", "3", "4", "5", "6"]);
});

it.each([
  { name: "the lowest", random: 0, number: "-3" },
  { name: "the highest", random: 1 - Number.EPSILON, number: "3" },
])("gives $name for the extreme of its source", async ({ random, number }) => {
  const tool = createRandomNumberTool({ random: () => random });
  expect(await tool.invoke({ low: -3, high: 3 })).toBe(number);
});

async function sequence(seed: number) {
  const tool = createRandomNumberTool({ seed });
  const range = { low: 1, high: 1_000_000 };
  return [await tool.invoke(range), await tool.invoke(range), await tool.invoke(range)];
}

it("gives the same sequence for the same seed and another for another", async () => {
  expect(await sequence(7)).toEqual(await sequence(7));
  expect(await sequence(7)).not.toEqual(await sequence(8));
});

it("follows the published mulberry32 sequence", async () => {
  const tool = createRandomNumberTool({ seed: 0 });
  expect(await tool.invoke({ low: 0, high: 2 ** 32 - 1 })).toBe("1144304738");
});

it("has a default that needs nothing", async () => {
  expect(await randomNumber.invoke({ low: 5, high: 5 })).toBe("5");
});

it.each([
  { name: "a range upside down", low: 10, high: 1, problem: "low (10) is greater than high (1)" },
  {
    name: "a range too wide to be even",
    low: Number.MIN_SAFE_INTEGER,
    high: Number.MAX_SAFE_INTEGER,
    problem: "is too wide a range",
  },
  { name: "a fraction", low: 1.5, high: 3, problem: "expected int" },
])("refuses $name", async ({ low, high, problem }) => {
  await expect(randomNumber.invoke({ low, high })).rejects.toThrow(problem);
});

it("refuses a seed together with a source", () => {
  expect(() => createRandomNumberTool({ seed: 1, random: Math.random })).toThrow(
    expect.objectContaining({ code: "invalid_option" }),
  );
});
