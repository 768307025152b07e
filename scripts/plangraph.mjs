// Runs the command line: as it was built, if nothing in src/ changed since and no argument is a module in TypeScript, else
// from its sources.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The build makes the folder anew before it reads a source. */
function isCurrent() {
  const main = statSync(join(root, "dist/cli/main.js"), { throwIfNoEntry: false });
  if (main === undefined) return false;
  const { birthtimeMs } = statSync(join(root, "dist"));
  // Folders too: a file that is gone changes the time of its folder.
  const sources = ["", ...readdirSync(join(root, "src"), { recursive: true })];
  return sources.every((path) => statSync(join(root, "src", path)).mtimeMs < birthtimeMs);
}

/** Modules in TypeScript import the sources of this repository: its graphs must be of the same copy. */
const hasModules = process.argv.some((argument) => /\.[cm]?ts(?::|$)/.test(argument));

if (!hasModules && isCurrent()) await import("../dist/cli/main.js");
else {
  await import("tsx");
  await import("../src/cli/main.ts");
}
