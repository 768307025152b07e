import { expect, it } from "vitest";

import { mutatedReplies, readers, realReplies } from "./readers.js";

it("mutates real replies, the same for the same seed", () => {
  const made = [...mutatedReplies(300, 7)];
  expect(made).toEqual([...mutatedReplies(300, 7)]);
  expect(new Set(made).size).toBeGreaterThan(250);
  expect(realReplies.length).toBeGreaterThan(50);
});

it.each(readers)("ends, and does not throw, on mutated replies: $name", async ({ read }) => {
  for (const text of mutatedReplies(300, 7)) {
    const reading = (async () => {
      await read(text);
    })();
    await expect(reading).resolves.toBeUndefined();
  }
});
