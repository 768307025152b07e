import { setTimeout as sleep } from "node:timers/promises";

import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { openCrons } from "../../../src/server/postgres/crons.js";
import type { Database } from "../../../src/server/postgres/database.js";
import { openScheduler } from "../../../src/server/postgres/fire-crons.js";
import { until } from "../../support/dev-server.js";
import {
  databases,
  loginOf,
  noRules,
  type OpenedDatabase,
  openStorage,
  setHandlers,
} from "../../support/ops.js";

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("whose application has authorization handlers", () => {
    let opened: OpenedDatabase;
    let database: Database;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    let transactions = 0;
    let openTransactions = 0;
    let asked: (readonly [event: string, openTransactions: number])[] = [];
    beforeAll(async () => {
      opened = await open();
      const transaction: Database["transaction"] = async (work) => {
        transactions += 1;
        openTransactions += 1;
        return opened.database.transaction(work).finally(() => (openTransactions -= 1));
      };
      database = { ...opened.database, transaction };
      storage = await openStorage(database);
      const note = async ({ event, user }: { event: string; user: { identity: string } }) => {
        asked.push([event, openTransactions]);
        await sleep(300);
        if (user.identity === "eve") return false;
        return event.startsWith("assistants") ? true : { owner: user.identity };
      };
      await setHandlers({ "*": note });
    }, 120_000);
    afterEach(() => {
      asked = [];
    });
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    it("holds no connection while a handler thinks", async () => {
      const { ops } = storage;
      const ann = loginOf("ann");
      const id = newId();
      const given = { graph_id: "g", if_exists: "raise", config: {}, context: {} } as const;
      await ops.assistants.put(id, given, ann);
      await ops.assistants.patch(id, { name: "new" }, ann);
      await ops.runs.put(newId(), id, {}, {}, ann);
      await ops.assistants.delete(id, false, ann);
      expect(asked).toEqual([
        ["assistants:create", 0],
        ["assistants:update", 0],
        ["assistants:read", 0],
        ["threads:create_run", 0],
        ["assistants:delete", 0],
      ]);
    });

    it("changes nothing that a handler refuses", async () => {
      const { ops, assistant } = storage;
      const eve = loginOf("eve");
      const before = transactions;
      const given = { graph_id: "g", if_exists: "raise", config: {}, context: {} } as const;
      for (const attempt of [
        ops.assistants.put(newId(), given, eve),
        ops.assistants.patch(assistant, { name: "new" }, eve),
        ops.assistants.delete(assistant, false, eve),
        ops.runs.put(newId(), assistant, {}, {}, eve),
      ]) {
        await expect(attempt).rejects.toMatchObject({ status: 403 });
      }
      expect(transactions).toBe(before);
    });

    const runsOf = (cronId: unknown) =>
      opened.database.query("select status from plangraph.runs where metadata ->> 'cron_id' = $1", [
        cronId,
      ]);

    it("makes the run of a schedule once and asks for it once, whatever number of servers looks", async () => {
      const crons = openCrons(database, noRules);
      const ann = loginOf("ann");
      const soon = { assistant_id: storage.assistant, schedule: "0 0 1 1 *" };
      const { cron_id: cron } = await crons.create(soon, undefined, ann);
      const { cron_id: off } = await crons.create({ ...soon, enabled: false }, undefined, ann);
      asked = [];
      const servers = [1, 2, 3].map(() =>
        openScheduler(database, { rules: noRules, runs: storage.ops.runs }),
      );
      await opened.database.query(
        "update plangraph.crons set next_run_date = date_trunc('milliseconds', now())",
      );
      expect(await until(async () => (await runsOf(cron)).length > 0, 10)).toBe(true);
      await sleep(1_500);
      for (const server of servers) server.stop();
      expect(await runsOf(cron)).toHaveLength(1);
      expect(await runsOf(off)).toEqual([]);
      expect(asked).toEqual([
        ["assistants:read", 0],
        ["threads:create_run", 0],
      ]);
      const [row] = await crons.search({ enabled: true }, undefined);
      expect(row?.["next_run_date"]).toEqual(expect.any(Date));
      expect(Number(row?.["next_run_date"])).toBeGreaterThan(Date.now());
      await opened.database.query("delete from plangraph.crons");
    });

    it("sees to a schedule whose server was lost meanwhile, once its time is over", async () => {
      const crons = openCrons(database, noRules);
      const soon = { assistant_id: storage.assistant, schedule: "0 0 1 1 *" };
      const { cron_id: cron } = await crons.create(soon, undefined, undefined);
      await opened.database.query(
        "update plangraph.crons set next_run_date = date_trunc('milliseconds', now()), taken_until = now() + interval '5 seconds'",
      );
      const server = openScheduler(database, { rules: noRules, runs: storage.ops.runs });
      await sleep(1_000);
      expect(await runsOf(cron)).toEqual([]);
      expect(await until(async () => (await runsOf(cron)).length === 1, 10)).toBe(true);
      server.stop();
      await opened.database.query("delete from plangraph.crons");
    });

    it("opens no transaction where no schedule is due", async () => {
      const before = transactions;
      const server = openScheduler(database, { rules: noRules, runs: storage.ops.runs });
      await sleep(1_500);
      server.stop();
      expect(transactions).toBe(before);
    });
  });
});
