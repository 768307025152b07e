import { setTimeout as sleep } from "node:timers/promises";

import { Hono } from "hono";
import { contextStorage } from "hono/context-storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "../../support/dev-server.js";
import { databases, type OpenedDatabase, openStorage } from "../../support/ops.js";

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("whose events are read", () => {
    let opened: OpenedDatabase;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    let reads = 0;
    beforeAll(async () => {
      opened = await open();
      const query: typeof opened.database.query = (sql, values) => {
        if (sql.includes("from plangraph.run_events")) reads += 1;
        return opened.database.query(sql, values);
      };
      storage = await openStorage({ ...opened.database, query });
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    /** Asks as over HTTP for the end of a run that waits, and goes away. */
    const leave = async (path: string) => {
      const [run] = await storage.add({ afterSeconds: 3_600 });
      const { run_id: runId = "", thread_id: thread = "" } = run ?? {};
      let isReading = true;
      const app = new Hono().use(contextStorage()).get(path, async (context) => {
        await storage.ops.runs.wait(runId, undefined, undefined);
        isReading = false;
        return context.text("");
      });
      const leaving = new AbortController();
      const { signal } = leaving;
      const answer = app.request(new Request(`http://localhost${path}`, { signal }));
      await sleep(100);
      leaving.abort();
      const wasReading = !(await until(async () => !isReading, 3));
      const before = reads;
      await sleep(1_500);
      const readsThen = reads - before;
      await storage.ops.runs.cancel(thread, [runId], {}, undefined);
      await answer;
      return { wasReading, readsThen };
    };

    it("reads no more for somebody who is gone", async () => {
      expect(await leave("/runs/1/stream")).toEqual({ wasReading: false, readsThen: 0 });
    });

    it("reads on for a session, whatever became of the request that began it", async () => {
      const { wasReading, readsThen } = await leave("/threads/1/commands");
      expect(wasReading).toBe(true);
      expect(readsThen).toBeGreaterThan(0);
    });
  });
});
