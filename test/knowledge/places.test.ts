import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openKnowledge } from "../../src/knowledge/index.js";
import { openDatabase } from "../../src/sqlite/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";
import { bundledProgram } from "../support/bundled-program.js";

const pages = [{ name: "a.md", content: "# Kettle\n\nThe kettle boils." }];
const folder = mkdtempSync(join(tmpdir(), "plangraph-places-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeStores((base) => {
  it("a base that has been closed says so, whatever is asked", async () => {
    const knowledge = await base();
    await knowledge.ingest(pages, { metadata: { tenant: "a" } });
    const own = knowledge.restrictedTo({ tenant: "a" });
    // What a driver has prepared, it may still answer.
    await knowledge.recall("kettle");
    await knowledge.sources();
    await knowledge.close();
    await knowledge.close();
    for (const call of [
      () => knowledge.recall("kettle"),
      () => own.recall("kettle"),
      () => knowledge.asRetriever().invoke("kettle"),
      () => knowledge.ingest(pages),
      () => knowledge.ingest(pages, { dryRun: true }),
      () => knowledge.remove("a.md"),
      () => knowledge.sources(),
      () => knowledge.check([{ question: "kettle" }]),
    ]) {
      await expect(call()).rejects.toMatchObject({
        name: "PlangraphError",
        code: "knowledge_failed",
        message: expect.stringMatching(/^The knowledge base .*: it has been closed; open it again/),
      });
    }
  });
});

describe("a file", () => {
  it.each([
    { file: () => join(folder, "no", "base.db"), told: /: there is no folder .*no; make it first/ },
    { file: () => folder, told: /: it is a folder; expected a file/ },
  ])("in a place where it cannot be is refused: $told", async ({ file, told }) => {
    await expect(openKnowledge({ file: file() })).rejects.toMatchObject({
      code: "unreadable_file",
      message: expect.stringMatching(told),
    });
  });

  it("that another program keeps locked can be asked; an ingest says why it fails, and embeds nothing", async () => {
    const file = join(folder, "busy.db");
    const embeddings = new HashedEmbeddings();
    const knowledge = await openKnowledge({ file, embeddings });
    await knowledge.ingest(pages);
    const other = await openDatabase(file, { where: file, busyMs: 1 });
    other.exec("BEGIN IMMEDIATE");
    expect((await knowledge.recall("kettle")).hits).toHaveLength(1);
    const embedded = embeddings.passages.length;
    const more = [{ name: "b.md", content: "More." }];
    await expect(knowledge.ingest(more)).rejects.toMatchObject({
      code: "knowledge_failed",
      message: `The knowledge base ${file}: another program has kept it locked for more than 10 seconds; try again when that is done.`,
    });
    expect(embeddings.passages).toHaveLength(embedded);
    other.exec("ROLLBACK");
    other.close();
    expect(await knowledge.ingest(more)).toMatchObject({ added: 1 });
    await knowledge.close();
  }, 60_000);
});

describe("a base that may only be read", () => {
  const said: Record<string, unknown> = {};
  const place = mkdtempSync(join(tmpdir(), "plangraph-read-only-"));
  afterAll(() => {
    for (const one of ["folder", "closed"]) chmodSync(join(place, one), 0o755);
    rmSync(place, { recursive: true });
  });
  beforeAll(async () => {
    const program = [await bundledProgram("read-only-child.ts"), place];
    Object.assign(said, JSON.parse(execFileSync(process.execPath, program, { encoding: "utf8" })));
  }, 60_000);

  const isReadOnly = /base\.db: it cannot be written: the file or its folder is read-only/;
  it.each([
    { what: "recall", told: /^1$/ },
    { what: "dryRun", told: /^1$/ },
    { what: "ingest", told: isReadOnly },
    { what: "remove", told: isReadOnly },
    { what: "terms", told: isReadOnly },
    { what: "check", told: /^the score that hits need was not kept: .*it cannot be written/ },
    { what: "bare", told: /bare\.db: it cannot be opened: SQLite makes files beside it, and the/ },
    { what: "hidden", told: /base\.db: this program may not look into its folder/ },
    { what: "new", told: /new\.db: it cannot be made: the folder .* is read-only/ },
  ])("$what: $told", ({ what, told }) => {
    expect(String(said[what])).toMatch(told);
  });
});
