import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Bell, newBell } from "../../../src/server/postgres/bell.js";
import type { Database } from "../../../src/server/postgres/database.js";
import { databases, type OpenedDatabase, openStorage } from "../../support/ops.js";

/** A database that answers a claim only after `answer`, and tells `asked` that it has been made. */
function slowClaims(database: Database, { asked, answer }: Record<"asked" | "answer", Bell>) {
  const query: Database["query"] = async (sql, values) => {
    const rows = await database.query(sql, values);
    if (!sql.includes("plangraph.claim(") || rows.length === 0) return rows;
    asked.ring();
    await answer.rung(20_000);
    return rows;
  };
  return { ...database, query };
}

describe.each(databases)("a process of a database $name that stops", ({ isSkipped, open }) => {
  describe.skipIf(isSkipped)("while it takes a run", () => {
    let opened: OpenedDatabase;
    beforeAll(async () => {
      opened = await open();
    }, 120_000);
    afterAll(async () => {
      await opened.close();
    });

    it("gives it back: another one takes it at once", async () => {
      const bells = { asked: newBell(), answer: newBell() };
      const stopping = await openStorage(slowClaims(opened.database, bells));
      const other = await openStorage(opened.database);
      const [added] = await other.add();
      let isTaken = false;
      void stopping.ops.runs
        .next()
        .next()
        .then(() => (isTaken = true));
      await bells.asked.rung(20_000);
      const closed = stopping.close();
      bells.answer.ring();
      await closed;
      expect(isTaken).toBe(false);
      const given = await other.ops.runs.get(added?.run_id ?? "", undefined, undefined);
      expect(given?.status).toBe("pending");
      const { value } = await other.ops.runs.next().next();
      expect(value?.run.run_id).toBe(added?.run_id);
      await other.close();
    });
  });
});
