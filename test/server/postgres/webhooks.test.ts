import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { giveBack } from "../../../src/server/postgres/lease.js";
import { until } from "../../support/dev-server.js";
import { databases, loginOf, type OpenedDatabase, openStorage } from "../../support/ops.js";

let receiver: Server;
let webhook: string;
const calls: string[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push(body);
      return response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  webhook = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/ended`;
});
afterAll(() => {
  receiver.close();
});

const told = (runId: string) => calls.filter((body) => body.includes(runId));

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("whose runs have webhooks", () => {
    let opened: OpenedDatabase;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    beforeAll(async () => {
      opened = await open();
      const budgets = { user: { tokens: 100 } };
      storage = await openStorage(opened.database, { budgets, webhookHosts: ["127.0.0.1"] });
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    const ask = async (options: object = {}, user = "bob") => {
      const { ops, assistant } = storage;
      const asked = { input: { secret: "of bob" }, webhook };
      const [run] = await ops.runs.put(newId(), assistant, asked, options, loginOf(user));
      if (run === undefined) throw new Error("It was not added.");
      return run;
    };
    const cancel = (runId: string, action: "interrupt" | "rollback" = "interrupt") =>
      storage.ops.runs.cancel(undefined, [runId], { action }, undefined);
    const take = () => storage.ops.runs.next()[Symbol.asyncIterator]().next();
    const expectTold = async (runId: string, ended: object) => {
      expect(await until(async () => told(runId).length > 0, 10)).toBe(true);
      const [body = ""] = told(runId);
      expect(JSON.parse(body)).toMatchObject({
        run_id: runId,
        run_ended_at: expect.any(String),
        ...ended,
      });
      expect(body).not.toMatch(/"kwargs"|configurable|secret/);
    };

    it.each(["interrupt", "rollback"] as const)(
      "tells once of one that waited and was cancelled (%s)",
      async (action) => {
        const { run_id: runId } = await ask({ afterSeconds: 3_600 });
        await cancel(runId, action);
        await cancel(runId, action).catch(() => {});
        await expectTold(runId, { status: "interrupted" });
        await sleep(50);
        expect(told(runId)).toHaveLength(1);
      },
    );

    it("tells of one that was cancelled while its worker was lost", async () => {
      const { run_id: runId } = await ask();
      await take();
      await cancel(runId);
      expect(told(runId)).toEqual([]);
      await giveBack(opened.database, [storage.leases.ofRun(runId)?.lease ?? ""]);
      await expectTold(runId, { status: "interrupted" });
    });

    it("tells of one whose budget was used up while it waited", async () => {
      const { run_id: runId } = await ask({}, "ann");
      await opened.database.query(
        `insert into plangraph.spent (day, kind, who, tokens, usd)
         values ((now() at time zone 'UTC')::date, 'user', 'ann', 100, 0)`,
      );
      expect(told(runId)).toEqual([]);
      void take();
      const error = "The budget of this user for today is used up.";
      await expectTold(runId, { status: "error", error });
    });

    it("tells nobody of one that was deleted, or goes on", async () => {
      const deleted = await ask({ afterSeconds: 3_600 });
      const later = await ask({ afterSeconds: 3_600 });
      await storage.ops.runs.delete(deleted.run_id, undefined, undefined);
      await sleep(200);
      expect([...told(deleted.run_id), ...told(later.run_id)]).toEqual([]);
    });
  });
});
