import { describe, expect, it } from "vitest";

import { dollars, duration } from "../../src/page/text/format.js";

describe("a time", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [5_400, "5.4 s"],
    [9_949, "9.9 s"],
    [9_960, "10 s"],
    [59_400, "59 s"],
    [59_600, "1 min 0 s"],
    [119_700, "2 min 0 s"],
    [200_000, "3 min 20 s"],
    [3_599_700, "1 h 0 min"],
    [7_380_000, "2 h 3 min"],
  ])("of %d ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe("a cost", () => {
  it.each([
    [0, ""],
    [0.002, "$0.0020"],
    [12.5, "$12.5000"],
  ])("of %d is %s", (usd, text) => {
    expect(dollars(usd)).toBe(text);
  });
});
