import { expect, it } from "vitest";

import { isRecord } from "../../src/json/json.js";

it.each([
  { name: "an object", value: {}, is: true },
  { name: "an object without a prototype", value: Object.create(null), is: true },
  { name: "null", value: null, is: false },
  { name: "a list", value: [], is: false },
  { name: "a text", value: "{}", is: false },
  { name: "nothing", value: undefined, is: false },
])("tells whether $name has named fields: $is", ({ value, is }) => {
  expect(isRecord(value)).toBe(is);
});
