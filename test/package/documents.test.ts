import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  readBlocks,
  readPages,
  readPrograms,
  startModelServer,
  writePrograms,
} from "../../scripts/documents.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const pages = readPages(repository);
const programs = pages.flatMap(({ path, text }) =>
  readPrograms(text).map((program) => ({ path, ...program })),
);
const start = promisify(execFile);
const ServerConfig = z.object({ graphs: z.record(z.string(), z.string()) });

/** The folder in which a page's programs are. */
const folderOf = (path: string) => path.replaceAll(/\W/g, "-");

describe("the documents' programs", () => {
  let folder = "";
  let models: Awaited<ReturnType<typeof startModelServer>> | undefined;

  beforeAll(async () => {
    // Inside the repository, so that the programs find their packages.
    folder = mkdtempSync(join(repository, ".documents-"));
    const { compilerOptions } = JSON.parse(readFileSync(join(repository, "tsconfig.json"), "utf8"));
    const paths = Object.entries<string[]>(compilerOptions.paths).map(([name, files]) => [
      name,
      files.map((file) => join(repository, file)),
    ]);
    const settings = {
      compilerOptions: {
        ...compilerOptions,
        typeRoots: [join(repository, "node_modules/@types")],
        // What a reader's own settings may leave out.
        noPropertyAccessFromIndexSignature: false,
        declaration: false,
        paths: Object.fromEntries(paths),
      },
      include: ["**/*.ts"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const { path, text } of pages) writePrograms(join(folder, folderOf(path)), text);
    models = await startModelServer();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await models?.server.close();
  });

  /** Runs a program as a reader does, who has no settings but the key of a model. */
  function run(program: string) {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, LANGSMITH_TRACING: "false", ...models?.environment };
    const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
    return start(process.execPath, [tsx, "--tsconfig", join(folder, "tsconfig.json"), program], {
      cwd: repository,
      env,
    });
  }

  it.concurrent.each(programs)(
    "$path: $file prints what the page says",
    async ({ path, file, output }) => {
      const { stdout, stderr } = await run(join(folder, folderOf(path), file));

      expect(stderr).toBe("");
      expect(stdout).toBe(output);
    },
    60_000,
  );

  it("have the types that they use", () => {
    const tsc = join(repository, "node_modules/typescript/bin/tsc");

    const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });

    expect(stdout).toBe("");
  }, 180_000);

  it("say what they print", () => {
    expect(programs.length).toBeGreaterThanOrEqual(20);
    expect(programs.filter(({ output }) => output === "")).toEqual([]);
  });

  it("export what their langgraph.json names", async () => {
    const served = pages.flatMap(({ path, text }) =>
      readBlocks(text)
        .filter(({ title }) => title === "langgraph.json")
        .flatMap((block) => Object.values(ServerConfig.parse(JSON.parse(block.text)).graphs))
        .map((entry) => entry.split(":"))
        .map(([file = "", name = ""]) => ({ file: join(folder, folderOf(path), file), name })),
    );
    expect(served).not.toEqual([]);
    for (const { file, name } of served) {
      const program = join(folder, "served.ts");
      const from = JSON.stringify(pathToFileURL(file).href);
      writeFileSync(
        program,
        `import { ${name} as graph } from ${from};
         const nodes = typeof graph === "function" ? (await graph()).nodes : graph.nodes;
         console.log(Object.keys(nodes).includes("finalizer"));`,
      );

      expect((await run(program)).stdout).toBe("true\n");
    }
  }, 60_000);
});
