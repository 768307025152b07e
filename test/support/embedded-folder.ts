import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { openEmbedded } from "../../src/server/postgres/embedded.js";
import { migrate } from "../../src/server/postgres/migrate.js";

/**
 * Fills a folder with a server's empty database. To make one takes a busy machine ten seconds and more, so the machine
 * keeps one for each version of the engine and of the tables.
 */
export async function fillFolder(folder: string): Promise<void> {
  const template = await templateFolder();
  if (!existsSync(template)) await makeTemplate(template);
  await cp(template, folder, { recursive: true });
}

async function templateFolder(): Promise<string> {
  const engine = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const versions = await Promise.all([
    readFile(join(dirname(engine), "../package.json")),
    readFile(new URL("../../src/server/postgres/schema.ts", import.meta.url)),
  ]);
  const hash = createHash("sha256");
  for (const version of versions) hash.update(version);
  return join(tmpdir(), `plangraph-template-${hash.digest("hex").slice(0, 16)}`);
}

async function makeTemplate(template: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "plangraph-template-"));
  const database = await openEmbedded(folder);
  await migrate(database);
  await database.close();
  // Another test may have been faster.
  await rename(folder, template).catch(() => rm(folder, { recursive: true, force: true }));
}
