import { expect, it } from "vitest";

import { shown } from "../../src/run/check-names.js";

it.each([
  { value: new Date("soon"), as: "an invalid date" },
  { value: new Date(0), as: "the date 1970-01-01T00:00:00.000Z" },
  { value: "10", as: '"10"' },
  { value: 10, as: "10" },
  { value: null, as: "null" },
  { value: undefined, as: "undefined" },
  { value: [1], as: "a list" },
  { value: {}, as: "an object without keys" },
  { value: { a: 1 }, as: "an object with the keys a" },
  { value: Promise.resolve(), as: "a promise (await it first)" },
  { value: String, as: "a function" },
])("$value is shown as $as", ({ value, as }) => {
  expect(shown(value)).toBe(as);
});
