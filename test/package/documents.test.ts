import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import {
  folderOf,
  readBlocks,
  readPages,
  readPrograms,
  startModelServer,
  writePrograms,
} from "../../scripts/documents.js";
import { printedBy } from "../support/printed-by.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const pages = readPages(repository);
const programs = pages.flatMap(({ path, text }) =>
  readPrograms(text).map((program) => ({ path, ...program })),
);
const ServerConfig = z.object({ graphs: z.record(z.string(), z.string()) });

describe("the documents' programs", () => {
  let folder = "";
  let models: Awaited<ReturnType<typeof startModelServer>> | undefined;

  beforeAll(async () => {
    // Inside the repository, so that the programs find their packages.
    folder = mkdtempSync(join(repository, ".documents-"));
    writeFileSync(
      join(folder, "tsconfig.json"),
      '{ "extends": "../tsconfig.json", "include": ["**/*.ts"] }',
    );
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    for (const { path, text } of pages) writePrograms(join(folder, folderOf(path)), text);
    models = await startModelServer();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await models?.server.close();
  });

  it.each(programs)(
    "$path: $file prints what the page says",
    async ({ path, file, output }) => {
      expect(
        await printedBy({
          file: join(folder, folderOf(path), file),
          output,
          environment: models?.environment,
        }),
      ).toBe(output);
    },
    60_000,
  );

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
    const output = "true\n";
    for (const each of served) {
      const { file, name } = each;
      const program = join(folder, `served-${name}-${served.indexOf(each)}.ts`);
      const from = JSON.stringify(pathToFileURL(file).href);
      writeFileSync(
        program,
        `import { ${name} as graph } from ${from};
         const nodes = typeof graph === "function" ? (await graph()).nodes : graph.nodes;
         console.log(Object.keys(nodes).includes("finalizer"));`,
      );

      expect(await printedBy({ file: program, output })).toBe(output);
    }
  }, 60_000);
});
