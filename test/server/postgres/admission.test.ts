import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openAdmission } from "../../../src/server/postgres/admission.js";
import type { Held } from "../../../src/server/postgres/lease.js";
import { databases, type OpenedDatabase, openStorage } from "../../support/ops.js";

const leaseMs = 600;

/** A run that asks, as far as admission looks at it. */
function newHeld(rank = 0): Held {
  const ids = { runId: "run", threadId: "thread", graphId: "graph", lease: "lease", rank };
  const rest = { isTemporary: false, hidesValues: false, webhook: undefined, isLost: false };
  return { ...ids, ...rest, controller: new AbortController() };
}

const isDone = (work: Promise<unknown>, ms: number) =>
  Promise.race([work.then(() => true), sleep(ms, false)]);

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("with limits of a provider", () => {
    let opened: OpenedDatabase;
    beforeAll(async () => {
      opened = await open();
    }, 120_000);
    afterAll(() => opened.close());

    /** Two processes that may ask a provider of this name. */
    const processes = (provider: string, limit: { atOnce?: number; perMinute?: number }) =>
      [1, 2].map(() => openAdmission(opened.database, { [provider]: limit }, leaseMs));
    const { signal } = new AbortController();

    it("lets so many requests go at once, over all processes, and the next when one has ended", async () => {
      const [one, other] = processes("few", { atOnce: 2 });
      const first = await one?.of(newHeld())({ provider: "few", signal });
      await other?.of(newHeld())({ provider: "few", signal });
      const held = newHeld();
      const third = other?.of(held)({ provider: "few", signal }) ?? Promise.reject();
      expect(await isDone(third, 300)).toBe(false);
      expect(held.waitsSince).toBeTypeOf("number");
      first?.();
      expect(await isDone(third, 1_000)).toBe(true);
      expect(held.waitsSince).toBeUndefined();
      one?.close();
      other?.close();
    });

    it("lets so many requests go in a minute, also when they have ended", async () => {
      const [one, other] = processes("slow", { perMinute: 2 });
      (await one?.of(newHeld())({ provider: "slow", signal }))?.();
      (await other?.of(newHeld())({ provider: "slow", signal }))?.();
      const third = one?.of(newHeld())({ provider: "slow", signal }) ?? Promise.reject();
      expect(await isDone(third, 1_500)).toBe(false);
      await opened.database.query(
        "update plangraph.model_calls set began_at = began_at - interval '62 seconds'",
      );
      expect(await isDone(third, 2_000)).toBe(true);
      one?.close();
      other?.close();
    });

    it("counts the requests of a process that is gone until its lease is over, and those of one that is there", async () => {
      const [gone, there] = processes("lost", { atOnce: 1 });
      await gone?.of(newHeld())({ provider: "lost", signal });
      gone?.close();
      const next = there?.of(newHeld())({ provider: "lost", signal }) ?? Promise.reject();
      expect(await isDone(next, leaseMs / 2)).toBe(false);
      expect(await isDone(next, 2_000)).toBe(true);
      const after = there?.of(newHeld())({ provider: "lost", signal }) ?? Promise.reject();
      expect(await isDone(after, 3 * leaseMs)).toBe(false);
      (await next)();
      expect(await isDone(after, 1_500)).toBe(true);
      there?.close();
    });

    it("lets those go first whose turn comes first, whenever they asked", async () => {
      const [one] = processes("ranked", { atOnce: 1 });
      const order: number[] = [];
      const release = await one?.of(newHeld(0))({ provider: "ranked", signal });
      const all = [5, 3, 4, 1, 2].map(async (rank) => {
        const done = await one?.of(newHeld(rank))({ provider: "ranked", signal });
        order.push(rank);
        done?.();
      });
      // The first of them has asked already.
      await sleep(200);
      release?.();
      await Promise.all(all);
      expect(order).toEqual([1, 2, 3, 4, 5]);
      one?.close();
    });

    it("lets one go that waits no longer, and does not count it", async () => {
      const [one] = processes("left", { atOnce: 1 });
      const release = await one?.of(newHeld())({ provider: "left", signal });
      const leaving = new AbortController();
      const left = one?.of(newHeld())({ provider: "left", signal: leaving.signal });
      const next = one?.of(newHeld())({ provider: "left", signal }) ?? Promise.reject();
      leaving.abort(new Error("no longer wanted"));
      await expect(left).rejects.toThrow("no longer wanted");
      release?.();
      expect(await isDone(next, 1_500)).toBe(true);
      one?.close();
    });

    it("asks again when the database was away", async () => {
      let failures = 2;
      const query: typeof opened.database.query = (...asked) => {
        failures -= 1;
        if (failures >= 0) return Promise.reject(new Error("The database is away."));
        return opened.database.query(...asked);
      };
      const failing = { ...opened.database, query };
      const one = openAdmission(failing, { away: { atOnce: 1 } }, leaseMs);
      const asked = one.of(newHeld())({ provider: "away", signal });
      expect(await isDone(asked, 500)).toBe(false);
      expect(await isDone(asked, 3_000)).toBe(true);
      one.close();
    });

    it("does not ask for providers without a limit", async () => {
      const all = processes("few", { atOnce: 1 });
      const asked = all.flatMap((one) =>
        ["another", undefined, "another"].map((provider) =>
          one.of(newHeld())({ provider, signal }),
        ),
      );
      expect(await isDone(Promise.all(asked), 1_000)).toBe(true);
      for (const one of all) one.close();
    });

    it("takes, of a graph whose runs are stuck at their provider, those alone whose turn comes before theirs", async () => {
      const storage = await openStorage(opened.database);
      const take = async () => (await storage.ops.runs.next().next()).value?.run.run_id;
      const [stuck] = await storage.add();
      expect(await take()).toBe(stuck?.run_id);
      const held = storage.leases.ofRun(stuck?.run_id ?? "");
      if (held !== undefined) held.waitsSince = Date.now() - 60_000;
      const [plain] = await storage.add();
      const [urgent] = await storage.add({ metadata: { priority: 10 } });
      expect(await take()).toBe(urgent?.run_id);
      const next = take();
      expect(await isDone(next, 1_500)).toBe(false);
      if (held !== undefined) held.waitsSince = undefined;
      expect(await next).toBe(plain?.run_id);
      await storage.close();
    });
  });
});
