import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = join(root, "node_modules/.bin/oxlint");
const Original = RegExp;
const literals = new Set<string>();

beforeAll(async () => {
  // The linter reads literals only: a pattern that is put together from pieces is written out as one here.
  globalThis.RegExp = new Proxy(Original, {
    construct(target, given: [string, string?], newTarget) {
      const made: unknown = Reflect.construct(target, given, newTarget);
      const caller = new Error("where").stack?.split("\n")[2] ?? "";
      if (made instanceof Original && caller.includes("/src/")) literals.add(String(made));
      if (made instanceof Original) return made;
      throw new TypeError("expected a RegExp");
    },
  });
  const files = await readdir(join(root, "src"), { recursive: true });
  // main.ts starts the program.
  const modules = files.filter((file) => file.endsWith(".ts") && !file.endsWith("main.ts"));
  for (const file of modules) await import(resolve(root, "src", file));
  globalThis.RegExp = Original;
}, 120_000);

afterAll(() => {
  globalThis.RegExp = Original;
});

/** What the linter says of patterns, one a line. */
async function lint(patterns: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "patterns-"));
  const potential = ["error", { report: "potential" }];
  const config = {
    jsPlugins: [join(root, "node_modules/eslint-plugin-regexp/dist/index.js")],
    rules: {
      "regexp/no-super-linear-backtracking": potential,
      "regexp/no-super-linear-move": potential,
    },
  };
  const text = patterns.map((pattern, at) => `export const p${at} = ${pattern};`).join("\n");
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await writeFile(join(folder, "patterns.mjs"), text);
  const args = ["-c", "config.json", "--format=unix", "patterns.mjs"];
  const told = await promisify(execFile)(bin, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Reflect.get(Object(error), "stdout")),
  );
  await rm(folder, { recursive: true });
  return told
    .split("\n")
    .filter((line) => line.includes("regexp("))
    .join("\n");
}

it("sees a pattern that is not linear", async () => {
  expect(await lint([String.raw`/^(?:\d+(?:,\d+)*|,)+$/`])).toContain("exponential");
});

it("finds every pattern that is put together when a module is loaded linear", async () => {
  expect(literals.size).toBeGreaterThan(50);
  expect(await lint([...literals])).toBe("");
});
