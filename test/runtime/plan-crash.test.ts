import { describe, expect, it, vi } from "vitest";

import { killedProgram } from "../support/killed-program.js";
import { someOf } from "../support/rows.js";

vi.setConfig({ testTimeout: 60_000 });

const plans = [
  { graph: "rewoo", place: "at top level" },
  { graph: "rewoo", place: "embedded" },
  { graph: "llm-compiler", place: "embedded" },
  { graph: "llm-compiler", place: "at top level" },
];

describe.each(someOf(plans, 3))("a plan of $graph $place", ({ graph, place }) => {
  it("killed in a step goes on in a new process; no finished step runs again", async () => {
    const { start, runs } = killedProgram("plan-crash-child.ts");
    expect((await start(graph, place, "stock")).signal).toBe("SIGKILL");
    const { output } = await start(graph, place, "stock");
    expect(output).toContain("Ordered.");
    expect(runs()).toEqual([
      "price tea",
      "stock milk (killed)",
      "stock milk",
      "price stock of milk",
      "order price of tea",
    ]);
  });

  it("killed in a write asks before it runs it again", async () => {
    const { start, runs } = killedProgram("plan-crash-child.ts");
    expect((await start(graph, place, "order")).signal).toBe("SIGKILL");
    expect((await start(graph, place, "order")).output).toContain("may already have been run");
    const { output } = await start(graph, place, "order", "approve");
    expect(output).toContain("Ordered.");
    expect(runs()).toEqual([
      "price tea",
      "stock milk",
      "price stock of milk",
      "order price of tea (killed)",
      "order price of tea",
    ]);
  });
});

describe.each(["at top level", "embedded"])("a plan of llm-compiler %s", (place) => {
  it("killed while it is written goes on with what is written then", async () => {
    const { start, runs } = killedProgram("plan-crash-child.ts");
    expect((await start("writing", place, "stock")).signal).toBe("SIGKILL");
    const { output } = await start("writing", place, "stock");
    // The second plan begins as the first one did, and then asks for something else.
    expect(runs()).toEqual([
      "price tea",
      "stock milk (killed)",
      "stock cocoa",
      "price stock of cocoa",
      "order price of tea",
    ]);
    expect(output).toContain("Ordered.");
    expect(output).not.toContain("milk");
  });
});
