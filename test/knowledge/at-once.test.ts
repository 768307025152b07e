import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";
import { bundledProgram } from "../support/bundled-program.js";

/** What the program reads: six pages with forty pieces each. */
const [pages, texts] = [6, 6 * 40];

describeStores((base, newPlace) => {
  it("two programs that make a base and read the same documents at once leave it whole, and embed each text once or twice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plangraph-at-once-"));
    const log = join(folder, "embedded.log");
    const place = newPlace();
    const program = await bundledProgram("ingest-child.ts");
    const words = [program, JSON.stringify(place), log, "first", "0"];
    const ends = [1, 2].map(async () => {
      const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
      return (await once(child, "exit"))[0];
    });
    expect(await Promise.all(ends)).toEqual([0, 0]);
    const embedded = readFileSync(log, "utf8").trim().split("\n");
    expect(new Set(embedded).size).toBe(texts);
    // Each start may embed one text more, to know the model of the base.
    expect(embedded.length).toBeLessThanOrEqual(2 * texts + 2);
    const knowledge = await base({ ...place, embeddings: new HashedEmbeddings() });
    expect((await knowledge.sources()).map(({ chunks }) => chunks)).toEqual(Array(pages).fill(40));
    expect((await knowledge.recall("Text 3 of page 2")).hits).toHaveLength(5);
    rmSync(folder, { recursive: true });
  }, 60_000);
});
