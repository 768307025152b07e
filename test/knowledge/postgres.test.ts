import { inspect } from "node:util";

import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type Knowledge, type KnowledgeOptions, openKnowledge } from "../../src/knowledge/index.js";
import { createConsole } from "../cli/console.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { type Postgres, startPostgres, whyNoPostgres } from "../support/postgres.js";

const reason = whyNoPostgres({ pgvector: true });
const password = "hunter2-is-secret";
const opened: Knowledge[] = [];
let server: Postgres;
let count = 0;

beforeAll(async () => {
  if (reason === undefined) server = await startPostgres({ pgvector: true });
}, 90_000);
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => server?.stop());

function newSchema(): string {
  count += 1;
  return `own${count}`;
}

function addressOf(schema: string) {
  return { url: server.url.replace("plangraph@", `plangraph:${password}@`), schema };
}

async function base(schema: string, options: KnowledgeOptions = {}): Promise<Knowledge> {
  return opening({ postgres: addressOf(schema), ...options });
}

async function opening(options: KnowledgeOptions): Promise<Knowledge> {
  const made = await openKnowledge(options);
  opened.push(made);
  return made;
}

/** Runs statements as an operator does. */
async function operate(...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const page = (name: string, content: string) => ({ name, content });
const shelf = Array.from({ length: 30 }, (_, at) =>
  page(
    `p${at}.md`,
    `# Topic ${at}\n\nKettle ${at} of steel.\n\n# Fee ${at}\n\nIt costs ${at} euros.`,
  ),
);
const sheet = page("qa.csv", "question,answer\nHow many days?,Three days.\n");

const ask = async (one: Knowledge) =>
  (await one.recall("kettle of steel", { topK: 50 })).hits.map(({ id }) => id);

describe.skipIf(reason !== undefined)(
  `a base in Postgres${reason ? ` (skipped: ${reason})` : ""}`,
  () => {
    it("is made once, however many open it at once, and needs no pgvector for words", async () => {
      const schema = newSchema();
      const all = await Promise.all(Array.from({ length: 8 }, () => base(schema)));
      await Promise.all(
        all.map((one, at) => one.ingest([page(`${at}.md`, `# H\n\nkettle ${at}`)])),
      );
      expect(await all[0]?.sources()).toHaveLength(8);
    });

    it("keeps each source whole when several programs read it at once", async () => {
      const schema = newSchema();
      const edition = (name: string) =>
        page(
          "fees.md",
          Array.from(
            { length: 30 },
            (_, at) => `# H${at}\n\nText ${at % 3 === 0 ? "of all" : name}.`,
          ).join("\n\n"),
        );
      const programs = await Promise.all(
        ["one", "two", "three"].map(async (name) => ({
          name,
          knowledge: await base(schema, { embeddings: new HashedEmbeddings() }),
        })),
      );
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          programs.map(({ name, knowledge }) =>
            knowledge.ingest([
              edition(`${name} ${round}`),
              page(`${name}.md`, `# ${name}\n\nText of all.`),
            ]),
          ),
        );
        const [first] = programs;
        const { hits } = (await first?.knowledge.recall("Text", { topK: 50 })) ?? { hits: [] };
        const texts = new Set(
          hits.filter(({ source }) => source === "fees.md").map(({ text }) => text),
        );
        expect(texts.size).toBe(2);
        const name = [...texts].find((text) => text !== "Text of all.")?.slice(5, -1) ?? "";
        expect(await first?.knowledge.ingest([edition(name)])).toMatchObject({
          unchanged: 30,
          embedded: 0,
        });
      }
    });

    it("keeps and finds what Postgres cannot hold as it is: NULs, long words and long metadata", async () => {
      const long = Array.from({ length: 6_000 }, (_, at) =>
        String.fromCharCode(97 + ((at * at) % 26)),
      ).join("");
      const xml = (bytes: Uint8Array) => ({
        pieces: [
          {
            path: ["a\0b"],
            text: `${Buffer.from(bytes).toString()}\0 ${long}`,
            line: 1,
            questions: [],
            metadata: { "n\0": [long] },
          },
        ],
        problems: [],
      });
      const knowledge = await base(newSchema(), { readers: { ".xml": xml } });
      await knowledge.ingest([page("nul\0.xml", "kettle"), page("other\u001A0.xml", "kettle")], {
        metadata: { tenant: "a\0" },
      });
      expect(
        await knowledge.ingest([page("nul\0.xml", "kettle")], { metadata: { tenant: "a\0" } }),
      ).toMatchObject({ unchanged: 1 });
      expect((await knowledge.sources()).map(({ name }) => name)).toEqual([
        "nul\0.xml",
        "other\u001A0.xml",
      ]);
      const found = async (question: string, filter: Record<string, string>) =>
        (await knowledge.recall(question, { filter })).hits.length;
      expect(await found(`kettle ${long.slice(0, 50)}`, { tenant: "a\0", "n\0": long })).toBe(2);
      expect(await found("kettle", { tenant: "a\u001A0" })).toBe(0);
      expect(await found("kettle", { tenant: "a" })).toBe(0);
    });

    it("uses an index of vectors that an operator has made, and pgvector in whichever schema it is", async () => {
      const schema = newSchema();
      const plain = await base(schema, { embeddings: new HashedEmbeddings() });
      await plain.ingest(shelf, { metadata: { tenant: "a" } });
      const before = await ask(plain);
      await operate(
        "CREATE SCHEMA IF NOT EXISTS extensions",
        "ALTER EXTENSION vector SET SCHEMA extensions",
        `CREATE INDEX ON ${schema}.embedding USING hnsw (numbers extensions.vector_ip_ops)`,
        "ALTER ROLE plangraph SET enable_seqscan = off",
      );
      try {
        const indexed = await base(schema, { embeddings: new HashedEmbeddings() });
        expect(await ask(indexed)).toEqual(before);
        expect(await ask(indexed.restrictedTo({ tenant: "b" }))).toEqual([]);
      } finally {
        await operate(
          "ALTER ROLE plangraph RESET enable_seqscan",
          "ALTER EXTENSION vector SET SCHEMA public",
        );
      }
    });

    it("is embedded anew by a model of another dimension", async () => {
      const schema = newSchema();
      await (await base(schema, { embeddings: new HashedEmbeddings("one") })).ingest(shelf);
      const other = await base(schema, { embeddings: new HashedEmbeddings("other", 32) });
      await other.ingest(shelf, { reembed: true });
      const { hits, notes } = await other.recall("kettle");
      expect([hits.length, notes]).toEqual([5, []]);
    });

    it("refuses a schema of something else, and one of a newer form", async () => {
      const [foreign, newer] = [newSchema(), newSchema()];
      await base(newer);
      await operate(
        `CREATE SCHEMA ${foreign}`,
        `CREATE TABLE ${foreign}.orders (id integer)`,
        `UPDATE ${newer}.plangraph_form SET version = 99`,
      );
      await expect(base(foreign)).rejects.toMatchObject({
        code: "knowledge_failed",
        message: expect.stringMatching(/schema own\d+: it holds something else/),
      });
      await expect(base(newer)).rejects.toThrow("its form 99 is of a newer plangraph");
    });

    it("is made by whoever may only use a schema that an administrator has made", async () => {
      const schema = newSchema();
      await operate(
        `CREATE ROLE guest LOGIN`,
        `CREATE SCHEMA ${schema} AUTHORIZATION guest`,
        "REVOKE CREATE ON DATABASE postgres FROM PUBLIC",
      );
      const url = server.url.replace("plangraph@", "guest@");
      const knowledge = await opening({ postgres: { url, schema } });
      expect(await knowledge.ingest(shelf)).toMatchObject({ added: 60 });
      await expect(openKnowledge({ postgres: { url, schema: newSchema() } })).rejects.toThrow(
        "permission denied",
      );
    });

    it("is a place for the command line, too", async () => {
      const url = addressOf("knowledge").url;
      const run = async (...argv: readonly string[]) => {
        const console = createConsole({ environment: { PLANGRAPH_KNOWLEDGE: url } });
        return { status: await console.run(...argv), ...console.written };
      };
      expect(await run("ingest", "README.md")).toMatchObject({ status: 0, stderr: "" });
      const { stdout } = await run("recall", "planning agents");
      expect(stdout).toContain("README.md");
      expect(
        await run("react", "What is 2 + 2?", "--model", "offline", "--knowledge", url),
      ).toMatchObject({ status: 0 });
    });

    it("outlives its connections, and says what is wrong, without the password, when the server is gone", async () => {
      const schema = newSchema();
      const embeddings = new HashedEmbeddings();
      const knowledge = await base(schema, { embeddings });
      await knowledge.ingest(shelf);
      await operate(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plangraph'",
      );
      await expect
        .poll(
          async () => (await knowledge.recall("kettle").catch(() => ({ hits: [] }))).hits.length,
        )
        .toBe(5);
      await server.stop();
      const calls = [
        () => knowledge.recall("kettle"),
        () => knowledge.ingest(shelf),
        () => knowledge.sources(),
        () => base(schema),
      ];
      for (const call of calls) {
        const error: unknown = await call().catch((one: unknown) => one);
        expect(error).toMatchObject({
          code: "knowledge_failed",
          message: expect.stringContaining(`schema ${schema}: `),
        });
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password);
      }
      await knowledge.close();
      await knowledge.close();
    });
  },
);

const without = whyNoPostgres();

it.skipIf(without !== undefined)(
  `a server without pgvector serves words, and says what vectors need${without ? ` (skipped: ${without})` : ""}`,
  async () => {
    const plain = await startPostgres();
    const postgres = { url: plain.url };
    try {
      const text = await opening({ postgres });
      await text.ingest([sheet]);
      const embeddings = new HashedEmbeddings();
      const knowledge = await opening({ postgres, embeddings });
      const failed = knowledge.ingest([page("a.md", "# H\n\nkettle")]);
      await expect(failed).rejects.toMatchObject({
        code: "missing_package",
        message: expect.stringContaining("Install pgvector"),
      });
      expect(embeddings.passages).toEqual([]);
      expect((await knowledge.recall("How many days?")).hits[0]?.text).toBe("Three days.");
      for (const one of opened.splice(0)) await one.close();
    } finally {
      await plain.stop();
    }
  },
  90_000,
);

describe("the address of a base in Postgres", () => {
  it.each<{ what: string; options: KnowledgeOptions; told: string }>([
    {
      what: "with a file beside it",
      options: { file: "a.db", postgres: "postgresql://a" },
      told: "give one of the options file and postgres",
    },
    {
      what: "of another kind",
      options: { postgres: `mysql://u:${password}@h/d` },
      told: "expected an address",
    },
    {
      what: "that is none",
      options: { postgres: `postgresql://u:${password}@:x:y/` },
      told: "expected an address",
    },
    {
      what: "with a schema that is no name",
      options: { postgres: { url: `postgresql://u:${password}@h/d`, schema: 'a"; DROP' } },
      told: "expected up to 63 letters",
    },
  ])("$what is refused, without its password", async ({ options, told }) => {
    const error: unknown = await openKnowledge(options).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "invalid_option", message: expect.stringContaining(told) });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password);
  });
});
