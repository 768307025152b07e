import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
const start = promisify(execFile);

/** The programs; folders beside them hold what they work with. */
const files = readdirSync(join(repository, "examples")).filter((name) => name.endsWith(".ts"));

const examples = files.map((file) => {
  const source = readFileSync(join(repository, "examples", file), "utf8");
  const { output = "" } = /^\/\* prints:\n(?<output>.*)^\*\/\n$/ms.exec(source)?.groups ?? {};
  return { file, source, output };
});

/** Three at once: a program is mostly waiting for its imports. */
const lanes: Promise<unknown>[] = [0, 1, 2].map(() => Promise.resolve());

/** Runs an example as a user without keys and settings does, when one before it has ended. */
async function run(file: string) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, LANGSMITH_TRACING: "false" };
  const before = lanes.shift();
  const ended = (async () => {
    await before;
    return start(process.execPath, [tsx, `examples/${file}`], { cwd: repository, env });
  })();
  lanes.push(ended.catch(() => {}));
  return ended;
}

describe("the examples", () => {
  it.concurrent.each(examples)(
    "$file prints what it says",
    async ({ file, output }) => {
      const { stdout, stderr } = await run(file);

      expect(stderr).toBe("");
      expect(stdout).toBe(output);
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
