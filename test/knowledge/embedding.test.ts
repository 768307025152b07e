import { describe, expect, it } from "vitest";

import { openKnowledge } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";

const page = (name: string, content: string) => ({ name, content });
const shipping = page("shipping.md", "# Shipping\n\nTwo days.\n\n# Fees\n\nFive euros.\n");

describeStores((base, newPlace) => {
  describe("the embedding model of a base", () => {
    it("that changed is refused, at recall and at reading, with both names", async () => {
      const place = newPlace();
      const first = await base({ ...place, embeddings: new HashedEmbeddings("one") });
      await first.ingest([shipping]);
      const second = await base({ ...place, embeddings: new HashedEmbeddings("other") });
      const refused = { code: "embedding_changed", message: expect.stringMatching(/one.*other/) };
      await expect(second.recall("Shipping?")).rejects.toMatchObject(refused);
      await expect(second.ingest([shipping])).rejects.toMatchObject(refused);
      expect(await second.ingest([shipping], { reembed: true })).toMatchObject({ embedded: 2 });
      expect((await second.recall("Shipping?")).hits).not.toEqual([]);
    });

    it("that is another one behind the same name is refused", async () => {
      const place = newPlace();
      await (
        await base({ ...place, embeddings: { passages: new HashedEmbeddings("one"), name: "m" } })
      ).ingest([shipping]);
      const swapped = await base({
        ...place,
        embeddings: { passages: new HashedEmbeddings("another"), name: "m" },
      });
      await expect(swapped.recall("Shipping?")).rejects.toThrow(
        "embeds a text of the base otherwise now",
      );
      const shorter = await base({
        ...place,
        embeddings: { passages: new HashedEmbeddings("one", 32), name: "m" },
      });
      await expect(shorter.recall("Shipping?")).rejects.toThrow("gives 32 numbers now");
    });

    it("that is added later embeds everything, and one that is left out is noted", async () => {
      const place = newPlace();
      await (await base(place)).ingest([shipping]);
      const later = await base({ ...place, embeddings: new HashedEmbeddings() });
      expect(await later.ingest([shipping])).toMatchObject({ embedded: 2 });
      const without = await base(place);
      const { hits, notes } = await without.recall("Shipping?");
      expect(hits).toHaveLength(1);
      expect(notes).toEqual(["recall by words only: its model hashed was not given"]);
    });

    it("that fails on a base of words is asked again by the next call, for what it has not embedded", async () => {
      const place = newPlace();
      const other = page("other.md", "# Other\n\nText.");
      await (await base(place)).ingest([shipping, other]);
      const embeddings = new HashedEmbeddings();
      const ask = embeddings.embedDocuments.bind(embeddings);
      embeddings.embedDocuments = async (texts) => {
        if (embeddings.passages.length > 0) throw new Error("connection lost");
        return ask(texts);
      };
      const knowledge = await base({ ...place, embeddings });
      await expect(knowledge.ingest([shipping, other])).rejects.toThrow("connection lost");
      embeddings.embedDocuments = ask;
      expect(await knowledge.ingest([shipping, other])).toMatchObject({
        unchanged: 3,
        embedded: 1,
      });
    });

    it("that fails stops reading, keeps what is there, and goes on with the next call", async () => {
      const embeddings = new HashedEmbeddings();
      const knowledge = await base({ embeddings });
      const text = Array.from({ length: 100 }, (_, at) => `# H${at}\n\nText ${at}.`).join("\n\n");
      const long = page("long.md", text);
      let calls = 0;
      const ask = embeddings.embedDocuments.bind(embeddings);
      embeddings.embedDocuments = async (texts) => {
        calls += 1;
        if (calls === 2) throw new Error("connection lost");
        return ask(texts);
      };
      await expect(knowledge.ingest([shipping, long])).rejects.toMatchObject({
        code: "embedding_failed",
        message: expect.stringContaining("connection lost"),
      });
      expect((await knowledge.sources()).map(({ name }) => name)).toEqual(["shipping.md"]);
      expect(await knowledge.ingest([shipping, long])).toMatchObject({ added: 100, unchanged: 2 });
      expect(new Set(embeddings.passages).size).toBe(embeddings.passages.length);
    });

    it.each([
      { what: "no vectors", vectors: [] },
      {
        what: "a vector of nothing",
        vectors: [
          [0, 0],
          [0, 0],
        ],
      },
      {
        what: "no numbers",
        vectors: [
          [Number.NaN, 1],
          [1, 1],
        ],
      },
    ])("that gives $what is refused", async ({ vectors }) => {
      const embeddings = new HashedEmbeddings();
      embeddings.embedDocuments = async () => vectors;
      const knowledge = await base({ embeddings });
      await expect(knowledge.ingest([shipping])).rejects.toMatchObject({
        code: "embedding_failed",
      });
    });

    it("asks questions and passages as its family wants", async () => {
      const e5 = new HashedEmbeddings("multilingual-e5-small");
      const knowledge = await base({ embeddings: e5 });
      await knowledge.ingest([shipping]);
      await knowledge.recall("How long?");
      expect(e5.passages[0]).toBe("passage: Shipping\nTwo days.");
      expect(e5.queries).toEqual(["query: How long?"]);
    });
  });
});

it.each([
  { embeddings: "other:model", code: "invalid_model" },
  { embeddings: "openai", code: "invalid_model" },
])("given as $embeddings is refused", async ({ embeddings, code }) => {
  await expect(openKnowledge({ embeddings })).rejects.toMatchObject({ code });
});
