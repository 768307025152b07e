import type { Run } from "@langchain/langgraph-api/storage";
import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Crons, openCrons } from "../../../src/server/postgres/crons.js";
import { giveBack } from "../../../src/server/postgres/lease.js";
import {
  databases,
  loginOf,
  noRules,
  type OpenedDatabase,
  openStorage,
} from "../../support/ops.js";

const usedUp = (whose: string) => ({
  __error__: { error: "Error", message: `The budget of this ${whose} for today is used up.` },
});

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("whose users have budgets", () => {
    let opened: OpenedDatabase;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    let crons: Crons;
    beforeAll(async () => {
      opened = await open();
      const rules = { budgets: { user: { tokens: 100 }, tenant: { usd: 2 } }, maxScheduled: 3 };
      storage = await openStorage(opened.database, rules);
      crons = openCrons(opened.database, { ...noRules, ...rules });
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    const ask = async (user: string, kwargs: object = {}, tenant?: string) => {
      const { ops, assistant } = storage;
      const asked = { input: { n: 1 }, ...kwargs };
      const [run] = await ops.runs.put(newId(), assistant, asked, {}, loginOf(user, tenant));
      if (run === undefined) throw new Error("It was not added.");
      return run;
    };
    const take = async () => {
      const { value } = await storage.ops.runs.next()[Symbol.asyncIterator]().next();
      if (value === undefined) throw new Error("There is no run.");
      return value.run;
    };
    const end = async ({ run_id: runId, thread_id: thread }: Run) => {
      await storage.ops.runs.setStatus(runId, "success");
      await storage.ops.threads.setStatus(thread, {});
    };
    const spend = (kind: string, who: string, tokens: number, usd: number) =>
      opened.database.query(
        `insert into plangraph.spent (day, kind, who, tokens, usd)
         values ((now() at time zone 'UTC')::date, $1, $2, $3, $4)`,
        [kind, who, tokens, usd],
      );
    const answerOf = ({ run_id: runId }: Run) => storage.ops.runs.wait(runId, undefined, undefined);
    it("begins none of the runs that waited when a budget was used up, and all others", async () => {
      const begun = await ask("ann");
      expect((await take()).run_id).toBe(begun.run_id);
      const waiting = await Promise.all(
        [{}, { temporary: true }, {}].map((kwargs) => ask("ann", kwargs)),
      );
      const bob = await ask("bob");
      await spend("user", "ann", 100, 0);
      expect((await take()).run_id).toBe(bob.run_id);
      expect(await Promise.all(waiting.map(answerOf))).toEqual(waiting.map(() => usedUp("user")));
      const [first] = waiting;
      expect(await storage.ops.runs.get(first?.run_id ?? "", undefined, undefined)).toMatchObject({
        status: "error",
      });
      expect(await storage.ops.threads.get(first?.thread_id ?? "", undefined)).toMatchObject({
        status: "error",
      });
      await end(bob);
      // What has begun goes on, in another worker, too.
      const held = storage.leases.ofRun(begun.run_id);
      if (held === undefined) throw new Error("It is not held.");
      await giveBack(opened.database, [held.lease]);
      storage.leases.release(held);
      const again = await take();
      expect(again.run_id).toBe(begun.run_id);
      await end(again);
    });

    it("knows tenants by their names, and those without one", async () => {
      const run = await ask("eve", {}, "shop");
      const others = [await ask("kim", {}, "farm"), await ask("kim")];
      await spend("tenant", "shop", 0, 2);
      for (const other of others) {
        const taken = await take();
        expect(taken.run_id).toBe(other.run_id);
        await end(taken);
      }
      expect(await answerOf(run)).toEqual(usedUp("tenant"));
    });

    it("counts users of two tenants as two, whatever their names are", async () => {
      await spend("user", '["mill","dan"]', 100, 0);
      const asked = { input: { n: 1 } };
      const { ops, assistant } = storage;
      await expect(
        ops.runs.put(newId(), assistant, asked, {}, loginOf("dan", "mill")),
      ).rejects.toThrow("The budget of this user for today is used up.");
      const runs = [await ask("dan"), await ask("dan", {}, "farm")];
      for (const { run_id: runId } of runs) {
        const run = await take();
        expect(run.run_id).toBe(runId);
        await end(run);
      }
    });

    it("lets a user have so many schedules and runs that begin later, and all others theirs", async () => {
      const { ops, assistant } = storage;
      type Login = ReturnType<typeof loginOf> | undefined;
      const later = async (login: Login) => {
        const [run] = await ops.runs.put(newId(), assistant, {}, { afterSeconds: 3_600 }, login);
        return run?.run_id ?? "";
      };
      const schedule = (login: Login) =>
        crons.create({ assistant_id: assistant, schedule: "0 0 1 1 *" }, undefined, login);
      for (const login of [loginOf("una"), loginOf("una", "mill"), undefined]) {
        const first = await later(login);
        await later(login);
        const cron = await schedule(login);
        const refused = { status: 429, message: expect.stringMatching(/^3 runs and schedules of/) };
        await expect(later(login)).rejects.toMatchObject(refused);
        await expect(schedule(login)).rejects.toMatchObject(refused);
        // What begins now is no business of it.
        const [now] = await ops.runs.put(newId(), assistant, {}, {}, login);
        await ops.runs.cancel(undefined, [first, now?.run_id ?? ""], {}, undefined);
        await later(login);
        await expect(schedule(login)).rejects.toMatchObject(refused);
        await crons.remove(String(cron["cron_id"]), undefined);
        await schedule(login);
      }
    });

    it("keeps the questions of a thread whose answer came when its budget was used up", async () => {
      const { thread_id: thread } = await storage.ops.threads.put(
        newId(),
        { if_exists: "raise" },
        undefined,
      );
      const asked = { task: [{ id: "i", value: {} }] };
      await opened.database.query(
        "update plangraph.threads set status = 'interrupted', interrupts = $2 where thread_id = $1",
        [thread, JSON.stringify(asked)],
      );
      const command = { resume: {} };
      const { ops, assistant } = storage;
      const [run] = await ops.runs.put(
        newId(),
        assistant,
        { command },
        { threadId: thread },
        loginOf("lee"),
      );
      await spend("user", "lee", 100, 0);
      const next = await ask("kim");
      expect((await take()).run_id).toBe(next.run_id);
      if (run === undefined) throw new Error("It was not added.");
      expect(await answerOf(run)).toEqual(usedUp("user"));
      expect(await ops.threads.get(thread, undefined)).toMatchObject({ interrupts: asked });
      await end(next);
    });
  });
});
