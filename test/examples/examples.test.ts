import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { printedBy } from "../support/printed-by.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The programs; folders beside them hold what they work with. */
const files = readdirSync(join(repository, "examples")).filter((name) => name.endsWith(".ts"));

const examples = files.map((file) => {
  const source = readFileSync(join(repository, "examples", file), "utf8");
  const { output = "" } = /^\/\* prints:\n(?<output>.*)^\*\/\n$/ms.exec(source)?.groups ?? {};
  return { file, source, output };
});

describe("the examples", () => {
  it.each(examples)(
    "$file prints what it says",
    async ({ file, output }) => {
      expect(await printedBy({ file: join(repository, "examples", file), output })).toBe(output);
    },
    60_000,
  );

  it.each(examples)("$file says how to run it, and what it prints", ({ file, source, output }) => {
    expect(source).toContain(`\n// Run it: npx tsx examples/${file}\n`);
    expect(output).not.toBe("");
  });

  it("are listed in docs/README.md", () => {
    const page = readFileSync(join(repository, "docs/README.md"), "utf8");
    const listed = [...page.matchAll(/\]\(\.\.\/examples\/([\w-]+\.ts)\)/g)].map(
      ([, file = ""]) => file,
    );

    expect(listed.toSorted()).toEqual(examples.map(({ file }) => file).toSorted());
  });
});
