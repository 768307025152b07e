import { mkdir, readFile } from "node:fs/promises";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
  await mkdir(directory.path("agents"));
});
afterEach(() => directory.remove());

const sums = "graph: rewoo\ntools: [calculator]\n";
const module = "agents/graphs.mjs";
const marked = "// Written by `plangraph agents langgraph-json`, which writes it again.\n";

const read = (name: string) => readFile(directory.path(name), "utf8");
const graphs = async () => JSON.parse(await read("langgraph.json")).graphs;

async function enter() {
  const { run, written } = createConsole();
  const args = [directory.path("agents"), "--config", directory.path("langgraph.json")];
  return { status: await run("agents", "langgraph-json", ...args), ...written };
}

/** The lines of the module that export graphs. */
async function exported() {
  return (await read(module)).split("\n").filter((line) => line.startsWith("export"));
}

describe("agents langgraph-json", () => {
  it("writes a module with the agents of a folder, and their entries", async () => {
    await directory.write("agents/sums.agent.yaml", sums);
    await directory.write("agents/desk.agent.yaml", `name: front-desk\n${sums}`);
    const { status, stdout } = await enter();
    expect(status).toBe(0);
    expect(stdout).toMatch(/graphs\.mjs: 2 graphs\n.*langgraph\.json: front-desk, sums\n$/);
    expect(await exported()).toEqual([
      'export const frontDeskAgent = reloadingAgent(at("./desk.agent.yaml"), { name: "front-desk" });',
      'export const sumsAgent = reloadingAgent(at("./sums.agent.yaml"), { name: "sums" });',
    ]);
    expect(JSON.parse(await read("langgraph.json"))).toEqual({
      node_version: "20",
      dependencies: ["."],
      graphs: {
        "front-desk": "./agents/graphs.mjs:frontDeskAgent",
        sums: "./agents/graphs.mjs:sumsAgent",
      },
    });
  });

  it("keeps what else stands in langgraph.json, and drops agents that are gone", async () => {
    const before = {
      graphs: { shop: "./src/shop.ts:shop", old: "./agents/graphs.mjs:oldAgent" },
      env: ".env",
    };
    await directory.write("langgraph.json", JSON.stringify(before));
    await directory.write(module, `${marked}export const oldAgent = 1;\n`);
    await directory.write("agents/sums.agent.yaml", sums);
    expect((await enter()).status).toBe(0);
    expect(JSON.parse(await read("langgraph.json"))).toEqual({
      graphs: { shop: "./src/shop.ts:shop", sums: "./agents/graphs.mjs:sumsAgent" },
      env: ".env",
    });
    expect(await exported()).toHaveLength(1);
  });

  it.each([
    { file: "a-b.agent.yaml", others: ["aB.agent.yaml"], names: ["aBAgent", "aBAgent2"] },
    { file: "2fa.agent.yaml", others: [], names: ["_2faAgent"] },
    {
      file: "delete.agent.yaml",
      others: ["my desk.agent.yaml"],
      names: ["deleteAgent", "myDeskAgent"],
    },
    { file: "sums.workflow.json", others: [], names: ["sumsAgent"] },
  ])("gives $file and $others names of JavaScript", async ({ file, others, names }) => {
    const steps = { a: { tool: "calculator", args: { expression: "1 + 1" } } };
    const flow = JSON.stringify({ tools: ["calculator"], steps });
    for (const each of [file, ...others]) {
      await directory.write(`agents/${each}`, each.endsWith(".json") ? flow : sums);
    }
    expect(await enter()).toMatchObject({ status: 0 });
    const places = Object.values<string>(await graphs());
    expect(new Set(places)).toEqual(new Set(names.map((name) => `./agents/graphs.mjs:${name}`)));
    for (const name of names) expect(await read(module)).toContain(`export const ${name} =`);
  });

  it.each([
    {
      name: "a broken agent",
      files: { "agents/sums.agent.yaml": "graph: reakt\n" },
      says: /sums\.agent\.yaml:1:1 graph: /,
    },
    {
      name: "a module that somebody else wrote",
      files: { [module]: "export const mine = 1;\n" },
      says: /graphs\.mjs: expected a module that this command has written/,
    },
    {
      name: "another graph of that name",
      files: { "langgraph.json": '{ "graphs": { "sums": "./src/sums.ts:sums" } }' },
      says: /langgraph\.json: it has a graph sums already/,
    },
    {
      name: "a langgraph.json that is none",
      files: { "langgraph.json": "[]" },
      says: /langgraph\.json: expected a JSON object/,
    },
    {
      name: "a langgraph.json that is broken",
      files: { "langgraph.json": "{" },
      says: /langgraph\.json: it is not JSON/,
    },
  ])("writes nothing for $name", async ({ files, says }) => {
    await directory.write("agents/sums.agent.yaml", sums);
    for (const [file, text] of Object.entries(files)) await directory.write(file, text);
    const { status, shown } = await enter();
    expect(status).toBe(2);
    expect(shown).toMatch(says);
    for (const file of [module, "langgraph.json"]) {
      const given = new Map(Object.entries(files)).get(file);
      expect(await read(file).catch(() => undefined)).toBe(given);
    }
  });

  it("says that a folder has no agents", async () => {
    expect(await enter()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("holds no agents"),
    });
  });
});
