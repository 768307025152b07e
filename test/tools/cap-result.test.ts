import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { capResult, defaultMaxResultChars } from "../../src/tools/tool-result.js";

describe("capResult", () => {
  it("leaves a text within the cap as it is", () => {
    const text = "x".repeat(defaultMaxResultChars);
    expect(capResult(text)).toBe(text);
    expect(capResult("")).toBe("");
  });

  it("keeps head and tail of a longer one and tells how much is gone", () => {
    const text = `head${"x".repeat(5_000_000)}tail`;
    const capped = capResult(text);
    expect(capped.length).toBeLessThanOrEqual(16_000);
    expect(capped).toMatch(/^headx+\n… \[49\d+ of 5000008 characters cut\] …\nx+tail$/);
  });

  it("keeps the cap and tells the truth about the cut", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), fc.integer({ min: 60, max: 300 }), (text, max) => {
        const capped = capResult(text, max);
        expect(capped.length).toBeLessThanOrEqual(max);
        const note = /\n… \[(\d+) of (\d+) characters cut\] …\n/.exec(capped);
        const cut = Number(note?.[1] ?? 0);
        expect(capped.length - (note?.[0].length ?? 0) + cut).toBe(text.length);
      }),
    );
  });

  it.each([0, 1, 30])("leaves the note alone with a cap of %d", (max) => {
    expect(capResult("x".repeat(100), max)).toBe("\n… [100 of 100 characters cut] …\n");
  });
});
