import { tool } from "@langchain/core/tools";
import { z } from "zod";

import { checkNames, invalidOption } from "../../run/check-names.js";
import { seededRandom } from "../../run/random.js";
import { withPolicy } from "../policy.js";

export type RandomNumberOptions = {
  /** Returns numbers from 0 up to, not including, 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** Makes the sequence of numbers reproducible. Not together with `random`. */
  readonly seed?: number;
};

const schema = z.object({
  low: z.int().describe("The smallest number that may come, a whole number."),
  high: z.int().describe("The largest number that may come, a whole number."),
});

function randomSource({ random, seed }: RandomNumberOptions): () => number {
  if (seed === undefined) return random ?? Math.random;
  if (random !== undefined) {
    throw invalidOption("createRandomNumberTool takes `random` or `seed`, and got both.");
  }
  return seededRandom(seed);
}

function pick({ low, high }: z.infer<typeof schema>, random: () => number): string {
  if (low > high) {
    throw new Error(`low (${low}) is greater than high (${high}): give the smaller number as low.`);
  }
  const size = high - low + 1;
  if (!Number.isSafeInteger(size)) {
    throw new Error(`${low} to ${high} is too wide a range: at most 2^53 - 1 numbers.`);
  }
  return String(low + Math.floor(random() * size));
}

/** A tool that picks a whole number from `low` to `high`, both included. Not for secrets. */
export function createRandomNumberTool(options: RandomNumberOptions = {}) {
  checkNames("createRandomNumberTool", options, { random: true, seed: true });
  const random = randomSource(options);
  const randomTool = tool((range: z.infer<typeof schema>) => pick(range, random), {
    name: "random_number",
    description: "Returns a random whole number from low to high, both included.",
    schema,
  });
  return withPolicy(randomTool, { effect: "read", volatile: true });
}

/** The random number tool with `Math.random`. */
export const randomNumber = createRandomNumberTool();
