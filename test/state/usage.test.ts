import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { sumUsage } from "../../src/state/conversation.js";
import {
  addUsage,
  type ModelUsage,
  noUsage,
  roleUsage,
  toolUsage,
  type Usage,
  usageSince,
} from "../../src/state/usage.js";

const count = fc.nat({ max: 1_000_000 });
// Quarters add up exactly, so that the laws hold to the last bit.
const cost = count.map((quarters) => quarters / 4);
const share: fc.Arbitrary<ModelUsage> = fc.record({
  modelCalls: count,
  tokensIn: count,
  tokensOut: count,
  costUsd: cost,
});
const usage: fc.Arbitrary<Usage> = fc
  .record({
    total: share,
    toolCalls: count,
    estimated: fc.boolean(),
    byRole: fc.dictionary(fc.constantFrom("planner", "executor", "joiner"), share),
  })
  .map(({ total, toolCalls, estimated, byRole }) => ({
    ...total,
    toolCalls,
    ...(estimated ? { estimated } : {}),
    byRole,
  }));

describe("addUsage", () => {
  it("is commutative", () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a));
      }),
    );
  });

  it("is associative", () => {
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
      }),
    );
  });

  it("has noUsage, and any copy of it, as its neutral element", () => {
    fc.assert(
      fc.property(usage, (a) => {
        expect(addUsage(a, noUsage)).toEqual(a);
        expect(addUsage(noUsage, a)).toEqual(a);
        expect(addUsage(a, { ...noUsage })).toEqual(a);
        expect(addUsage({ ...noUsage }, a)).toEqual(a);
      }),
    );
  });

  it("leaves its operands as they were", () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        const before = structuredClone([a, b]);
        addUsage(a, b);
        expect([a, b]).toEqual(before);
      }),
    );
  });

  it("adds up the roles apart from one another", () => {
    const planner = roleUsage("planner", { modelCalls: 1, tokensIn: 10 });
    const executor = roleUsage("executor", { modelCalls: 2, tokensOut: 5, costUsd: 0.5 });
    const sum = [planner, executor, planner, toolUsage(3)].reduce(addUsage, noUsage);
    expect(sum).toEqual({
      modelCalls: 4,
      tokensIn: 20,
      tokensOut: 5,
      costUsd: 0.5,
      toolCalls: 3,
      byRole: {
        planner: { modelCalls: 2, tokensIn: 20, tokensOut: 0, costUsd: 0 },
        executor: { modelCalls: 2, tokensIn: 0, tokensOut: 5, costUsd: 0.5 },
      },
    });
  });

  it("stays estimated once a part of it was", () => {
    const guessed: Usage = { ...roleUsage("planner", { tokensIn: 4 }), estimated: true };
    expect(addUsage(guessed, toolUsage(1)).estimated).toBe(true);
    expect(addUsage(toolUsage(1), toolUsage(1))).not.toHaveProperty("estimated");
  });
});

describe("usageSince", () => {
  it("is what makes the whole of the part", () => {
    fc.assert(
      fc.property(usage, usage, (part, later) => {
        const whole = addUsage(part, later);
        expect(addUsage(part, usageSince(whole, part))).toEqual(whole);
      }),
    );
  });

  it("of a first reading is all of it", () => {
    fc.assert(
      fc.property(usage, (whole) => {
        expect(usageSince(whole, noUsage)).toEqual(whole);
      }),
    );
  });
});

describe("sumUsage", () => {
  it("adds as addUsage does", () => {
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        expect(sumUsage(a, b)).toEqual(addUsage(a, b));
      }),
    );
  });
});
