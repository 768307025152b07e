import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createSearchKnowledgeTool,
  type Knowledge,
  openKnowledge,
} from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";

let knowledge: Knowledge;
beforeAll(async () => {
  knowledge = await openKnowledge();
  await knowledge.ingest([{ name: "a.md", content: "# Kettle\n\nThe kettle boils." }]);
});
afterAll(async () => knowledge.close());

/** Options as a program without types may give them. */
const given = (text: string) => JSON.parse(text);

describe("options", () => {
  it.each([
    {
      options: given('{"embedding":"openai:x"}'),
      told: 'no "embedding". Did you mean embeddings?',
    },
    { options: { maxChars: 0 }, told: "maxChars: expected a whole number from 50, got 0" },
    { options: { maxFileMegabytes: -1 }, told: "maxFileMegabytes: expected megabytes, got -1" },
    { options: { timeZone: "Mars/Base" }, told: "timeZone: expected an IANA name such as" },
    { options: { rerankTimeoutMs: 0 }, told: "rerankTimeoutMs: expected milliseconds, got 0" },
    { options: { file: "a.db", postgres: "postgres://x/y" }, told: "one of the options file and" },
  ])("of openKnowledge: $told", async ({ options, told }) => {
    const refused = { code: "invalid_option", message: expect.stringContaining(told) };
    await expect(openKnowledge(options)).rejects.toMatchObject(refused);
  });

  it.each([
    { options: given('{"topk":3}'), told: 'no "topk". Did you mean topK?' },
    { options: { topK: 0 }, told: "topK: expected a whole number from 1 to 50, got 0" },
    { options: { topK: -1 }, told: "got -1" },
    { options: { topK: 51 }, told: "got 51" },
    { options: { topK: Number.NaN }, told: "got NaN" },
    { options: given('{"topK":"5"}'), told: 'got "5"' },
    { options: { minScore: Number.NaN }, told: "minScore: expected a number" },
    {
      options: { at: new Date("soon") },
      told: "at: expected a valid date, got an invalid date",
    },
    { options: given('{"also":"kettle"}'), told: "also: expected a list of up to 10 texts" },
    {
      options: { also: Array<string>(11).fill("kettle") },
      told: "also: expected a list of up to 10",
    },
    { options: given('{"filter":null}'), told: "filter: expected an object" },
    { options: given('{"filter":["b"]}'), told: "filter: expected an object" },
    {
      options: given('{"filter":{"year":2026}}'),
      told: "filter.year: expected a text or a list of texts, got 2026",
    },
  ])("of recall: $told", async ({ options, told }) => {
    const refused = { code: "invalid_option", message: expect.stringContaining(told) };
    await expect(knowledge.recall("kettle", options)).rejects.toMatchObject(refused);
  });

  it.each([
    { call: () => knowledge.ingest([], given('{"dryrun":true}')), told: "Did you mean dryRun?" },
    {
      call: () => knowledge.ingest(given('"docs"')),
      told: 'ingest: expected a list of sources, got "docs"',
    },
    {
      call: () => knowledge.ingest([], given('{"prune":"false"}')),
      told: "prune: expected true or false",
    },
    {
      call: () => knowledge.ingest([], given('{"metadata":{"tenant":null}}')),
      told: "metadata.tenant: expected a text",
    },
    {
      call: () => knowledge.ingest([], given('{"metadata":["a"]}')),
      told: "metadata: expected an object",
    },
    { call: () => knowledge.check([], given('{"keeps":1}')), told: "Did you mean keep?" },
    { call: () => knowledge.check([], { keep: 0 }), told: "keep: expected a share above 0" },
    {
      call: async () => createSearchKnowledgeTool(knowledge, given('{"topk":5}')),
      told: "Did you mean topK?",
    },
    {
      call: async () => createSearchKnowledgeTool(knowledge, { topK: 100 }),
      told: "topK: expected a whole number from 1 to 50, got 100",
    },
  ])("of the others: $told", async ({ call, told }) => {
    const refused = { code: "invalid_option", message: expect.stringContaining(told) };
    await expect(call()).rejects.toMatchObject(refused);
  });
});

describe("what a model or a function of the caller gives", () => {
  const pages = [{ name: "a.md", content: "# Kettle\n\nThe kettle boils." }];

  it.each([
    { vector: [Number.NaN, 1] },
    { vector: Array<number>(64).fill(0) },
    { vector: [1, 2] },
    { vector: [] },
    { vector: given('"abc"') },
  ])("as a question's vector is checked: $vector", async ({ vector }) => {
    const embeddings = new HashedEmbeddings();
    const base = await openKnowledge({ embeddings });
    await base.ingest(pages);
    embeddings.embedQuery = async () => vector;
    const { hits, notes } = await base.recall("kettle");
    expect(hits).toHaveLength(1);
    expect(notes[0]).toContain("recall without content: the embedding model gave");
    await base.close();
  });

  it.each([
    { scores: [] },
    { scores: [Number.NaN] },
    { scores: [1, 1] },
    { scores: given('["1"]') },
  ])("as scores is checked: $scores", async ({ scores }) => {
    const base = await openKnowledge({ rerank: async () => scores });
    await base.ingest(pages);
    const { hits, notes } = await base.recall("kettle");
    expect(hits).toHaveLength(1);
    expect(notes.join()).toContain("it did not give 1 numbers");
    await base.close();
  });
});

describe("a base for somebody", () => {
  it.each(["{}", "[]", "5", "true", "null", '"a"', '{"tenant":5}', '{"tenant":[null]}'])(
    "is not made by the filter %s",
    (filter) => {
      const refused = expect.objectContaining({ code: "invalid_option" });
      expect(() => knowledge.restrictedTo(given(filter))).toThrow(refused);
    },
  );

  it("is not made by a filter of another class", () => {
    const map: Record<string, string> = Object.assign(new Map([["tenant", "a"]]));
    expect(() => knowledge.restrictedTo(map)).toThrow("restrictedTo: expected an object");
  });

  it("can be asked, and neither changed nor listed", async () => {
    const own = knowledge.restrictedTo({ tenant: "a" });
    expect((await own.recall("kettle")).hits).toEqual([]);
    for (const call of [
      () => own.sources(),
      () => own.remove("a.md"),
      () => own.ingest([], { prune: true }),
      () => own.check([{ question: "kettle" }]),
    ]) {
      await expect(call()).rejects.toThrow("this base is restricted to what somebody may find");
    }
    expect(await knowledge.sources()).toHaveLength(1);
  });
});
