import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";

import { build } from "esbuild";

const repository = join(import.meta.dirname, "../..");
/** Beside the packages, where a bundle finds what is not in it. */
const cache = join(repository, "node_modules/.cache/plangraph");
/** Native modules, and what is not installed, are not for a bundle. */
const external = ["better-sqlite3", "pg-native", "langchain"];
const require = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;
/** What LangGraph's server loads from files beside ours. */
const serverParts = ["front-auth.ts", "http-app.ts"].map((file) => `src/server/${file}`);

/** Folders of bundles by their sources. */
const bundles = new Map<string, Promise<string>>();
let version: Promise<string> | undefined;

/** A program of this folder in one file, which starts in a quarter of the time. */
export async function bundledProgram(file: string): Promise<string> {
  return join(await bundled([`test/support/${file}`], { external }), moduleOf(file));
}

/**
 * The folder of server-child.ts and of modules that it is to load, `src/server/file.ts` as `file.mjs`. LangGraph's server
 * loads files of its own and shares its packages with ours, so they stay outside.
 */
export function bundledServer(modules: readonly string[] = []): Promise<string> {
  const support = ["server-child.ts", "worked-graphs.ts", "tenants-auth.ts"];
  const own = [...support.map((file) => `test/support/${file}`), ...serverParts];
  return bundled([...new Set([...own, ...modules])], { packages: "external", splitting: true });
}

/** What a module is called in its bundle. */
export function moduleOf(file: string): string {
  return `${basename(file, ".ts")}.mjs`;
}

type Options = Pick<Parameters<typeof build>[0], "external" | "packages" | "splitting">;

function bundled(sources: readonly string[], options: Options): Promise<string> {
  const name = sources.join(" ");
  const bundle = bundles.get(name) ?? makeBundle(sources, options);
  bundles.set(name, bundle);
  return bundle;
}

/** Files and processes of a run share what one of them made of the same sources. */
async function makeBundle(sources: readonly string[], options: Options): Promise<string> {
  version ??= versionOf(["package-lock.json", "src", "test/support", "scripts/scale"]);
  const hash = createHash("sha256").update(`${await version} ${sources.join(" ")}`);
  const folder = join(cache, hash.digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  const made = `${folder}-${process.pid}`;
  await mkdir(cache, { recursive: true });
  await build({
    entryPoints: [...sources],
    absWorkingDir: repository,
    outdir: made,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: require },
    logLevel: "error",
    ...options,
  });
  // Another process may have been faster.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  return folder;
}

/** Changes with what is in these files and folders. */
async function versionOf(places: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(await readFile(import.meta.filename));
  for (const place of places) {
    for (const file of (await filesIn(place)).toSorted()) {
      hash.update(file).update(await readFile(join(repository, file)));
    }
  }
  return hash.digest("hex");
}

async function filesIn(place: string): Promise<readonly string[]> {
  if (place.endsWith(".json")) return [place];
  const entries = await readdir(join(repository, place), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(repository.length + 1));
}
