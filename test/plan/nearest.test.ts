import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { nearestFirst } from "../../src/plan/nearest.js";

const names = ["calculator", "web_search", "get_weather", "send-email", "查天气"];

describe("nearestFirst", () => {
  it.each([
    { wanted: "calculater", first: "calculator" },
    { wanted: "WebSearch", first: "web_search" },
    { wanted: "weather", first: "get_weather" },
    { wanted: "functions.send_email", first: "send-email" },
    { wanted: "天气", first: "查天气" },
  ])("puts $first first for $wanted", ({ wanted, first }) => {
    expect(nearestFirst(wanted, names)[0]).toBe(first);
  });

  it.each([{ wanted: "" }, { wanted: "x" }, { wanted: "🙂🙂" }])(
    "keeps the order where nothing is like $wanted",
    ({ wanted }) => {
      expect(nearestFirst(wanted, names)).toEqual(names);
    },
  );

  it("gives every name back, and an equal one first", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{2,12}$/), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (list, at) => {
          const wanted = list[at % list.length] ?? "";
          const sorted = nearestFirst(wanted, list);
          expect(sorted.toSorted()).toEqual(list.toSorted());
          expect(new Set(sorted[0])).toEqual(new Set(wanted));
        },
      ),
    );
  });
});
