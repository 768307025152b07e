import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createSearchKnowledgeTool,
  type Knowledge,
  openKnowledge,
} from "../../src/knowledge/index.js";

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
    { options: { at: new Date("soon") }, told: "at: expected a valid date" },
    { options: given('{"also":"kettle"}'), told: "also: expected a list of texts" },
  ])("of recall: $told", async ({ options, told }) => {
    const refused = { code: "invalid_option", message: expect.stringContaining(told) };
    await expect(knowledge.recall("kettle", options)).rejects.toMatchObject(refused);
  });

  it.each([
    { call: () => knowledge.ingest([], given('{"dryrun":true}')), told: "Did you mean dryRun?" },
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
