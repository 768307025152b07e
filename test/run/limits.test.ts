import { describe, expect, it } from "vitest";

import { defaultLimits, type Limits, limitsOfPart, resolveLimits } from "../../src/run/limits.js";
import { limitNames } from "../../src/state/limits.js";

describe("resolveLimits", () => {
  it.each<{ name: string; given: readonly (Limits | undefined)[]; expected: Limits }>([
    { name: "nothing", given: [], expected: {} },
    { name: "undefined", given: [undefined], expected: {} },
    { name: "an undefined limit", given: [{ toolCalls: undefined }], expected: {} },
    {
      name: "null, which removes a limit",
      given: [{ seconds: null }],
      expected: { seconds: null },
    },
    { name: "0", given: [{ replans: 0 }], expected: { replans: 0 } },
    {
      name: "a fraction of what is measured",
      given: [{ seconds: 0.5, costUsd: 0.01 }],
      expected: { seconds: 0.5, costUsd: 0.01 },
    },
    {
      name: "several, of which the last wins",
      given: [{ toolCalls: 1 }, { toolCalls: 2 }],
      expected: { toolCalls: 2 },
    },
    {
      name: "a later undefined, which leaves the earlier",
      given: [{ toolCalls: 1 }, { toolCalls: undefined }],
      expected: { toolCalls: 1 },
    },
    {
      name: "a later null, which removes the earlier",
      given: [{ toolCalls: 1 }, { toolCalls: null }],
      expected: { toolCalls: null },
    },
    {
      name: "a later number, which brings a limit back",
      given: [{ tokens: null }, { tokens: 5 }],
      expected: { tokens: 5 },
    },
    {
      name: "a value equal to the default",
      given: [{ modelCalls: 1 }, { modelCalls: 100 }],
      expected: { modelCalls: 100 },
    },
  ])("takes $name", ({ given, expected }) => {
    expect(resolveLimits(...given)).toEqual({ ...defaultLimits, ...expected });
  });

  it("has the documented defaults, one for each name", () => {
    expect(defaultLimits).toEqual({
      modelCalls: 100,
      toolCalls: 200,
      replans: 3,
      planSteps: 50,
      seconds: 600,
      tokens: 1_000_000,
      costUsd: null,
      repeatedCalls: 3,
    });
    expect(limitNames.toSorted()).toEqual(Object.keys(defaultLimits).toSorted());
  });

  it("never changes the defaults", () => {
    resolveLimits({ toolCalls: 1 });
    expect(resolveLimits().toolCalls).toBe(200);
  });

  const unknown: object = { maxSteps: 5 };
  it.each<{ name: string; given: Limits; message: string }>([
    {
      name: "an unknown name",
      given: unknown,
      message: 'Unknown limit "maxSteps". The limits are modelCalls, ',
    },
    {
      name: "a negative number",
      given: { seconds: -1 },
      message: "limits.seconds must be a number of 0 or more",
    },
    {
      name: "a fraction of what is counted",
      given: { toolCalls: 1.5 },
      message:
        "limits.toolCalls must be a whole number of 0 or more, or null for no limit; it is 1.5.",
    },
    { name: "NaN", given: { costUsd: Number.NaN }, message: "it is NaN" },
    { name: "Infinity", given: { tokens: Infinity }, message: "null for no limit; it is Infinity" },
  ])("refuses $name", ({ given, message }) => {
    expect(() => resolveLimits(given)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        message: expect.stringContaining(message),
      }),
    );
  });

  it("refuses an unknown name wherever it stands", () => {
    expect(() => resolveLimits({}, unknown)).toThrow("maxSteps");
  });
});

describe("limitsOfPart", () => {
  it.each<{ name: string; own: Limits; context: Limits; expected: Limits }>([
    { name: "nothing", own: {}, context: {}, expected: {} },
    {
      name: "a larger limit of the calling run, which leaves the graph's",
      own: { modelCalls: 5 },
      context: { modelCalls: 50 },
      expected: { modelCalls: 5 },
    },
    {
      name: "a smaller one, which counts",
      own: { modelCalls: 5 },
      context: { modelCalls: 2 },
      expected: { modelCalls: 2 },
    },
    {
      name: "no limit of the calling run, which lifts none that the graph sets",
      own: { modelCalls: 5 },
      context: { modelCalls: null, toolCalls: null },
      expected: { modelCalls: 5, toolCalls: null },
    },
    {
      name: "no limit of the graph's, under one of the calling run",
      own: { seconds: null, tokens: null },
      context: { seconds: 3 },
      expected: { seconds: 3, tokens: null },
    },
    {
      name: "a limit that only the calling run sets",
      own: { modelCalls: undefined },
      context: { modelCalls: 500 },
      expected: { modelCalls: 500 },
    },
  ])("takes $name", ({ own, context, expected }) => {
    expect(limitsOfPart(own, context)).toEqual({ ...defaultLimits, ...expected });
  });
});
