import { expect, it } from "vitest";

import { oncePerObject } from "../../src/models/once-per-object.js";

it("makes the result of an object once, and another one for another object", () => {
  const made: object[] = [];
  const numbered = oncePerObject((each: object) => made.push(each));
  const [first, second] = [{}, {}];
  expect([first, second, first].map(numbered)).toEqual([1, 2, 1]);
  expect(made).toEqual([first, second]);
});
