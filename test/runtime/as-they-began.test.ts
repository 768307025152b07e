import { expect, it } from "vitest";

import { asTheyBegan } from "../../src/runtime/run-calls.js";
import { observation } from "../support/observations.js";

const at = (callId: string, startedAt: number) => observation({ callId, startedAt });

it.each([
  { name: "nothing", given: [], ids: [] },
  {
    name: "by their start",
    given: [at("E1", 9), at("E2", 3), at("E3", 5)],
    ids: ["E2", "E3", "E1"],
  },
  {
    name: "as given where they began at once",
    given: [at("E2", 3), at("E1", 3)],
    ids: ["E2", "E1"],
  },
  { name: "each once", given: [at("E1", 3), at("E2", 4), at("E1", 3)], ids: ["E1", "E2"] },
])("asTheyBegan puts observations in order: $name", ({ given, ids }) => {
  expect(asTheyBegan(given).map(({ callId }) => callId)).toEqual(ids);
});
