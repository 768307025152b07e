import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { readPages } from "../../scripts/documents.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const pages = readPages(repository);
const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);

function textOf(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}

/** The anchor of a heading, as GitHub and npm make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const prose = (text: string) => text.replaceAll(/^```.*?^```$/gms, "");

/** The links of the documents to places in this repository. */
const links = pages.flatMap(({ path, text }) =>
  [...prose(text).matchAll(/\]\((?<target>[^)\s]+)\)/g)]
    .map(({ groups }) => groups?.["target"] ?? "")
    .filter((target) => !target.startsWith("https://"))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? path : join(dirname(path), file);
      return { path, to: relative(".", to), anchor };
    }),
);

describe("the links of the documents", () => {
  it("lead from the README to every page", () => {
    const listed = links.filter(({ path }) => path === "README.md").map(({ to }) => to);

    expect(pages.map(({ path }) => path).filter((path) => !listed.includes(path))).toEqual([
      "README.md",
    ]);
  });

  it("lead to files that the package has, and to headings that are there", () => {
    const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: repository,
      encoding: "utf8",
    });
    const [{ files }] = Packed.parse(JSON.parse(stdout));
    const packed = new Set(files.map(({ path }) => path));

    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ to }) => !packed.has(to))).toEqual([]);
    expect(
      links.filter(({ to, anchor }) => {
        if (anchor === undefined) return false;
        const headings = [...prose(textOf(to)).matchAll(/^#+ (?<heading>.*)$/gm)];
        const anchors = headings.map(({ groups }) => anchorOf(groups?.["heading"] ?? ""));
        return !anchors.includes(anchor);
      }),
    ).toEqual([]);
  }, 60_000);
});

describe("the guides for contributors", () => {
  it.each([
    { path: "CONTRIBUTING.md", least: 20 },
    { path: "AGENTS.md", least: 10 },
  ])("$path names files that exist", ({ path, least }) => {
    const named = textOf(path).matchAll(/`(?<file>[\w.-]+\/[\w./-]*)`/g);
    const files = [...named].map(({ groups }) => groups?.["file"] ?? "");
    // What `npm run docs` and `npm run build` write.
    const written = ["docs/api/", "dist/"];

    expect(files.length).toBeGreaterThan(least);
    expect(
      files.filter((file) => !written.includes(file) && !existsSync(join(repository, file))),
    ).toEqual([]);
  });

  it("AGENTS.md has at most 90 lines, and draws every folder of src/", () => {
    const text = textOf("AGENTS.md");
    const drawing = text.split("```")[1] ?? "";
    const folders = readdirSync(join(repository, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
    expect(folders.filter((name) => !new RegExp(`\\b${name}\\b`).test(drawing))).toEqual([]);
  });
});
