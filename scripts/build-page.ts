// Builds the page into `dist/page`. Run it: npm run build:page
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { build, type Metafile } from "esbuild";

const root = join(import.meta.dirname, "..");
const from = join(root, "src/page");

/** Writes the page: a script in pieces that are loaded when they are needed, a style sheet, a document. */
export async function buildPage(to = join(root, "dist/page")): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(from, "main.tsx"), join(from, "page.css")],
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
    metafile: true,
  });
  const document = await readFile(join(from, "index.html"), "utf8");
  await writeFile(join(to, "index.html"), withPieces(document, piecesOf("main.js", metafile)));
}

/** The pieces that a script needs at once. */
function piecesOf(script: string, { outputs }: Metafile): readonly string[] {
  const made = Object.entries(outputs).find(([name]) => basename(name) === script);
  const needed = made?.[1].imports.filter(({ kind }) => kind === "import-statement") ?? [];
  return needed.map(({ path }) => basename(path));
}

/** The document with links to them: a browser then reads them beside the script, not after it. */
function withPieces(document: string, pieces: readonly string[]): string {
  const links = pieces.map((name) => `    <link rel="modulepreload" href="/page/${name}" />\n`);
  return document.replace("  </head>", `${links.join("")}  </head>`);
}

if (process.argv[1] === import.meta.filename) await buildPage();
