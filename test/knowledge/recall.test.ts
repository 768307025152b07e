import { describe, expect, it } from "vitest";

import type { Knowledge } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";

const pages = Array.from({ length: 12 }, (_, at) => ({
  name: `p${at}.md`,
  content: `# Topic ${at}\n\nKettle number ${at} boils water. ${"It is made of steel. ".repeat(at)}`,
}));

const secret = (tenant: string) => `# Prices\n\nThe discount of ${tenant} is secret-${tenant}.`;

const bySource = async (_question: string, chunks: readonly { readonly source: string }[]) =>
  chunks.map(({ source }) => (source === "p7.md" ? 0.9 : 0.1));
const failing = async () => {
  throw new Error("no answer");
};

describeStores((base) => {
  describe("recall", () => {
    it("gives the first hits of a longer list for a shorter one, and the same twice", async () => {
      const knowledge = await base({ embeddings: new HashedEmbeddings() });
      await knowledge.ingest(pages);
      const idsOf = async (topK: number) =>
        (await knowledge.recall("Which kettle is made of steel?", { topK })).hits.map(
          ({ id }) => id,
        );
      const eight = await idsOf(8);
      expect(eight).toHaveLength(8);
      expect(await idsOf(3)).toEqual(eight.slice(0, 3));
      expect(await idsOf(8)).toEqual(eight);
    });

    it("tells what each stage found", async () => {
      const knowledge = await base({ embeddings: new HashedEmbeddings() });
      await knowledge.ingest([
        ...pages,
        { name: "qa.csv", content: "question,answer\nHow hot?,Very.\n" },
      ]);
      const { stages, notes } = await knowledge.recall("How hot is kettle 3?");
      expect(stages.map(({ stage }) => stage)).toEqual([
        "keyword",
        "content",
        "question",
        "fused",
        "reranked",
      ]);
      for (const { candidates, query } of stages) {
        const scores = candidates.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((left, right) => right - left));
        expect(query).toBe("How hot is kettle 3?");
      }
      expect(stages.find(({ stage }) => stage === "question")?.candidates).toHaveLength(1);
      expect(notes).toEqual([]);
    });

    it("answers by words when the embedding model fails, and says so", async () => {
      const embeddings = new HashedEmbeddings();
      const knowledge = await base({ embeddings });
      await knowledge.ingest(pages);
      embeddings.failure = new Error("connection refused");
      const { hits, notes, stages } = await knowledge.recall("kettle 3");
      expect(hits[0]?.source).toBe("p3.md");
      expect(notes).toEqual([
        "recall without content: connection refused",
        "recall without question: connection refused",
      ]);
      expect(stages.find(({ stage }) => stage === "content")).toMatchObject({
        candidates: [],
        error: "connection refused",
      });
    });

    it("says once that it finds by words only", async () => {
      const knowledge = await base();
      await knowledge.ingest(pages);
      expect((await knowledge.recall("kettle")).notes).toEqual([
        "recall by words only: no embedding model",
      ]);
    });

    it("looks for all forms of a question", async () => {
      const knowledge = await base();
      await knowledge.ingest([
        { name: "apple.md", content: "# 苹果\n\n苹果可以放七天。" },
        { name: "cake.md", content: "# 糕点\n\n糕点可以放三天。" },
      ]);
      const { hits } = await knowledge.recall("可以放多久", { also: ["苹果可以放多久"] });
      expect(hits[0]?.source).toBe("apple.md");
    });

    it("finds nothing in an empty base, and nothing for foreign words", async () => {
      const knowledge = await base({ embeddings: new HashedEmbeddings() });
      expect((await knowledge.recall("kettle")).hits).toEqual([]);
      const words = await base();
      await words.ingest(pages);
      expect((await words.recall("zebra")).hits).toEqual([]);
    });

    it("refuses an empty question, cuts a long one, and stands one of signs only", async () => {
      const knowledge = await base();
      await knowledge.ingest(pages);
      await expect(knowledge.recall("  ")).rejects.toMatchObject({ code: "invalid_input" });
      const long = await knowledge.recall(`kettle ${"x ".repeat(5_000)}`);
      expect(long.notes).toContain("the question was cut to 2000 characters");
      expect(long.hits).not.toEqual([]);
      expect((await knowledge.recall('"*(!) AND NEAR -')).hits).toBeDefined();
      expect((await knowledge.recall("???")).hits).toEqual([]);
    });

    it("holds hits to the score that is asked for, and never gives more than it is asked for", async () => {
      const knowledge = await base();
      await knowledge.ingest(pages);
      const { hits } = await knowledge.recall("kettle 3 steel", { topK: 20 });
      const bar = hits[2]?.score ?? 1;
      const held = await knowledge.recall("kettle 3 steel", { topK: 20, minScore: bar });
      expect(held.hits.length).toBeLessThan(hits.length);
      for (const { score } of held.hits) expect(score).toBeGreaterThanOrEqual(bar);
      for (const { score } of hits) expect(score).toBeLessThanOrEqual(1);
    });
  });

  describe("days", () => {
    const rows =
      "question,answer,from,until\n折扣？,统一九折,2025-01-01,2025-12-31\n折扣多少？,统一八八折,2026-01-01,\n";

    it.each([
      { at: "2025-06-01T12:00:00Z", answers: ["统一九折"] },
      { at: "2026-06-01T12:00:00Z", answers: ["统一八八折"] },
      { at: "2024-06-01T12:00:00Z", answers: [] },
      // The last day counts to its end, in the time zone of the base.
      { at: "2025-12-31T15:59:00Z", answers: ["统一九折"] },
      { at: "2025-12-31T16:01:00Z", answers: ["统一八八折"] },
    ])("at $at only what is valid is found", async ({ at, answers }) => {
      const knowledge = await base({
        embeddings: new HashedEmbeddings(),
        timeZone: "Asia/Shanghai",
      });
      await knowledge.ingest([{ name: "qa.csv", content: rows }]);
      const { hits, stages } = await knowledge.recall("统一九折的折扣", { at: new Date(at) });
      expect(hits.map(({ text }) => text)).toEqual(answers);
      for (const { candidates } of stages)
        expect(candidates.length).toBeLessThanOrEqual(answers.length);
    });
  });

  describe("who may find what", () => {
    async function shared(): Promise<Knowledge> {
      const knowledge = await base({ embeddings: new HashedEmbeddings() });
      for (const tenant of ["a", "b"]) {
        await knowledge.ingest([{ name: `${tenant}.md`, content: secret(tenant) }], {
          metadata: { tenant },
        });
      }
      await knowledge.ingest([{ name: "all.md", content: "# Prices\n\nPrices are public." }]);
      return knowledge;
    }

    it("a filter finds what has one of its values, and nothing without the name", async () => {
      const knowledge = await shared();
      const sourcesFor = async (filter: Record<string, string | string[]>) =>
        (await knowledge.recall("discount prices", { filter })).hits
          .map(({ source }) => source)
          .toSorted();
      expect(await sourcesFor({ tenant: "a" })).toEqual(["a.md"]);
      expect(await sourcesFor({ tenant: ["a", "b"] })).toEqual(["a.md", "b.md"]);
      expect(await sourcesFor({ tenant: "c" })).toEqual([]);
      expect(await sourcesFor({ tenant: [] })).toEqual([]);
      expect(await sourcesFor({ other: "a" })).toEqual([]);
      expect(await sourcesFor({ tenant: "a' OR '1'='1" })).toEqual([]);
    });

    it.each<{ name: string; filter: Record<string, string | string[]> }>([
      { name: "no filter", filter: {} },
      { name: "another tenant", filter: { tenant: "b" } },
      { name: "both tenants", filter: { tenant: ["a", "b"] } },
      { name: "a filter of another name", filter: { product: "x" } },
    ])("what is restricted cannot be loosened by $name", async ({ filter }) => {
      const knowledge = (await shared()).restrictedTo({ tenant: "a" });
      const { hits, stages } = await knowledge.recall("secret-b discount of b", {
        filter,
        topK: 50,
      });
      expect(JSON.stringify(hits)).not.toContain("secret-b");
      const found = new Set(stages.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
      expect(found.size).toBeLessThanOrEqual(1);
      const again = knowledge.restrictedTo({ tenant: "b" });
      expect((await again.recall("secret-b")).hits).toEqual([]);
    });

    it("scores tell nothing about words of others", async () => {
      const scoresBeside = async (other: string) => {
        const knowledge = await base();
        await knowledge.ingest(pages, { metadata: { tenant: "a" } });
        await knowledge.ingest([{ name: "other.md", content: other }], {
          metadata: { tenant: "b" },
        });
        const { hits, stages } = await knowledge
          .restrictedTo({ tenant: "a" })
          .recall("kettle of the secret merger");
        return [hits, stages.map(({ candidates }) => candidates)];
      };
      const without = await scoresBeside("# Plans\n\nNothing but a picnic, picnic.");
      expect(without[0]).not.toEqual([]);
      expect(await scoresBeside("# Plans\n\nNothing but a secret merger.")).toEqual(without);
    });

    it("the only text of a tenant scores as it would in a base of its own", async () => {
      const scores = [];
      for (const others of [[], pages]) {
        const knowledge = await base();
        await knowledge.ingest(others, { metadata: { tenant: "b" } });
        const own = [{ name: "s.md", content: "one kettle of steel among things" }];
        await knowledge.ingest(own, { metadata: { tenant: "a" } });
        const { hits } = await knowledge.restrictedTo({ tenant: "a" }).recall("kettle of steel");
        scores.push(hits[0]?.score ?? 0);
      }
      expect(Math.min(...scores)).toBeGreaterThan(0.3);
    });

    it("a small tenant is found among many others", async () => {
      const knowledge = await base();
      const crowd = Array.from({ length: 200 }, (_, at) => ({
        name: `x${at}.md`,
        content: "kettle kettle kettle",
      }));
      await knowledge.ingest(crowd, { metadata: { tenant: "big" } });
      await knowledge.ingest([{ name: "s.md", content: "one kettle among other things here" }], {
        metadata: { tenant: "small" },
      });
      const { hits } = await knowledge.recall("kettle", { filter: { tenant: "small" } });
      expect(hits.map(({ source }) => source)).toEqual(["s.md"]);
    });
  });

  describe("a reranker of the caller", () => {
    it("orders what was found; its scores are the final ones", async () => {
      const knowledge = await base({ rerank: bySource });
      await knowledge.ingest(pages);
      const { hits } = await knowledge.recall("kettle steel", { minScore: 0.5 });
      expect(hits.map(({ source, score }) => [source, score])).toEqual([["p7.md", 0.9]]);
    });

    it("that fails leaves the order of the features, and is noted", async () => {
      const knowledge = await base({ rerank: failing });
      await knowledge.ingest(pages);
      const plain = await base();
      await plain.ingest(pages);
      const { hits, notes } = await knowledge.recall("kettle 3");
      expect(hits.map(({ id }) => id)).toEqual(
        (await plain.recall("kettle 3")).hits.map(({ id }) => id),
      );
      expect(notes).toContain("recall without reranked: no answer");
    });
  });

  it("a base is a retriever of LangChain", async () => {
    const knowledge = await base();
    await knowledge.ingest(pages);
    const documents = await knowledge.asRetriever({ topK: 2 }).invoke("kettle 3");
    expect(documents).toHaveLength(2);
    expect(documents[0]).toMatchObject({
      pageContent: expect.stringContaining("Kettle number 3"),
      metadata: { source: "p3.md", line: 3, path: ["Topic 3"] },
    });
  });

  describe("measuring a base", () => {
    it("gives hits, ranks and a threshold, which later recalls keep", async () => {
      const knowledge = await base();
      await knowledge.ingest(pages);
      const questions = [
        ...Array.from({ length: 10 }, (_, at) => ({
          question: `Kettle number ${at}?`,
          source: `p${at}.md`,
        })),
        { question: "Which kettle has a gold handle, a diamond lid and a warranty?" },
        { question: "Who wrote the novel?" },
      ];
      const checked = await knowledge.check(questions);
      expect(checked).toMatchObject({ answerable: 10, unanswerable: 2, missed: [] });
      const final = checked.stages.find(({ stage }) => stage === "reranked");
      expect(final?.measures.hit5).toBe(1);
      expect(checked.refusal).toMatchObject({ refusedRightly: 1, refusedWrongly: 0 });
      expect(
        (await knowledge.recall("Which kettle has a gold handle, a diamond lid and a warranty?"))
          .hits,
      ).toEqual([]);
      expect((await knowledge.recall("Kettle number 4?")).hits[0]?.source).toBe("p4.md");
    });

    it("names the questions that it misses, and keeps no threshold if it is told so", async () => {
      const knowledge = await base();
      await knowledge.ingest(pages);
      const questions = [{ question: "kettle", text: "no such words" }, { question: "zebra" }];
      const checked = await knowledge.check(questions, { save: false });
      expect(checked.missed).toEqual([{ question: "kettle" }]);
      expect((await knowledge.recall("kettle")).minScore).toBe(0);
    });

    it.each([
      { questions: [], told: "there is none" },
      { questions: [{ question: " ", where: "line 2" }], told: "line 2 is empty" },
      {
        questions: [{ question: "a" }, { question: "a", where: "line 3" }],
        told: "line 3 asks what another one asks",
      },
    ])("refuses questions that cannot be measured: $told", async ({ questions, told }) => {
      const knowledge = await base();
      await expect(knowledge.check(questions)).rejects.toThrow(told);
    });
  });
});
