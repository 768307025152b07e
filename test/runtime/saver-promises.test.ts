import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";

import { type BaseCheckpointSaver, Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { createReactGraph, unfinishedRuns } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { bank, payers } from "../support/bank.js";
import { stoppingTools } from "../support/counting-tools.js";
import { asRunnable } from "../support/hosts.js";
import { toldNext } from "../support/listeners.js";
import { startPostgres, whyNoPostgres } from "../support/postgres.js";
import { question, shops, thread, toolPolicies } from "../support/shops.js";

const reason = whyNoPostgres();

const savers = [
  { saver: "SqliteSaver", open: openSqlite, isThere: true },
  {
    saver: `PostgresSaver${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    open: openPostgres,
    isThere: reason === undefined,
  },
];

/** Opens another saver for the same records, as another program does. */
type Opened = { readonly another: () => BaseCheckpointSaver; readonly close: () => Promise<void> };

async function openSqlite(): Promise<Opened> {
  const { db } = SqliteSaver.fromConnString(":memory:");
  return { another: () => new SqliteSaver(db), close: async () => void db.close() };
}

async function openPostgres(): Promise<Opened> {
  const { url, stop } = await startPostgres();
  const opened: PostgresSaver[] = [];
  return {
    another: () => {
      const saver = PostgresSaver.fromConnString(url);
      opened.push(saver);
      return saver;
    },
    close: async () => {
      for (const saver of opened) await endOf(saver);
      await stop();
    },
  };
}

/** Ends the connections of a saver: a server that stops before they are closed breaks them. */
async function endOf(saver: PostgresSaver): Promise<void> {
  const pool: unknown = Reflect.get(saver, "pool");
  assert(pool instanceof EventEmitter);
  let left = Number(Reflect.get(pool, "totalCount"));
  pool.on("remove", () => {
    left -= 1;
  });
  await saver.end();
  await vi.waitFor(() => expect(left).toBe(0));
}

describe.each(savers)("with a $saver", ({ open, isThere }) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  }, 90_000);
  afterAll(() => opened.close());

  it.skipIf(!isThere).each(shops)(
    "another program finds a crashed run of $name, and a new question hears of its write",
    async ({ name, create }) => {
      const { tools, runs, signal } = stoppingTools();
      const stopped = asRunnable(create({ tools, toolPolicies, checkpointer: opened.another() }));
      const stuck = stopped.invoke(question, { ...thread(name), signal });
      await expect(stuck).rejects.toThrow("abort");

      const checkpointer = opened.another();
      const [found, ...more] = await unfinishedRuns(checkpointer);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ threadId: name, graph: name, status: "stopped" });
      const order = { tool: "order", isWrite: true };
      expect(found?.inFlight).toContainEqual(expect.objectContaining(order));
      const { told } = await toldNext(name, { tools, toolPolicies, checkpointer }, thread(name));
      expect(told).toContain("may have taken effect");
      expect(await unfinishedRuns(checkpointer)).toEqual([]);
      expect(runs.filter((run) => run === "order tea")).toHaveLength(1);
    },
  );

  it.skipIf(!isThere).each(Object.entries(payers).map(([name, create]) => ({ name, create })))(
    "a decision that is delivered twice, to two programs with $name, is refused the second time",
    async ({ name, create }) => {
      const { paid, ...given } = bank();
      const made = () =>
        create({ ...given, to: [["Ann"], ["Bob"]], checkpointer: opened.another() });
      const config = thread(`bank of ${name}`);
      const [request] = asked(await made().invoke(question, config)).action_requests;
      const resume = new Command({ resume: { decisions: [{ type: "approve", id: request?.id }] } });
      asked(await made().invoke(resume, config));
      const again = made().invoke(resume, config);
      await expect(again).rejects.toMatchObject({ code: "already_answered" });
      expect(paid).toEqual(["Ann"]);
    },
  );

  it.skipIf(!isThere)("a second run on a thread that is at work is refused", async () => {
    const work = new EventEmitter();
    const begun = once(work, "begun");
    const models = scriptedModel(async () => {
      work.emit("begun");
      await once(work, "end");
      return "Done.";
    });
    const graph = createReactGraph({ models, checkpointer: opened.another() });
    const first = graph.invoke(question, thread("busy"));
    await begun;
    const second = graph.invoke(question, thread("busy"));
    await expect(second).rejects.toMatchObject({ code: "thread_busy" });
    work.emit("end");
    expect((await first).answer).toBe("Done.");
    expect(models.calls).toHaveLength(1);
  });
});
