// Builds the page into `dist/page`. Run it: npm run build:page
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const from = join(root, "src/page");

/** Writes the page: a script in pieces that are loaded when they are needed, a style sheet, a document. */
export async function buildPage(to = join(root, "dist/page")): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await build({
    entryPoints: [join(from, "main.tsx")],
    outdir: to,
    bundle: true,
    splitting: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfigRaw: {},
    logLevel: "warning",
  });
  for (const name of ["index.html", "page.css"]) await cp(join(from, name), join(to, name));
}

if (process.argv[1] === import.meta.filename) await buildPage();
