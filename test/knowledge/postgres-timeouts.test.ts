import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openKnowledge } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { type Postgres, startPostgres, whyNoPostgres } from "../support/postgres.js";

const reason = whyNoPostgres({ pgvector: true });
const password = "hunter2-is-secret";
const timeoutMs = 300;
const pages = [{ name: "a.md", content: "# Kettle\n\nThe kettle boils." }];

let server: Postgres;
beforeAll(async () => {
  if (reason === undefined) server = await startPostgres({ pgvector: true });
}, 90_000);
afterAll(() => server?.stop());

const late = (what: string) => ({
  code: "knowledge_failed",
  message: expect.stringMatching(
    new RegExp(
      `^The knowledge base postgres.*: no ${what} from the server within 300 ms; the setting timeoutMs of postgres is 300\\.$`,
    ),
  ),
});

it("a server that says nothing is not waited for", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => {
    silent.listen(0, "127.0.0.1", resolve);
  });
  const at = silent.address();
  const port = typeof at === "object" ? at?.port : undefined;
  const url = `postgresql://u:${password}@127.0.0.1:${port}/d`;
  const opening = openKnowledge({ postgres: { url, timeoutMs } });
  const error: unknown = await opening.catch((one: unknown) => one);
  expect(error).toMatchObject(late("connection"));
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password);
  silent.close();
});

describe.skipIf(reason !== undefined)(
  `a base in Postgres${reason ? ` (skipped: ${reason})` : ""}`,
  () => {
    /** Runs work while an operator holds a lock. */
    async function locked<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
      const operator = new Client({ connectionString: server.url });
      await operator.connect();
      await operator.query(`BEGIN; LOCK TABLE ${lock} MODE`);
      try {
        return await work();
      } finally {
        await operator.end();
      }
    }

    async function opened(schema: string) {
      const url = server.url.replace("plangraph@", `plangraph:${password}@`);
      const postgres = { url, schema, timeoutMs };
      const knowledge = await openKnowledge({ postgres, embeddings: new HashedEmbeddings() });
      await knowledge.ingest(pages);
      return knowledge;
    }

    it("that does not answer in time says so, without the password, and is asked again", async () => {
      const knowledge = await opened("hung");
      await locked("hung.fact IN ACCESS EXCLUSIVE", async () => {
        const error: unknown = await knowledge.recall("kettle").catch((one: unknown) => one);
        expect(error).toMatchObject(late("answer"));
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password);
      });
      expect((await knowledge.recall("kettle")).hits).toHaveLength(1);
      await knowledge.close();
    });

    it("gives writes longer", async () => {
      const knowledge = await opened("slow");
      const more = [{ name: "b.md", content: "More." }];
      const ingesting = await locked("slow.chunk IN SHARE", async () => {
        const begun = { report: knowledge.ingest(more) };
        await pause(4 * timeoutMs);
        expect(await knowledge.sources()).toHaveLength(1);
        return begun;
      });
      expect(await ingesting.report).toMatchObject({ added: 1, embedded: 1 });
      await knowledge.close();
    });
  },
);
