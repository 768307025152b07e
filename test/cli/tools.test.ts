import { mkdir } from "node:fs/promises";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { openCheckpoint } from "../../src/cli/checkpoint.js";
import { toolsFor } from "../../src/cli/tools.js";
import { loadToolFiles } from "../../src/files/load-tools.js";
import { createDirectory, toolModule } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;

beforeAll(async () => {
  directory = await createDirectory();
  await directory.write("package.json", `{ "type": "module" }`);
});

afterAll(() => directory.remove());

const head = `
import { tool } from "@langchain/core/tools";
import { z } from "zod";
const one = (name) => tool(() => "", { name, description: name, schema: z.object({}) });
`;

const modules = [
  { name: "named.js", text: `${head} export const a = one("a"), b = one("b"), sizes = [1, 2];` },
  { name: "list.mjs", text: `${head} export const tools = [one("a"), one("b")];` },
  { name: "default-list.js", text: `${head} export default [one("a"), one("b")];` },
  {
    name: "twice.js",
    text: `${head} const a = one("a"); export { a }; export default [a, one("b")];`,
  },
  {
    name: "common.cjs",
    text: `const { tool } = require("@langchain/core/tools"); const { z } = require("zod");
      const one = (name) => tool(() => "", { name, description: name, schema: z.object({}) });
      module.exports = { a: one("a"), b: one("b") };`,
  },
  {
    name: "compiled.cjs",
    text: `const { tool } = require("@langchain/core/tools"); const { z } = require("zod");
      const one = (name) => tool(() => "", { name, description: name, schema: z.object({}) });
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.default = [one("a"), one("b")];`,
  },
];

it.each(modules)("loadToolFiles finds the tools of $name", async ({ name, text }) => {
  const tools = await loadToolFiles([await directory.write(name, text)]);
  expect(tools.map((tool) => tool.name)).toEqual(["a", "b"]);
});

const broken = [
  {
    name: "empty.js",
    text: "",
    code: "invalid_tool",
    message: /exports no LangChain tools.*got no exports/,
  },
  {
    name: "other.js",
    text: "export const size = 3;",
    code: "invalid_tool",
    message: /got the exports size/,
  },
  {
    name: "mixed.js",
    text: `${head} export default [one("a"), null];`,
    code: "invalid_tool",
    message: /has something else in it: null/,
  },
  {
    name: "throws.js",
    text: `throw new Error("no database\\n  at secret.js:1");`,
    code: "unreadable_file",
    message: /throws\.js: loading it failed: no database$/,
  },
  { name: "tools.json", text: "{}", code: "unreadable_file", message: /ends in \.js, \.mjs/ },
];

it.each(broken)("loadToolFiles says what is wrong with $name", async ({ name, text, ...error }) => {
  const file = await directory.write(name, text);
  await expect(loadToolFiles([file])).rejects.toMatchObject({
    code: error.code,
    message: expect.stringMatching(error.message),
  });
});

it("loadToolFiles says that a file is missing, or is none", async () => {
  await expect(loadToolFiles(["nowhere.js"])).rejects.toThrow(
    "--tools nowhere.js: there is no such file.",
  );
  await mkdir(directory.path("folder.js"));
  await expect(loadToolFiles([directory.path("folder.js")])).rejects.toThrow("this is not a file.");
});

const none = { tools: [], services: [], allowHost: [] };
const namesFor = async (tools: string[]) =>
  (await toolsFor({ ...none, tools }, {})).map(({ name }) => name);

it.each([
  {
    name: "the usual ones where none are named",
    tools: [],
    names: ["calculator", "compare", "random_number", "current_date", "ask_user", "hand_off"],
  },
  {
    name: "one by its name, beside the pure ones",
    tools: ["wikipedia"],
    names: ["calculator", "compare", "wikipedia"],
  },
  {
    name: "several by their names, each once",
    tools: ["ask_user", "calculator", "ask_user", "hand_off"],
    names: ["calculator", "compare", "ask_user", "hand_off"],
  },
])("toolsFor has of the built-in tools $name", async ({ tools, names }) => {
  expect(await namesFor(tools)).toEqual(names);
});

it("toolsFor offers nothing beside the caller's tools but the pure ones", async () => {
  const file = await directory.write("look.js", `${head} export default one("look_up");`);
  expect(await namesFor([file])).toEqual(["calculator", "compare", "look_up"]);
  expect(await namesFor([file, "ask_user"])).toEqual([
    "calculator",
    "compare",
    "ask_user",
    "look_up",
  ]);
});

it("toolsFor lets a tool of the caller take the place of a built-in one", async () => {
  const text = `${head} export default one("calculator");`;
  const file = await directory.write("calculator.js", text);
  expect(await namesFor([file])).toEqual(["compare", "calculator"]);
});

it.each([
  { name: "toString", message: "there is no such built-in tool. There is calculator, compare," },
  { name: "random-number", message: "there is no such built-in tool. Did you mean random_number?" },
  { name: "./wikipedia", message: "expected a module that ends in .js" },
  { name: "wikipedia.js", message: "there is no such file." },
])("toolsFor finds neither tool nor file under $name", async ({ name, message }) => {
  await expect(namesFor([name])).rejects.toThrow(`--tools ${name}: ${message}`);
});

describe("without optional packages", () => {
  it("loadToolFiles names tsx for TypeScript", async () => {
    vi.doMock("tsx/esm/api", () => {
      throw new Error("Cannot find package");
    });
    const file = await directory.write("tools.ts", toolModule);
    await expect(loadToolFiles([file])).rejects.toMatchObject({
      code: "missing_package",
      message: expect.stringMatching(/needs the package "tsx": npm install tsx/),
    });
    vi.doUnmock("tsx/esm/api");
  });

  it("openCheckpoint names the SQLite package", async () => {
    vi.doMock("@langchain/langgraph-checkpoint-sqlite", () => {
      throw new Error("Cannot find package");
    });
    await expect(openCheckpoint("runs.db")).rejects.toMatchObject({
      code: "missing_package",
      message: expect.stringMatching(/npm install @langchain\/langgraph-checkpoint-sqlite/),
    });
    vi.doUnmock("@langchain/langgraph-checkpoint-sqlite");
  });
});
