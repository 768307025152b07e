import { v7 as newId } from "@langchain/core/utils/uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Database } from "../../../src/server/postgres/database.js";
import { decisionsIn } from "../../../src/server/postgres/decisions.js";
import { databases, loginOf, type OpenedDatabase, openStorage } from "../../support/ops.js";

describe.each(databases)("a database $name", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("that keeps what people decide", () => {
    let opened: OpenedDatabase;
    let storage: Awaited<ReturnType<typeof openStorage>>;
    let statements = 0;
    beforeAll(async () => {
      opened = await open();
      const transaction: Database["transaction"] = (work) =>
        opened.database.transaction((query) =>
          work((sql, values) => {
            if (sql.includes("plangraph.decisions")) statements += 1;
            return query(sql, values);
          }),
        );
      storage = await openStorage({ ...opened.database, transaction });
    }, 120_000);
    afterAll(async () => {
      await storage.close();
      await opened.close();
    });

    const answer = async (resume: unknown) => {
      statements = 0;
      const { thread_id: threadId } = await storage.ops.threads.put(
        newId(),
        { if_exists: "raise" },
        undefined,
      );
      const request = { name: "pay", args: { note: "a\0b" }, description: "Run pay?" };
      const value = {
        action_requests: ["1", "2", "3"].map((id) => ({ ...request, id })),
        review_configs: ["1", "2", "3"].map(() => ({
          action_name: "pay",
          allowed_decisions: ["approve", "edit", "reject"],
        })),
      };
      await opened.database.query(
        "update plangraph.threads set status = 'interrupted', interrupts = $2 where thread_id = $1",
        [threadId, JSON.stringify({ task: [{ id: "i", value }] }).replaceAll("\\u0000", "?")],
      );
      const { ops, assistant } = storage;
      await ops.runs.put(newId(), assistant, { command: { resume } }, { threadId }, loginOf("ann"));
      const kept = [];
      for await (const one of decisionsIn(opened.database, { thread: threadId })) kept.push(one);
      return kept;
    };

    it("records the decisions of a run together, in their order", async () => {
      const args = { note: "c\0d" };
      const kept = await answer({
        decisions: [
          { type: "reject", id: "3", message: "Not\0now." },
          { type: "edit", id: "1", edited_action: { name: "pay", args }, by: "the boss" },
          { type: "approve", id: "2" },
        ],
      });
      expect(kept).toMatchObject([
        {
          type: "reject",
          requestId: "3",
          message: "Not\ufffdnow.",
          by: null,
          args: { note: "a?b" },
        },
        { type: "edit", requestId: "1", message: null, by: "the boss", args },
        { type: "approve", requestId: "2", tool: "pay", identity: "ann" },
      ]);
      expect(statements).toBe(1);
    });

    it("records nothing of an answer without a decision", async () => {
      expect(await answer({ decisions: [] })).toEqual([]);
      expect(statements).toBe(0);
    });
  });
});
