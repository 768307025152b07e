import { describe, expect, it, vi } from "vitest";

import { killedProgram } from "../support/killed-program.js";
import { someOf } from "../support/rows.js";

vi.setConfig({ testTimeout: 60_000 });

const places = [
  "at top level",
  "as a subgraph node",
  "invoked in a node with its config",
  "as a tool of another graph",
  "as a tool of a graph that is a tool",
];

describe.each(someOf(places, 3))("a run %s", (place) => {
  it("killed between two calls goes on in a new process and repeats no finished call", async () => {
    const { start, runs } = killedProgram("crash-child.ts");
    expect((await start(place, "stock")).signal).toBe("SIGKILL");
    const second = await start(place, "stock");
    expect(second.output).toContain("Ordered.");
    expect(runs()).toEqual([
      "price tea",
      "price milk",
      "stock tea (killed)",
      "stock tea",
      "order tea",
    ]);
  });

  it("killed inside a write does not run it again by itself, but asks and does as told", async () => {
    const { start, runs } = killedProgram("crash-child.ts");
    expect((await start(place, "order")).signal).toBe("SIGKILL");
    const second = await start(place, "order");
    expect(second.output).toContain("may already have been run");
    const once = ["price tea", "price milk", "stock tea", "order tea (killed)"];
    expect(runs()).toEqual(once);
    expect((await start(place, "order", "approve")).output).toContain("Ordered.");
    expect(runs()).toEqual([...once, "order tea"]);
  });
});

it.each([
  { place: "at top level", modelCalls: 3, toolCalls: 4 },
  { place: "as a tool of another graph", modelCalls: 3 + 2, toolCalls: 4 + 1 },
  { place: "as a tool of a graph that is a tool", modelCalls: 3 + 2 + 2, toolCalls: 4 + 1 + 1 },
])("$place, what was used before the crash still counts", async ({ place, ...used }) => {
  const { start } = killedProgram("crash-child.ts");
  await start(place, "stock");
  const { output } = await start(place, "stock");
  expect(JSON.parse(output)).toMatchObject({ usage: used });
});

it("sub-runs killed after people answered them go on in a new process, each where it was", async () => {
  const { start, runs } = killedProgram("crash-approval-child.ts");
  const child = () => start("milk_stock");
  expect((await child()).output).toContain("milk: Run order?");
  expect(runs().toSorted()).toEqual(["price milk", "price tea"]);
  expect((await child()).signal).toBe("SIGKILL");
  const last = await child();
  expect(JSON.parse(last.output)).toMatchObject({
    answer: "Ordered.",
    usage: { modelCalls: 2 + 4 + 4, toolCalls: 2 + 3 + 3 },
    observations: [{ content: "tea is done." }, { content: "milk is done." }],
  });
  expect(runs().toSorted()).toEqual([
    "milk_stock milk",
    "milk_stock milk (killed)",
    "order milk",
    "order tea",
    "price milk",
    "price tea",
    "tea_stock tea",
  ]);
});
