import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, describe } from "vitest";

import { type Knowledge, type KnowledgeOptions, openKnowledge } from "../../src/knowledge/index.js";
import { startPostgres, whyNoPostgres } from "./postgres.js";

/** Where bases can be kept for a while: each place is empty at first. */
type Places = { readonly next: () => KnowledgeOptions; readonly close: () => Promise<void> };

const reason = whyNoPostgres({ pgvector: true });

const stores = [
  { store: "SQLite", isThere: true, open: openFolder },
  {
    store: `Postgres${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    isThere: reason === undefined,
    open: openServer,
  },
];

async function openFolder(): Promise<Places> {
  const folder = mkdtempSync(join(tmpdir(), "plangraph-knowledge-"));
  let count = 0;
  return {
    next: () => ({ file: join(folder, `base${(count += 1)}.db`) }),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openServer(): Promise<Places> {
  const { url, stop } = await startPostgres({ pgvector: true });
  let count = 0;
  return { next: () => ({ postgres: { url, schema: `base${(count += 1)}` } }), close: stop };
}

/** Opens bases that are closed after the test; without a place, in a new one. */
type Open = (options?: KnowledgeOptions) => Promise<Knowledge>;

/** The same tests for each store. */
export function describeStores(
  tests: (open: Open, newPlace: () => KnowledgeOptions) => void,
): void {
  for (const { store, isThere, open } of stores) {
    describe.skipIf(!isThere)(`in ${store}`, () => {
      let places: Places;
      const opened: Knowledge[] = [];
      beforeAll(async () => {
        places = await open();
      }, 90_000);
      afterEach(async () => {
        for (const one of opened.splice(0)) await one.close();
      });
      afterAll(() => places.close());
      const openBase: Open = async (options = {}) => {
        const isPlaced = options.file !== undefined || options.postgres !== undefined;
        const made = await openKnowledge({ ...(isPlaced ? {} : places.next()), ...options });
        opened.push(made);
        return made;
      };
      tests(openBase, () => places.next());
    });
  }
}
