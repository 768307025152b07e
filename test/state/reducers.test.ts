import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mergeObservations } from "../../src/state/conversation.js";
import { observation } from "../support/observations.js";

const observations = fc.array(
  fc
    .record({ callId: fc.constantFrom("c1", "c2", "c3", "c4", "c5"), content: fc.string() })
    .map(observation),
);
const ids = (list: readonly { readonly callId: string }[]) => list.map(({ callId }) => callId);

describe("mergeObservations", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(observations, observations, (current, next) => {
        const once = mergeObservations(current, next);
        expect(mergeObservations(once, next)).toEqual(once);
      }),
    );
  });

  it("holds every call once, and loses none", () => {
    fc.assert(
      fc.property(observations, observations, (current, next) => {
        const merged = ids(mergeObservations(current, next));
        expect(merged.length).toBe(new Set(merged).size);
        expect(new Set(merged)).toEqual(new Set([...ids(current), ...ids(next)]));
      }),
    );
  });

  it("puts what is reported in the order of the report, at the end", () => {
    fc.assert(
      fc.property(observations, observations, (current, next) => {
        const last = [...new Set(ids(next).toReversed())].toReversed();
        const merged = ids(mergeObservations(current, next));
        expect(merged.slice(merged.length - last.length)).toEqual(last);
      }),
    );
  });

  it("takes the later of two reports of a call", () => {
    const first = observation({ callId: "c1", content: "first" });
    const other = observation({ callId: "c2" });
    const again = observation({ callId: "c1", content: "again" });
    expect(mergeObservations([first, other], [again])).toEqual([other, again]);
  });

  it("changes neither of its lists", () => {
    const current = Object.freeze([observation()]);
    const next = Object.freeze([observation({ content: "again" })]);
    expect(mergeObservations(current, next)).toHaveLength(1);
  });
});
