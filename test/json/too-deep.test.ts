import { expect, it } from "vitest";

import { isTooDeep, maxDepth } from "../../src/json/json.js";

/** A value inside so many objects and lists. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { value } : [value];
  return value;
}

it.each([
  { name: "a number", value: 1, deep: false },
  { name: "null", value: null, deep: false },
  { name: "an empty object", value: {}, deep: false },
  { name: "as deep as may be", value: nested(maxDepth), deep: false },
  { name: "one level deeper", value: nested(maxDepth + 1), deep: true },
  { name: "far deeper", value: nested(100_000), deep: true },
  { name: "wide, and not deep", value: Array.from({ length: 100_000 }, () => [1]), deep: false },
])("$name is too deep: $deep", ({ value, deep }) => {
  expect(isTooDeep(value)).toBe(deep);
});
