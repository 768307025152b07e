import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { describe, expect, it } from "vitest";

import { openKnowledge } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";

const pages = Array.from({ length: 30 }, (_, page) => ({
  name: `p${page}.md`,
  content: Array.from(
    { length: 10 },
    (_none, at) =>
      `# Part ${at}\n\nPage ${page} tells of thing ${page * 31 + at * 7} and of ${at}.`,
  ).join("\n\n"),
}));

/** A vector store in memory that counts, and can be told to misbehave. */
class Store extends MemoryVectorStore {
  readonly asked: number[] = [];
  readonly removed: string[] = [];
  failure: Error | undefined;
  /** What is found in place of what is near. */
  instead: readonly string[] | undefined;

  constructor() {
    super(new HashedEmbeddings());
  }

  override async delete({ ids = [] }: { ids?: string[] } = {}): Promise<void> {
    this.removed.push(...ids);
    throw new Error("Not implemented.");
  }

  override async similaritySearchVectorWithScore(query: number[], k: number) {
    if (this.failure !== undefined) throw this.failure;
    this.asked.push(k);
    const found = await super.similaritySearchVectorWithScore(query, k);
    // Distances, as some stores give, in no order.
    const scored = found.map(([document]) => [document, -7] as (typeof found)[number]);
    return this.instead === undefined ? scored.toReversed() : [];
  }
}

const question = "Which page tells of thing 45?";

describeStores((base) => {
  describe("a vector store of LangChain", () => {
    it("proposes what is near: the same is found as without it, by a few of its vectors", async () => {
      const plain = await base({ embeddings: new HashedEmbeddings() });
      await plain.ingest(pages);
      const vectors = new Store();
      const knowledge = await base({ embeddings: new HashedEmbeddings(), vectors });
      await knowledge.ingest(pages);
      const own = await knowledge.recall(question, { topK: 5 });
      const other = await plain.recall(question, { topK: 5 });
      expect(own.hits.map(({ id }) => id)).toEqual(other.hits.map(({ id }) => id));
      expect(vectors.asked).toContain(400);
    });

    it("gets no text and no metadata of the base", async () => {
      const vectors = new Store();
      const knowledge = await base({ embeddings: new HashedEmbeddings(), vectors });
      await knowledge.ingest(pages.slice(0, 2), { metadata: { tenant: "a" } });
      expect(vectors.memoryVectors).toHaveLength(20);
      expect(JSON.stringify(vectors.memoryVectors)).not.toMatch(/tells|tenant|Part/);
    });

    it("cannot loosen who may find what, however near the others' vectors are", async () => {
      const vectors = new Store();
      const knowledge = await base({ embeddings: new HashedEmbeddings(), vectors });
      await knowledge.ingest(pages, { metadata: { tenant: "big" } });
      const own = { name: "small.md", content: "# Small\n\nNothing of that kind." };
      await knowledge.ingest([own], { metadata: { tenant: "small" } });
      const small = knowledge.restrictedTo({ tenant: "small" });
      const { hits, stages } = await small.recall(question, { topK: 50, minScore: 0 });
      const found = new Set(stages.flatMap(({ candidates }) => candidates.map(({ id }) => id)));
      expect(hits.map(({ source }) => source)).toEqual(["small.md"]);
      expect(found.size).toBe(1);
    });

    it("that has lost what it had, or proposes strangers, never makes a recall empty", async () => {
      const vectors = new Store();
      const knowledge = await base({ embeddings: new HashedEmbeddings(), vectors });
      await knowledge.ingest(pages);
      vectors.memoryVectors = [];
      const { stages } = await knowledge.recall(question);
      expect(stages.find(({ stage }) => stage === "content")?.candidates).toHaveLength(50);
      vectors.instead = ["no-such-hash"];
      expect((await knowledge.recall(question)).hits).toHaveLength(5);
    });

    it("that fails is noted, and the words answer", async () => {
      const vectors = new Store();
      const knowledge = await base({ embeddings: new HashedEmbeddings(), vectors });
      await knowledge.ingest(pages);
      vectors.failure = new Error("index is down");
      const { hits, notes } = await knowledge.recall(question);
      expect(hits).toHaveLength(5);
      expect(notes).toContain("recall without content: index is down");
    });

    it("that removes nothing finds nothing that is gone", async () => {
      const vectors = new Store();
      const knowledge = await base({ embeddings: new HashedEmbeddings(), vectors });
      await knowledge.ingest(pages);
      await knowledge.remove("p1.md");
      expect(vectors.removed).toHaveLength(10);
      const { hits } = await knowledge.recall("Page 1 tells of thing 45 and of 2.", { topK: 50 });
      expect(hits.map(({ source }) => source)).not.toContain("p1.md");
    });
  });
});

describeStores((base, newPlace) => {
  it("a vector store that comes later is filled by the next ingest, without embedding anything", async () => {
    const place = newPlace();
    const first = await base({ ...place, embeddings: new HashedEmbeddings() });
    await first.ingest(pages);
    const vectors = new Store();
    const embeddings = new HashedEmbeddings();
    const later = await base({ ...place, embeddings, vectors });
    expect((await later.recall(question)).hits).toHaveLength(5);
    expect(vectors.asked).toEqual([]);
    expect(await later.ingest(pages)).toMatchObject({ embedded: 0, unchanged: 300 });
    expect(vectors.memoryVectors).toHaveLength(300);
    await later.recall(question);
    expect(vectors.asked).not.toEqual([]);
    // What was read without it is missing in it: it is filled again before it is asked again.
    const more = { name: "more.md", content: "# Kettles\n\nKettles have a page of their own." };
    await first.ingest([more]);
    vectors.asked.splice(0);
    expect((await later.recall("Kettles")).hits[0]?.source).toBe("more.md");
    expect(vectors.asked).toEqual([]);
  });

  it("a vector store follows a new model", async () => {
    const place = newPlace();
    const vectors = new Store();
    const first = await base({ ...place, embeddings: new HashedEmbeddings("one"), vectors });
    await first.ingest(pages.slice(0, 2));
    const second = await base({ ...place, embeddings: new HashedEmbeddings("another"), vectors });
    await second.ingest(pages.slice(0, 2), { reembed: true });
    expect(vectors.removed).toHaveLength(20);
    expect((await second.recall(question)).hits).not.toEqual([]);
  });
});

it.each([
  { what: "without embeddings", options: { vectors: new Store() }, told: "needs embeddings" },
  {
    what: "that is none",
    options: { vectors: JSON.parse("{}"), embeddings: new HashedEmbeddings() },
    told: "expected a vector store of LangChain, got an object without keys",
  },
])("a vector store $what is refused", async ({ options, told }) => {
  await expect(openKnowledge(options)).rejects.toThrow(told);
});
