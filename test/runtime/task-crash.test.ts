import { describe, expect, it, vi } from "vitest";

import { killedProgram } from "../support/killed-program.js";
import { someOf } from "../support/rows.js";

vi.setConfig({ testTimeout: 90_000 });

const calls = [
  "between steps",
  "order tea",
  "paid tea",
  "price cocoa",
  "price green tea",
  "price milk",
  "price salt",
  "price tea",
  "stock milk",
];

const moments = [
  { name: "a step beside another", killIn: "stock", killed: ["stock milk (killed)"] },
  { name: "a step after a write of it", killIn: "paid", killed: ["paid tea (killed)"] },
  { name: "a later superstep", killIn: "between", killed: ["between steps (killed)"] },
  { name: "the replanner", killIn: "replanner", killed: [] },
];
const places = ["at top level", "embedded"];

describe.each(places)("a plan of tasks %s", (place) => {
  it.each(someOf(moments, 3, places.indexOf(place)))(
    "killed in $name goes on; no finished call is made again",
    async ({ killIn, killed }) => {
      const { start, runs } = killedProgram("task-crash-child.ts");
      expect((await start(place, killIn)).signal).toBe("SIGKILL");
      const { signal, output } = await start(place, killIn);
      expect(signal).toBeNull();
      expect(output).toContain("All is ordered.");
      expect(runs().toSorted()).toEqual([...calls, ...killed].toSorted());
    },
  );

  it("killed in a write asks, says which step it is of, and does as told", async () => {
    const { start, runs } = killedProgram("task-crash-child.ts");
    expect((await start(place, "order")).signal).toBe("SIGKILL");
    const { output } = await start(place, "order");
    expect(output).toContain("S3: order may already have been run before the program stopped.");
    expect(runs().toSorted()).toEqual(
      ["order tea (killed)", "price green tea", "price milk", "price tea", "stock milk"].toSorted(),
    );
    expect((await start(place, "order", "approve")).output).toContain("All is ordered.");
    expect(runs().toSorted()).toEqual([...calls, "order tea (killed)"].toSorted());
  });
});

it("paused in one process it goes on in another, and what both used is counted once", async () => {
  const { start, runs } = killedProgram("task-crash-child.ts");
  const { output } = await start("approved", "nothing");
  expect(output).toContain("S3: Run order?");
  expect(runs().toSorted()).toEqual(["price green tea", "price milk", "price tea", "stock milk"]);
  const last = await start("approved", "nothing", "approve");
  expect(runs().toSorted()).toEqual(calls);
  const executor = { modelCalls: 2 + 3 + 4 + 3 + 2 };
  expect(JSON.parse(last.output)).toMatchObject({
    answer: "All is ordered.",
    outcome: { status: "answered" },
    usage: {
      modelCalls: 1 + executor.modelCalls + 2,
      toolCalls: calls.length,
      byRole: { planner: { modelCalls: 1 }, executor, replanner: { modelCalls: 2 } },
    },
  });
});

it("what was used before a crash still counts, but for what was lost in it", async () => {
  const { start } = killedProgram("task-crash-child.ts");
  await start("at top level", "between");
  const { output } = await start("at top level", "between");
  expect(JSON.parse(output)).toMatchObject({ usage: { modelCalls: 17, toolCalls: 9 } });
});

it("killed after a person has answered it asks no more, and makes no finished call again", async () => {
  const { start, runs } = killedProgram("task-crash-child.ts");
  expect((await start("approved", "paid")).output).toContain("S3: Run order?");
  expect((await start("approved", "paid", "approve")).signal).toBe("SIGKILL");
  const { output } = await start("approved", "paid");
  expect(JSON.parse(output)).toMatchObject({
    answer: "All is ordered.",
    observations: { length: 5 },
  });
  expect(runs().toSorted()).toEqual([...calls, "paid tea (killed)"].toSorted());
});
