import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { ServiceDefinition } from "../../src/services/definition-problems.js";
import { createConsole, createDirectory } from "./console.js";

const document = "test/fixtures/shop.openapi.yaml";
const files = ["addPet", "addPhoto", "getPhoto", "listPets", "pets_get", "pets_replace"].map(
  (name) => `${name}.service.json`,
);

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

/** Imports from the shop's document. */
async function imported(...flags: readonly string[]) {
  const { run, written } = createConsole();
  const status = await run("services", "import", document, ...flags);
  return { status, ...written };
}

describe("services import", () => {
  it("writes a file for each operation, and reports what came of all", async () => {
    const out = directory.path("services");
    const { status, stdout, stderr } = await imported(
      "--tags=pets",
      `--out=${out}`,
      "--env=api_key=SHOP_KEY",
      "--server=http://shop",
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(await readdir(out)).toEqual(files);
    const text = await readFile(join(out, "listPets.service.json"), "utf8");
    expect(text).toMatch(
      /^\{\n {2}"\$schema": "[^"]+",\n {2}"name": "listPets",\n {2}"description": /,
    );
    expect(text.endsWith("}\n")).toBe(true);
    const { $schema = "" } = ServiceDefinition.parse(JSON.parse(text));
    expect(resolve(out, $schema)).toBe(resolve("node_modules/plangraph/service.schema.json"));
    expect(ServiceDefinition.parse(JSON.parse(text)).request).toMatchObject({
      url: "http://shop/pets",
      auth: { type: "header", name: "X-Key", env: "SHOP_KEY" },
    });
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(
      /^Written to \S+services: 6 services, \d+ tokens in each model call \(estimated\)\.$/,
    );
    expect(lines[1]).toBe("  listPets: List pets. Lists the pets of the shop, the newest first.");
    expect(lines[lines.indexOf("Secrets that they send:") + 1]).toBe("  SHOP_KEY to shop (header)");
    expect(lines[lines.indexOf("The most expensive:") + 1]).toMatch(/^ {2}listPets: \d+ tokens$/);
    expect(lines.slice(lines.indexOf("Left out:"))).toEqual([
      "Left out:",
      '  /elsewhere: it refers to another document: "paths.yaml#/elsewhere"',
      "  removePet (DELETE /pets/{pet-id}): it is deprecated",
      "",
    ]);
  });

  it("writes over files only with --force, and else none at all", async () => {
    const out = directory.path("again");
    await mkdir(out);
    await directory.write("again/pets_get.service.json", "mine");
    const refused = await imported("--tags", "pets", "--out", out);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toBe(
      `plangraph: --out ${out}: ${join(out, "pets_get.service.json")} would be overwritten: --force allows it.\n`,
    );
    expect(await readdir(out)).toEqual(["pets_get.service.json"]);
    expect(await imported("--tags", "pets", "--out", out, "--force")).toMatchObject({ status: 0 });
    expect(await readdir(out)).toEqual(files);
    const counted = await imported("--tags", "pets", "--out", out);
    expect(counted.stderr).toContain("listPets.service.json and 5 more files would be");
  });

  it("without --out writes nothing and says so", async () => {
    const { status, stdout } = await imported("--operations", "listPets,GET /orders*");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Nothing is written without --out: 2 services, /);
    expect(stdout).toContain("\n  get_orders_id: GET /orders/{id}\n");
  });
});

it("services import of which nothing comes tells why, writes nothing and ends as an error", async () => {
  const trace = { operationId: "traceAll", responses: {} };
  const text = { operationId: "upload", requestBody: { content: { "multipart/mixed": {} } } };
  const paths = { "/all": { trace, post: text }, "/far": { $ref: "far.yaml#/far" } };
  const openapi = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths };
  const file = await directory.write("none.json", JSON.stringify(openapi));
  const out = directory.path("none");
  const { run, written } = createConsole();
  expect(await run("services", "import", file, "--server=http://shop", "--out", out)).toBe(2);
  expect(written.stdout.split("\n")).toEqual([
    "Left out:",
    '  /far: it refers to another document: "far.yaml#/far"',
    "  traceAll (TRACE /all): its method is TRACE",
    "  upload (POST /all): its body is multipart/mixed",
    "",
  ]);
  expect(written.stderr).toBe("plangraph: No operation became a service; nothing is written.\n");
  await expect(readdir(out)).rejects.toThrow("ENOENT");
});

describe("services import refuses", () => {
  const tags = "Its tags: pets (7), orders (5), trees (2).";
  it.each([
    {
      name: "a tag that is not there",
      flags: ["--tags", "cats"],
      said: `There is no tag "cats" in the document. ${tags}`,
    },
    {
      name: "a choice that leaves nothing",
      flags: ["--tags", "trees", "--operations", "order"],
      said: `No operation is selected. ${tags}`,
    },
    {
      name: "an operation that is not there",
      flags: ["--operations", "addPets"],
      said: 'There is no operation "addPets" in the document; the nearest are: addPet, ',
    },
    {
      name: "a variable of no scheme",
      flags: ["--env", "SHOP_KEY"],
      said: "--env SHOP_KEY: expected SCHEME=VARIABLE, such as login=SHOP_TOKEN.",
    },
    {
      name: "a scheme that is not there",
      flags: ["--env", "key=SHOP_KEY"],
      said: 'The document has no security scheme "key"; its schemes are: api_key, in_query, ',
    },
    {
      name: "a server without an address",
      flags: ["--server", "shop"],
      said: "The server's address: expected one that begins",
    },
    {
      name: "a folder that is a file",
      flags: ["--out", "package.json"],
      said: "--out package.json: it cannot be written to: ",
    },
  ])("$name", async ({ flags, said }) => {
    const { status, stdout, stderr } = await imported(...flags);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.startsWith(`plangraph: ${said}`)).toBe(true);
  });

  it.each([
    { name: "no file", argv: [], said: "missing required argument 'FILE'" },
    {
      name: "a file that is not there",
      argv: ["missing.yaml"],
      said: "missing.yaml: there is no such file.",
    },
    {
      name: "a file that is no document",
      argv: ["package.json"],
      said: "Expected an OpenAPI document of version 3.0 or 3.1",
    },
  ])("$name", async ({ argv, said }) => {
    const { run, written } = createConsole();
    expect(await run("services", "import", ...argv)).toBe(2);
    expect(written.stderr.startsWith(`plangraph: ${said}`)).toBe(true);
  });
});

it("reading YAML without its package names the package", async () => {
  vi.doMock("yaml", () => {
    throw new Error("Cannot find package");
  });
  const { status, stderr } = await imported();
  vi.doUnmock("yaml");
  expect(status).toBe(2);
  expect(stderr).toContain(
    'YAML needs the package "yaml": npm install yaml, or give a .json file.',
  );
});
