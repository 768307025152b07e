import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { KnowledgeOptions } from "../../src/knowledge/index.js";
import { HashedEmbeddings } from "../support/hashed-embeddings.js";
import { describeStores } from "../support/knowledge-stores.js";
import { bundledProgram } from "../support/bundled-program.js";

/** How often a program is killed; `KILLS=50 npx vitest run test/knowledge/crash.test.ts` for the long product. */
const kills = Number(process.env["KILLS"] ?? 3);
const pages = 6;
const chunks = 40;

const program = await bundledProgram("ingest-child.ts");

function ingest(
  place: KnowledgeOptions,
  log: string,
  edition: string,
  killAt: number,
): NodeJS.Signals | null {
  const words = [program, JSON.stringify(place), log, edition, `${killAt}`];
  return spawnSync(process.execPath, words, { stdio: "ignore" }).signal;
}

describeStores((base, newPlace) => {
  it(
    "a program that is killed while it reads leaves each source old or new, and embeds at most one batch again",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "plangraph-ingest-"));
      const place = newPlace();
      const log = join(folder, "embedded.log");
      expect(ingest(place, log, "first", 0)).toBe(null);
      let killed = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const edition = `edition ${Math.floor(kill / 3)}`;
        killed += ingest(place, log, edition, 1 + ((kill * 5) % 18)) === "SIGKILL" ? 1 : 0;
        const knowledge = await base({ ...place, embeddings: new HashedEmbeddings() });
        const sources = await knowledge.sources();
        expect(sources.map((source) => source.chunks)).toEqual(Array(pages).fill(chunks));
        for (const { name } of sources) {
          const { hits } = await knowledge.recall(`Text of page ${name.slice(4, 5)}`, { topK: 50 });
          const of = hits.filter(({ source, text }) => source === name && !text.endsWith(", ."));
          const editions = new Set(of.map(({ text }) => text.replace(/^.*, /, "")));
          expect(editions.size).toBeLessThanOrEqual(1);
        }
        await knowledge.close();
      }
      expect(killed).toBeGreaterThan(0);
      expect(ingest(place, log, "last", 0)).toBe(null);
      const embedded = readFileSync(log, "utf8").trim().split("\n");
      const again = embedded.length - new Set(embedded).size;
      // Each kill may lose the batch that was on its way, and each start embeds one text to know the model again.
      const starts = kills + 1;
      expect(again).toBeLessThanOrEqual(killed * 64 + starts);
      // The texts of odd headings never change.
      const odd = embedded.filter((text) => text.endsWith(', ."'));
      expect(odd.length).toBeLessThanOrEqual((pages * chunks) / 2 + starts);
      rmSync(folder, { recursive: true, force: true });
    },
    (kills + 2) * 30_000,
  );
});
