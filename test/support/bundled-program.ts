import { join } from "node:path";

import { build } from "esbuild";

const repository = join(import.meta.dirname, "../..");
/** Native modules, and what is not installed, are not for a bundle. */
const external = ["better-sqlite3", "pg-native", "langchain"];
const require = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** Bundles by file: each is made once. */
const bundles = new Map<string, Promise<string>>();

/**
 * A program of this folder in one file, which starts in a quarter of the time. It is written beside the packages, where
 * it finds what is not in it.
 */
export function bundledProgram(file: string): Promise<string> {
  const bundle = bundles.get(file) ?? bundled(file);
  bundles.set(file, bundle);
  return bundle;
}

async function bundled(file: string): Promise<string> {
  const name = `${file.replace(/\.ts$/, "")}-${process.pid}.mjs`;
  const outfile = join(repository, "node_modules/.cache/plangraph", name);
  await build({
    entryPoints: [join(import.meta.dirname, file)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external,
    banner: { js: require },
    logLevel: "error",
  });
  return outfile;
}
