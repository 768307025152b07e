import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  createSearchKnowledgeTool,
  type Knowledge,
  openKnowledge,
} from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";

/** What a program without types may give. */
const given = (value: unknown) => JSON.parse(JSON.stringify(value));
const nothing = given(null);
const pages = [{ name: "a.md", content: "# Kettle\n\nThe kettle boils." }];
const refused = (code: string, told: string) => ({
  name: "PlangraphError",
  code,
  message: expect.stringContaining(told),
});

let knowledge: Knowledge;
beforeAll(async () => {
  knowledge = await openKnowledge();
  await knowledge.ingest(pages);
});
afterAll(async () => knowledge.close());

describe("openKnowledge refuses", () => {
  it.each([
    { options: nothing, told: "openKnowledge: expected an object with file, postgres" },
    { options: given("shop.db"), told: "readers, rerank, rerankTimeoutMs" },
    { options: { file: "" }, told: 'file: expected the path of a file, got ""' },
    { options: { file: nothing }, told: "file: expected the path of a file, got null" },
    {
      options: { file: "mysql://u:hunter2@h/d" },
      told: 'got an address that begins with "mysql://"',
    },
    { options: { postgres: nothing }, told: "postgres: expected an address, or { url, schema }" },
    { options: { postgres: given({ shema: "a", url: "" }) }, told: "Did you mean schema?" },
    { options: { postgres: given({}) }, told: "postgres.url: expected an address, got undefined" },
    {
      options: { postgres: given({ url: "postgres://h/d", schema: null }) },
      told: "postgres.schema: expected a name, got null",
    },
    {
      options: { postgres: { url: "postgres://h/d", timeoutMs: 0 } },
      told: "postgres.timeoutMs: expected milliseconds, got 0",
    },
    { options: { vectors: nothing }, told: "vectors: expected a vector store of LangChain" },
    { options: { terms: nothing }, told: "terms: expected terms, or the path of a file of terms" },
    { options: { rerank: nothing }, told: "rerank: expected a model, a document compressor" },
    { options: { rerank: given(5) }, told: "a function, got 5" },
    { options: { rerankTimeoutMs: given(true) }, told: "expected milliseconds, got true" },
    { options: { rerankTimeoutMs: given("20") }, told: 'expected milliseconds, got "20"' },
    { options: { maxFileMegabytes: given(true) }, told: "expected megabytes, got true" },
    { options: { maxChars: given("800") }, told: 'a whole number from 50, got "800"' },
    { options: { environment: nothing }, told: "environment: expected an object" },
    { options: { timeZone: given(5) }, told: "timeZone: expected an IANA name" },
    { options: { readers: nothing }, told: "readers: expected an object of readers by ending" },
    { options: { readers: given({ ".xml": 5 }) }, told: 'readers[".xml"]: expected a function' },
    { options: { readers: given({ xml: 5 }) }, told: 'such as ".xml", got "xml"' },
    { options: { readers: given({ ".XML": 5 }) }, told: 'in small letters, such as ".xml"' },
    { options: { readers: given({ ".tar.gz": 5 }) }, told: 'got ".tar.gz"' },
    {
      options: { embeddings: given({ passages: "openai:a", prefix: {} }) },
      told: 'embeddings: there is no "prefix"',
    },
    {
      options: { embeddings: { passages: "openai:a", prefixes: given({ query: 5 }) } },
      told: "embeddings.prefixes.query: expected a text, got 5",
    },
    {
      options: { embeddings: { passages: "openai:a", name: given(5) } },
      told: "embeddings.name: expected a text, got 5",
    },
  ])("options: $told", async ({ options, told }) => {
    const error: unknown = await openKnowledge(options).catch((one: unknown) => one);
    expect(error).toMatchObject(refused("invalid_option", told));
    expect(String(error)).not.toContain("hunter2");
  });

  it.each([
    { embeddings: nothing, told: "embeddings: expected" },
    { embeddings: given({}), told: "got an object without keys" },
    { embeddings: given(5), told: "embeddings of LangChain, got 5" },
    { embeddings: given({ passages: null }), told: "embeddings.passages: expected" },
    { embeddings: given({ passages: "openai:a", queries: null }), told: "embeddings.queries: " },
  ])("embeddings: $told", async ({ embeddings, told }) => {
    await expect(openKnowledge({ embeddings })).rejects.toMatchObject(
      refused("invalid_model", told),
    );
  });
});

describe("an open base refuses", () => {
  it.each([
    { question: given(5), told: "The question: expected a text, got 5" },
    { question: nothing, told: "The question: expected a text, got null" },
    { question: " ", told: "The question is empty" },
  ])("the question: $told", async ({ question, told }) => {
    await expect(knowledge.recall(question)).rejects.toMatchObject(refused("invalid_input", told));
  });

  it.each([
    { source: nothing, told: "sources[1]: expected a path, or { name, content }, got null" },
    { source: given(5), told: "got 5" },
    { source: given(["docs"]), told: "got a list" },
    { source: "", told: 'got ""' },
    { source: given({ content: "x" }), told: "sources[1].name: expected a name such as" },
    { source: { name: "", content: "x" }, told: "sources[1].name: expected a name such as" },
    { source: given({ name: "b.md" }), told: "sources[1].content: expected a text or bytes" },
    { source: given({ name: "b.md", content: 5 }), told: "a text or bytes, got 5" },
    { source: given({ name: "b.md", contents: "x" }), told: "Did you mean content?" },
  ])("a source, and reads none: $told", async ({ source, told }) => {
    const ingesting = knowledge.ingest([{ name: "first.md", content: "x" }, source]);
    await expect(ingesting).rejects.toMatchObject(refused("invalid_option", told));
    expect(await knowledge.sources()).toHaveLength(1);
  });

  it.each([
    { call: () => knowledge.recall("a", { config: nothing }), told: "config: expected the config" },
    { call: () => knowledge.recall("a", { also: given([5]) }), told: "also[0]: expected a text" },
    { call: () => knowledge.recall("a", { topK: given(true) }), told: "topK: expected a whole" },
    { call: () => knowledge.ingest([], nothing), told: "ingest: expected an object with prune" },
    { call: () => knowledge.ingest([], { summaries: nothing }), told: "summaries: expected a" },
    { call: () => knowledge.ingest([], { onProgress: given(5) }), told: "onProgress: expected a" },
    {
      call: () => knowledge.ingest([], { signal: given({}) }),
      told: "signal: expected the signal",
    },
    { call: () => knowledge.remove(given(5)), told: "remove: expected the name of a source" },
    { call: () => knowledge.check([], { keep: given(true) }), told: "up to 1, got true" },
    { call: () => knowledge.check([], { keep: given("0.5") }), told: 'up to 1, got "0.5"' },
    { call: () => knowledge.check([], { save: given(1) }), told: "save: expected true or false" },
    { call: async () => knowledge.asRetriever({ topK: 0 }), told: "topK: expected a whole number" },
    { call: async () => knowledge.asRetriever(given({ topk: 1 })), told: "Did you mean topK?" },
  ])("an option: $told", async ({ call, told }) => {
    await expect(call()).rejects.toMatchObject(refused("invalid_option", told));
  });

  it.each([
    { questions: nothing, told: "expected array, received null" },
    { questions: given([null]), told: "0: Invalid input: expected object" },
    { questions: given(["kettle"]), told: "expected a list of { question, source, text }" },
    { questions: given([{}]), told: "0.question: " },
    { questions: given([{ question: "a", source: 5 }]), told: "0.source: " },
    { questions: [{ question: "a", source: "" }], told: "0.source: " },
    { questions: given([{ question: "a", sourc: "a.md" }]), told: "sourc: there is no such field" },
  ])("questions of a check: $told", async ({ questions, told }) => {
    const checking = knowledge.check(questions);
    await expect(checking).rejects.toMatchObject(refused("invalid_input", told));
  });
});

describe("the search tool is not made", () => {
  it.each([
    {
      options: { name: "" },
      told: 'name: expected 1 to 64 letters, digits, "_", "-" or ".", got ""',
    },
    { options: { name: given(5) }, told: "got 5" },
    { options: { name: "search it" }, told: 'got "search it"' },
    { options: { description: " " }, told: "description: expected a text for the model" },
    { options: { access: given(5) }, told: "access: expected a function that gives a filter" },
    { options: { access: nothing }, told: "access: expected a function that gives a filter" },
    { options: nothing, told: "createSearchKnowledgeTool: expected an object with name" },
  ])("with $told", ({ options, told }) => {
    const making = () => createSearchKnowledgeTool(knowledge, options);
    expect(making).toThrow(expect.objectContaining(refused("invalid_option", told)));
  });

  it("without a base", () => {
    expect(() => createSearchKnowledgeTool(nothing)).toThrow(
      "a base that openKnowledge has opened",
    );
  });
});

describe("an embedding model", () => {
  const broken = new Error("out of memory");
  it.each([
    {
      what: "throws at once",
      embedDocuments: () => {
        throw broken;
      },
      told: "hashed failed: out of memory. What it has embedded is kept",
      cause: broken,
    },
    {
      what: "returns nothing",
      embedDocuments: () => given(null),
      told: "hashed failed: it gave null, not a list of vectors",
      cause: expect.any(Error),
    },
    {
      what: "gives a text",
      embedDocuments: async () => given("abc"),
      told: 'it gave "abc", not a list of vectors',
      cause: expect.any(Error),
    },
    {
      what: "gives vectors that are none",
      embedDocuments: async () => given([null]),
      told: "it gave 1 vectors for 1 texts, or some that are none",
      cause: undefined,
    },
  ])("that $what fails as one", async ({ embedDocuments, told, cause }) => {
    const embeddings = new HashedEmbeddings();
    const base = await openKnowledge({ embeddings });
    embeddings.embedDocuments = embedDocuments;
    const error: unknown = await base.ingest(pages).catch((one: unknown) => one);
    expect(error).toMatchObject({ ...refused("embedding_failed", told), cause });
    await base.close();
  });

  it("that gives no vector for the text it is known by is not taken for another one", async () => {
    const embeddings = new HashedEmbeddings();
    const base = await openKnowledge({ embeddings });
    await base.ingest(pages);
    embeddings.embedDocuments = async () => given([null]);
    expect((await base.recall("kettle")).hits).toHaveLength(1);
    await base.close();
  });
});
