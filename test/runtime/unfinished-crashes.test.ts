import { Command } from "@langchain/langgraph";
import { expect, it, vi } from "vitest";

import { unfinishedRuns } from "../../src/index.js";
import { countingTools } from "../support/counting-tools.js";
import { DyingSaver } from "../support/dying-saver.js";
import { asRunnable } from "../support/hosts.js";
import { timesOf } from "../support/rows.js";
import { question, shops, thread, toolPolicies } from "../support/shops.js";

// A machine that is busy takes several times as long.
vi.setConfig({ testTimeout: 120_000 });

/** Cuts a run off behind its first records, and goes on with it; nothing where it ended before. */
async function cutOff({ create }: (typeof shops)[number], records: number) {
  const checkpointer = new DyingSaver();
  const { tools, runs } = countingTools("price", "order", "stock");
  const graph = asRunnable(create({ tools, toolPolicies, checkpointer }));
  const orders = () => runs.filter((run) => run.startsWith("order")).length;
  checkpointer.left = records;
  const isCut = await graph.invoke(question, thread()).then(
    () => false,
    (error: unknown) => String(error).includes("the program stopped"),
  );
  checkpointer.left = Infinity;
  const found = await unfinishedRuns(checkpointer);
  if (!isCut) return undefined;
  const before = orders();
  const isInFlight = found.some(({ inFlight }) => inFlight.some(({ isWrite }) => isWrite));
  let { outcome } = await graph.invoke(null, thread());
  const paused = await unfinishedRuns(checkpointer);
  if (paused.length > 0) {
    const resume = { decisions: [{ type: "respond", message: "Ordered." }] };
    ({ outcome } = await graph.invoke(new Command({ resume }), thread()));
  }
  return {
    found: found.map(({ threadId, status }) => [threadId, status]),
    paused: paused.map(({ status, inFlight }) => [status, inFlight]),
    // A write that ran is asked about only where it was told as in flight.
    isTold: paused.length === 0 || isInFlight || before === 0,
    ordersTooMany: orders() - (paused.length === 0 ? 1 : before),
    outcome: JSON.stringify(outcome),
    left: await unfinishedRuns(checkpointer),
  };
}

const every = timesOf({ all: 1, usually: 4 });

it.each(shops)(
  "a run of $name that is cut off behind any record is found, and goes on",
  async (shop) => {
    const cuts: NonNullable<Awaited<ReturnType<typeof cutOff>>>[] = [];
    for (let records = 1; ; records += every) {
      const cut = await cutOff(shop, records);
      if (cut === undefined) break;
      cuts.push(cut);
    }
    expect(cuts.length * every).toBeGreaterThan(8);
    expect(cuts).toEqual(
      cuts.map(({ paused }) => ({
        found: [["1", "stopped"]],
        paused: paused.map(() => ["paused", []]),
        isTold: true,
        ordersTooMany: 0,
        outcome: '{"status":"answered"}',
        left: [],
      })),
    );
  },
);
