import { describe, expect, it } from "vitest";

import { filtersIn, queryOf } from "../../src/page/model/run-filters.js";

const outcomes = ["answered", "failed"];
const atFirst = { span: "day", outcome: "", called: "" } as const;

describe("the filters of runs", () => {
  it.each([
    { query: "", filters: atFirst },
    { query: "?time=week", filters: { ...atFirst, span: "week" } },
    {
      query: "?outcome=failed&called=pay+out",
      filters: { ...atFirst, outcome: "failed", called: "pay out" },
    },
  ] as const)("are those of the address: $query", ({ query, filters }) => {
    expect(filtersIn(query, outcomes)).toEqual(filters);
    expect(queryOf(filters)).toBe(query);
  });

  it.each(["?time=year", "?outcome=lost", "?other=1"])(
    "leave out what nobody knows: %s",
    (query) => {
      expect(filtersIn(query, outcomes)).toEqual(atFirst);
    },
  );
});
