import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type Filter,
  type Knowledge,
  type KnowledgeOptions,
  openKnowledge,
} from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { type Postgres, startPostgres, whyNoPostgres } from "../support/postgres.js";

const reason = whyNoPostgres({ pgvector: true });
const words = "kettle parcel refund steel fee days warranty 八折 佣金 红茶 包裹".split(" ");
const page = (name: string, content: string) => ({ name, content });

/** Pieces of different lengths with the same words in other numbers, some of them equal. */
const shelf = Array.from({ length: 30 }, (_, at) => {
  const pieces = Array.from({ length: 1 + (at % 3) }, (_none, part) => {
    const length = 4 + ((at * 7 + part * 3) % 23);
    const own = Array.from(
      { length },
      (_no, place) => words[(at * at + place * (part + 2)) % words.length],
    );
    return `# ${own[0]} ${at % 10} ${own[1]}\n\n${own.join(" ")}.`;
  });
  return page(`p${at}.md`, pieces.join("\n\n"));
});
const sheet = page(
  "qa.csv",
  "question,answer,until,product\nHow many days?,Three days.,,a\nkettle of steel,Two.,2020-01-01,b\n红茶多少？,八折。,,a\n",
);
const edited = page("p3.md", "# refund 9\n\nkettle kettle 红茶 of steel.");
const questions = [
  ...words,
  "Which kettle of steel has a warranty?",
  "八折的红茶和佣金 days",
  "kettle 3 refund fee",
  "zebra",
];

async function filled(options: KnowledgeOptions): Promise<Knowledge> {
  const knowledge = await openKnowledge(options);
  await knowledge.ingest([...shelf, sheet], { metadata: { tenant: "a" } });
  await knowledge.ingest([edited], { metadata: { tenant: "b" } });
  await knowledge.remove("p5.md");
  return knowledge;
}

/** The legs of a recall. Vectors are multiplied by each store in its own way: their scores are only nearly the same. */
async function legs(knowledge: Knowledge, question: string, filter: Filter) {
  const { stages } = await knowledge.recall(question, { filter, topK: 50 });
  const of = (name: string) => stages.find(({ stage }) => stage === name)?.candidates ?? [];
  const vectors = [...of("content"), ...of("question")].map(({ score }) => score);
  return { words: of("keyword"), vectors, found: stages.length };
}

describe.skipIf(reason !== undefined)(
  `SQLite and Postgres${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    let server: Postgres;
    let sqlite: Knowledge;
    let postgres: Knowledge;
    beforeAll(async () => {
      server = await startPostgres({ pgvector: true });
      sqlite = await filled({ embeddings: new HashedEmbeddings() });
      postgres = await filled({ postgres: server.url, embeddings: new HashedEmbeddings() });
    }, 90_000);
    afterAll(async () => {
      await sqlite.close();
      await postgres.close();
      await server.stop();
    });

    it.each([{}, { tenant: "b" }, { product: ["a", "b"], tenant: "a" }])(
      "find the same with the same scores, filtered by %j",
      async (filter) => {
        for (const question of questions) {
          const theirs = await legs(sqlite, question, filter);
          const vectors = theirs.vectors.map((score) => expect.closeTo(score, 6));
          const found = theirs.words.map(({ id, score }) => ({
            id,
            score: expect.closeTo(score, 12),
          }));
          expect(await legs(postgres, question, filter)).toEqual({
            ...theirs,
            words: found,
            vectors,
          });
        }
      },
    );

    it("agree after their terms have changed", async () => {
      const terms = { synonyms: { 红茶: ["black tea"] } };
      const pair = [await filled({ terms }), await openKnowledge({ postgres: server.url, terms })];
      const [theirs, ours] = await Promise.all(
        pair.map((one) => legs(one, "black tea, kettle", {})),
      );
      expect(theirs?.words.length).toBeGreaterThan(5);
      expect(ours?.words.map(({ id }) => id)).toEqual(theirs?.words.map(({ id }) => id));
      for (const one of pair) await one.close();
    });
  },
);
