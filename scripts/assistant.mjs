// Runs the assistant of the command line. Without a knowledge base of your own it has the one of the example shop, which is
// read into `.plangraph/shop.db` first: only what has changed in its documents is read again.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const program = join(root, "scripts/plangraph.mjs");
const given = process.argv.slice(2);
const hasBase =
  given.some((flag) => /^--(?:knowledge|help)\b/.test(flag)) ||
  (process.env.PLANGRAPH_KNOWLEDGE ?? "").trim() !== "";

if (!hasBase) {
  const shop = join(root, "examples/shop");
  const file = join(root, ".plangraph/shop.db");
  mkdirSync(join(root, ".plangraph"), { recursive: true });
  const plangraph = (...args) =>
    execFileSync(process.execPath, [program, ...args, "--knowledge", file], {
      cwd: shop,
      stdio: ["ignore", "ignore", "inherit"],
    });
  plangraph("ingest", "knowledge", "--terms", "terms.yaml");
  // Finds the score that a hit needs, so that questions about other things get no answer.
  plangraph("knowledge", "check", "questions.csv");
  process.env.PLANGRAPH_KNOWLEDGE = file;
}
process.argv.splice(2, process.argv.length, "assistant", ...given);
await import("./plangraph.mjs");
