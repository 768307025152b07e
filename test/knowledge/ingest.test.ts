import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openKnowledge } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plangraph-knowledge-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const page = (name: string, content: string) => ({ name, content });
const shipping = page("shipping.md", "# Shipping\n\nTwo days.\n\n# Fees\n\nFive euros.\n");

const xmlReader = (bytes: Uint8Array) => ({
  pieces: [{ path: [], text: Buffer.from(bytes).toString(), line: 1, questions: [], metadata: {} }],
  problems: [],
});

describeStores((base, newPlace) => {
  describe("reading into a base", () => {
    it("adds, changes and removes only what has changed, and embeds nothing twice", async () => {
      const embeddings = new HashedEmbeddings();
      const knowledge = await base({ embeddings });
      expect(await knowledge.ingest([shipping])).toMatchObject({ added: 2, embedded: 2 });
      expect(await knowledge.ingest([shipping])).toMatchObject({
        unchanged: 2,
        embedded: 0,
        changed: 0,
      });
      const edited = page("shipping.md", "# Shipping\n\nThree days.\n\n# Fees\n\nFive euros.\n");
      expect(await knowledge.ingest([edited])).toMatchObject({
        changed: 1,
        unchanged: 1,
        embedded: 1,
        removed: 0,
      });
      const moved = page("shipping.md", "# Fees\n\nFive euros.\n");
      expect(await knowledge.ingest([moved])).toMatchObject({
        removed: 1,
        changed: 1,
        embedded: 0,
      });
      expect(embeddings.passages).toHaveLength(3);
      const { hits } = await knowledge.recall("How many days does shipping take?");
      expect(hits.map(({ text }) => text)).toEqual(["Five euros."]);
    });

    it("keeps a source that is missing, unless it is told to prune", async () => {
      const knowledge = await base();
      const other = page("other.md", "# Other\n\nText.");
      await knowledge.ingest([shipping, other]);
      expect(await knowledge.ingest([other])).toMatchObject({ removed: 0, unchanged: 1 });
      expect(await knowledge.ingest([other], { prune: true })).toMatchObject({ removed: 2 });
      expect((await knowledge.sources()).map(({ name }) => name)).toEqual(["other.md"]);
      await knowledge.remove("other.md");
      expect(await knowledge.sources()).toEqual([]);
    });

    it.each([
      { what: "another tenant", metadata: { tenant: "b" }, told: "tenant=a, not tenant=b" },
      { what: "nobody", metadata: {}, told: "tenant=a, not none" },
      { what: "two", metadata: { tenant: ["a", "b"] }, told: "tenant=a, not tenant=a|b" },
    ])("gives the name of one tenant's document to $what: never", async ({ metadata, told }) => {
      const knowledge = await base();
      const theirs = page("faq.md", "# Fee\n\nThe fee is 5 euros.");
      await knowledge.ingest([theirs], { metadata: { tenant: "a" } });
      const ours = page("faq.md", "# Fee\n\nThe fee is 9 euros.");
      const report = await knowledge.ingest([ours, shipping], { metadata });
      expect(report).toMatchObject({ failed: ["faq.md"], added: 2, changed: 0, removed: 0 });
      expect(report.problems[0]?.problem).toContain(told);
      const { hits } = await knowledge.restrictedTo({ tenant: "a" }).recall("the fee");
      expect(hits.map(({ text }) => text)).toContain("The fee is 5 euros.");
      await knowledge.remove("faq.md");
      expect(await knowledge.ingest([ours], { metadata })).toMatchObject({ added: 1, failed: [] });
    });

    it("takes the same metadata in another order as the same", async () => {
      const knowledge = await base();
      await knowledge.ingest([shipping], { metadata: { tenant: "a", product: "x" } });
      const report = await knowledge.ingest([shipping], {
        metadata: { product: "x", tenant: "a" },
      });
      expect(report).toMatchObject({ failed: [], unchanged: 2 });
    });

    it("writes nothing when it is only tried", async () => {
      const embeddings = new HashedEmbeddings();
      const knowledge = await base({ embeddings });
      expect(await knowledge.ingest([shipping], { dryRun: true })).toMatchObject({ added: 2 });
      expect(await knowledge.sources()).toEqual([]);
      expect(embeddings.passages).toEqual([]);
    });

    it("finds files, folders and patterns, each once, and says what it left out", async () => {
      put("docs/a.md", "# A\n\na");
      put("docs/deep/b.md", "# B\n\nb");
      put("docs/c.xyz", "c");
      const knowledge = await base();
      const report = await knowledge.ingest([join(folder, "docs"), join(folder, "docs/**/*.md")]);
      expect(report).toMatchObject({ added: 2, problems: [{ problem: "no reader for it" }] });
    });

    it.each([
      { what: "a file that is not there", source: "no-such.md", told: "there is no such file" },
      { what: "a pattern without a match", source: "nothing/**/*.md", told: "nothing matches it" },
      { what: "a name without a reader", source: page("a.xyz", "x"), told: "ends in .md" },
    ])("refuses $what before anything is written", async ({ source, told }) => {
      const knowledge = await base();
      await expect(knowledge.ingest([shipping, source])).rejects.toMatchObject({
        code: "unreadable_file",
        message: expect.stringContaining(told),
      });
      expect(await knowledge.sources()).toEqual([]);
    });

    const half = Buffer.from("504b030414000000", "hex");

    it.each<{ what: string; name: string; content: string | Uint8Array; told: string }>([
      {
        what: "too large",
        name: "x.md",
        content: "x".repeat(2_000),
        told: "maxFileMegabytes allows 0.001",
      },
      {
        what: "no text",
        name: "x.md",
        content: Buffer.from([0x61, 0, 0x62]),
        told: "no text in UTF-8",
      },
      { what: "no workbook", name: "x.xlsx", content: "a,b", told: "it is no workbook" },
      { what: "half a workbook", name: "x.xlsx", content: half, told: "" },
      { what: "no PDF", name: "x.pdf", content: "hello", told: "Invalid PDF structure" },
      { what: "no Word document", name: "x.docx", content: "hello", told: "zip" },
    ])(
      "reports a source that is $what, keeps what it had of it, and takes the others",
      async (row) => {
        const { name, content, told } = row;
        const knowledge = await base({ maxFileMegabytes: 0.001 });
        await knowledge.ingest([shipping]);
        const report = await knowledge.ingest([
          { name, content },
          page("last.md", "# Last\n\nText."),
        ]);
        expect(report).toMatchObject({ added: 1, removed: 0, failed: [name] });
        expect(report.problems).toEqual([{ source: name, problem: expect.stringContaining(told) }]);
        expect((await knowledge.sources()).map((source) => source.name)).toEqual([
          "last.md",
          "shipping.md",
        ]);
      },
    );

    it("keeps what a source said before it could no longer be read, also when it prunes", async () => {
      const knowledge = await base();
      await knowledge.ingest([shipping]);
      const broken = { name: "shipping.md", content: Buffer.from([0, 1, 2]) };
      const report = await knowledge.ingest([broken], { prune: true });
      expect(report).toMatchObject({
        unchanged: 2,
        removed: 0,
        changed: 0,
        failed: ["shipping.md"],
      });
      expect((await knowledge.recall("shipping days")).hits).not.toEqual([]);
      expect(await knowledge.ingest([shipping])).toMatchObject({ unchanged: 2, failed: [] });
    });

    it("says what is empty, what contradicts, and what has expired", async () => {
      const knowledge = await base();
      const rows =
        "question,answer,from,until\nq,one,,\nq,two,,\nold,gone,,2020-01-01\nq2,a,,2026-01-01\nq2,b,2026-01-02,\n";
      const { problems, expired } = await knowledge.ingest([
        page("e.md", "  "),
        page("qa.csv", rows),
      ]);
      expect(problems).toEqual([
        { source: "e.md", problem: "there is nothing to read in it" },
        {
          source: "qa.csv",
          line: 3,
          problem: '"q" has another answer in row 2, and both are valid: they contradict',
        },
      ]);
      expect(expired.map(({ path }) => path)).toEqual([["old"], ["q2"]]);
      expect((await knowledge.ingest([page("qa.csv", rows)])).problems).toHaveLength(1);
    });

    it("tells how far it is", async () => {
      const told: unknown[] = [];
      const knowledge = await base({ embeddings: new HashedEmbeddings() });
      await knowledge.ingest([shipping], { onProgress: (progress) => told.push(progress) });
      expect(told).toEqual([
        { source: "shipping.md", done: 0, sources: 1, embedded: 0, texts: 2 },
        { source: "shipping.md", done: 0, sources: 1, embedded: 2, texts: 2 },
      ]);
    });

    it("reads other kinds by a reader of the caller", async () => {
      const knowledge = await base({ readers: { ".xml": xmlReader } });
      expect(await knowledge.ingest([page("a.xml", "<a>kettle</a>")])).toMatchObject({ added: 1 });
    });
  });

  it("terms that changed are used for what is already there", async () => {
    const place = newPlace();
    const first = await base(place);
    await first.ingest([page("a.md", "# 达人联盟\n\n佣金百分之十。")]);
    expect((await first.recall("小店推")).hits).toEqual([]);
    const second = await base({ ...place, terms: { synonyms: { 达人联盟: ["小店推"] } } });
    expect((await second.recall("小店推")).hits).toHaveLength(1);
    // A base keeps its terms.
    expect((await (await base(place)).recall("小店推")).hits).toHaveLength(1);
    const without = await base({ ...place, terms: {} });
    expect((await without.recall("小店推")).hits).toEqual([]);
  });
});

it("a file of something else is no base", async () => {
  const file = put("notes.db", "not a database");
  await expect(openKnowledge({ file })).rejects.toMatchObject({ code: "unreadable_file" });
});
