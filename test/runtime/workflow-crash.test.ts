import { describe, expect, it, vi } from "vitest";

import { killedProgram } from "../support/killed-program.js";

vi.setConfig({ testTimeout: 60_000 });

const orders = ["order stock of milk", "order stock of jam"];

describe.each(["at top level", "embedded"])("a workflow %s", (place) => {
  it("killed in an item of a list goes on in a new process; no finished step runs again", async () => {
    const { start, runs } = killedProgram("workflow-crash-child.ts");
    expect((await start(place, "tell")).signal).toBe("SIGKILL");
    const { output } = await start(place, "tell");
    expect(output).toContain("tell of order of stock of jam");
    expect(
      runs()
        .filter((line) => line.startsWith("stock"))
        .toSorted(),
    ).toEqual(["stock jam", "stock milk"]);
    expect(runs().filter((line) => !line.startsWith("stock"))).toEqual([
      "price tea",
      ...orders,
      "tell order of stock of jam (killed)",
      "tell order of stock of jam",
    ]);
  });

  it.each(["approve", "reject"])(
    "killed in a write asks before it runs it again: %s",
    async (answer) => {
      const { start, runs } = killedProgram("workflow-crash-child.ts");
      expect((await start(place, "order")).signal).toBe("SIGKILL");
      expect((await start(place, "order")).output).toContain("may already have been run");
      const { output } = await start(place, "order", answer);
      const made = runs().filter((line) => line.startsWith("order"));
      const isRepeated = answer === "approve";
      expect(made).toEqual([
        "order stock of milk (killed)",
        ...(isRepeated ? ["order stock of milk"] : []),
        "order stock of jam",
      ]);
      expect(output.includes("tell of order of stock of jam")).toBe(isRepeated);
      expect(output.includes("1 of 2 failed: order-1")).toBe(!isRepeated);
    },
  );
});
