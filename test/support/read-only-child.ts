import { chmodSync, cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";

import { openKnowledge } from "../../src/knowledge/index.js";

/** Asks a base that it may not write, and one in a folder that it may not write; says what each call did. */
const [, , folder = ""] = argv;
const pages = [{ name: "a.md", content: "# Kettle\n\nThe kettle boils." }];
const places = ["file", "folder"].map((name) => join(folder, name, "base.db"));
for (const file of places) {
  mkdirSync(dirname(file));
  const base = await openKnowledge({ file });
  await base.ingest(pages);
  await base.close();
}
const [file = "", inFolder = ""] = places;
// Without the files beside it, which SQLite would have to make.
cpSync(inFolder, join(folder, "folder", "bare.db"));
for (const one of ["", "-shm", "-wal"]) chmodIfThere(`${file}${one}`, 0o444);
chmodSync(dirname(file), 0o777);
chmodSync(folder, 0o755);
mkdirSync(join(folder, "closed"), 0o700);
chmodSync(dirname(inFolder), 0o555);
// Modes mean nothing to root.
if (process.getuid?.() === 0) process.setuid?.(65_534);

const said: Record<string, unknown> = {};
const tell = async (what: string, call: () => Promise<unknown>) => {
  said[what] = await call().catch(String);
};
const base = await openKnowledge({ file });
await tell("recall", async () => (await base.recall("kettle")).hits.length);
await tell("dryRun", async () => (await base.ingest(pages, { dryRun: true })).unchanged);
await tell("ingest", () => base.ingest(pages));
await tell("remove", () => base.remove("a.md"));
const questions = [{ question: "kettle", source: "a.md" }, { question: "zebra" }];
await tell("check", async () => (await base.check(questions)).notes.at(-1));
await tell("terms", () => openKnowledge({ file, terms: { stop: ["the"] } }));
await tell("bare", () => openKnowledge({ file: join(dirname(inFolder), "bare.db") }));
await tell("new", () => openKnowledge({ file: join(dirname(inFolder), "new.db") }));
// As another user, or after this, nobody may look into it.
chmodIfThere(join(folder, "closed"), 0o000);
await tell("hidden", () => openKnowledge({ file: join(folder, "closed", "base.db") }));
process.stdout.write(JSON.stringify(said));

function chmodIfThere(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Drivers that close the file remove those beside it.
  }
}
