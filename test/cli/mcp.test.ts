import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import { readServers } from "../../src/cli/mcp.js";
import { startScriptedServer } from "../../src/testing/index.js";
import { createConsole } from "./console.js";
import { bundledProgram } from "../support/bundled-program.js";

const environment = { SHOP_TOKEN: "shop-secret-1", EMPTY: "" };

describe("the servers of --mcp", () => {
  it.each<{
    name: string;
    mcp: string[];
    mcpAuth?: string[];
    mcpTrust?: string[];
    servers: object;
  }>([
    { name: "none", mcp: [], servers: {} },
    {
      name: "a command",
      mcp: ["npx some-server  --root ."],
      servers: { mcp: { command: "npx", args: ["some-server", "--root", "."], stderr: "pipe" } },
    },
    {
      name: "words in quotes, which no shell reads",
      mcp: [`node "my server.js" --say='a "b" $HOME' "" 'open`],
      servers: {
        mcp: {
          command: "node",
          args: ["my server.js", '--say=a "b" $HOME', "", "open"],
          stderr: "pipe",
        },
      },
    },
    {
      name: "several, some with names",
      mcp: ["npx a", "shop=https://shop.example/mcp?a=b", "http://127.0.0.1:1/mcp"],
      servers: {
        mcp: { command: "npx", args: ["a"], stderr: "pipe" },
        shop: { url: "https://shop.example/mcp?a=b" },
        mcp3: { url: "http://127.0.0.1:1/mcp" },
      },
    },
    {
      name: "a token for a URL",
      mcp: ["shop=https://shop.example/mcp", "https://other.example/mcp"],
      mcpAuth: ["shop=SHOP_TOKEN"],
      servers: {
        shop: {
          url: "https://shop.example/mcp",
          headers: { authorization: "Bearer shop-secret-1" },
        },
        mcp2: { url: "https://other.example/mcp" },
      },
    },
    {
      name: "a token for a command",
      mcp: ["npx a"],
      mcpAuth: ["mcp=SHOP_TOKEN"],
      servers: {
        mcp: { command: "npx", args: ["a"], stderr: "pipe", env: { SHOP_TOKEN: "shop-secret-1" } },
      },
    },
    {
      name: "one whose hints are believed, with its token",
      mcp: ["shop=https://shop.example/mcp", "npx a"],
      mcpAuth: ["shop=SHOP_TOKEN"],
      mcpTrust: ["shop"],
      servers: {
        shop: {
          url: "https://shop.example/mcp",
          headers: { authorization: "Bearer shop-secret-1" },
          trustHints: true,
        },
        mcp2: { command: "npx", args: ["a"], stderr: "pipe" },
      },
    },
  ])("$name", ({ mcp, mcpAuth = [], mcpTrust = [], servers }) => {
    expect(readServers({ mcp, mcpAuth, mcpTrust }, environment)).toEqual(servers);
  });

  it.each([
    { name: "nothing", mcp: [""], mcpAuth: [], message: /^--mcp : expected the command/ },
    { name: "a name alone", mcp: ["shop= "], mcpAuth: [], message: /expected the command/ },
    { name: "a name twice", mcp: ["a=npx a", "a=npx b"], mcpAuth: [], message: /two servers "a"/ },
    {
      name: "a token for nobody",
      mcp: [],
      mcpAuth: ["a=SHOP_TOKEN"],
      message: /there is no --mcp/,
    },
    {
      name: "a token for another",
      mcp: ["npx a"],
      mcpAuth: ["shop=SHOP_TOKEN"],
      message: /the servers are mcp\./,
    },
    {
      name: "a token by value",
      mcp: ["npx a"],
      mcpAuth: ["mcp=sk-12.34"],
      message: /an environment variable/,
    },
    {
      name: "a variable that is not set",
      mcp: ["npx a"],
      mcpAuth: ["mcp=NO_TOKEN"],
      message: /NO_TOKEN is not set/,
    },
    {
      name: "a variable that is empty",
      mcp: ["npx a"],
      mcpAuth: ["mcp=EMPTY"],
      message: /EMPTY is not set/,
    },
    {
      name: "trust in nobody",
      mcp: [],
      mcpAuth: [],
      mcpTrust: ["shop"],
      message: /^--mcp-trust shop: .*there is no --mcp/,
    },
    {
      name: "trust in another",
      mcp: ["npx a"],
      mcpAuth: [],
      mcpTrust: ["__proto__"],
      message: /the servers are mcp\./,
    },
  ])("are refused: $name", ({ mcp, mcpAuth, mcpTrust = [], message }) => {
    expect(() => readServers({ mcp, mcpAuth, mcpTrust }, environment)).toThrow(message);
  });
});

const serverChild = await bundledProgram("mcp-server-child.ts");
const askingChild = await bundledProgram("mcp-asking-child.ts");

describe("a run with --mcp", () => {
  const child = `${process.execPath} ${serverChild} shop`;

  it("uses the server's tools, and ends the server", async () => {
    const call = { name: "find", args: { kind: "cat" } };
    await using server = await startScriptedServer({ replies: [{ toolCalls: [call] }, "A cat."] });
    const { run, written } = createConsole({
      environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
    });
    const flags = ["--model", "openai:any", "--json", "--mcp", child];
    expect(await run("react", "Is there a cat?", ...flags)).toBe(0);
    expect(JSON.parse(written.stdout)).toMatchObject({
      answer: "A cat.",
      observations: [{ tool: "find", ok: true, trust: "untrusted" }],
    });
    const list = execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)]);
    expect(String(list)).not.toContain("mcp-server-child");
  });

  it.each([
    {
      name: "a form field by field",
      tool: "send",
      typed: ["Elm 1", "yes", ""],
      shown: [/Where to\? Expected: street \(Street: text\); gift \(yes or no, optional\)/],
      said: 'accept {"street":"Elm 1","gift":true}',
    },
    {
      name: "again what does not fit",
      tool: "find",
      typed: ["medium", "Large"],
      shown: [/Which tea\?/, /could not be used: size: expected one of \["s","l"\], got "medium"/],
      said: "tea accept l",
    },
    {
      name: "nothing that the person declines",
      tool: "find",
      typed: [""],
      shown: [/An empty line declines/],
      said: "tea decline undefined",
    },
    {
      name: "a yes or no, in words that control no terminal",
      tool: "empty",
      typed: ["y"],
      shown: [/asks: Empty the \[31mcart\?/, /y = yes, n = no/],
      said: "emptied: accept",
    },
  ])("asks the person at the terminal: $name", async ({ tool, typed, shown, said }) => {
    const log = join(mkdtempSync(join(tmpdir(), "mcp-")), "notes");
    const asking = `${process.execPath} ${askingChild} ${log}`;
    const call = { name: tool, args: { item: "tea" } };
    await using server = await startScriptedServer({ replies: [{ toolCalls: [call] }, "Done."] });
    const { run, written } = createConsole({
      environment: { OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url },
      typed,
    });
    const flags = ["--model", "openai:any", "--mcp", `shop=${asking}`, "--mcp-trust", "shop"];
    expect(await run("react", "Tea?", ...flags)).toBe(0);
    for (const words of shown) expect(written.person).toMatch(words);
    expect(written.shown).toContain(said);
    rmSync(dirname(log), { recursive: true });
  });

  it.each([
    {
      name: "a program that is not there",
      mcp: "/no/such/program",
      told: /^plangraph: MCP server "mcp" cannot be used: .*ENOENT/,
    },
    {
      name: "a program that ends, with its last words",
      mcp: `${process.execPath} -e 'console.error("no disk"); process.exit(1)'`,
      told: /^plangraph: MCP server "mcp" cannot be used: .*It said: no disk/,
    },
    {
      name: "an address where nobody answers",
      mcp: "shop=http://127.0.0.1:1999/mcp",
      told: /^plangraph: MCP server "shop" cannot be used: .*ECONNREFUSED/,
    },
  ])("reports $name", async ({ mcp, told }) => {
    const { run, written } = createConsole();
    expect(await run("react", "Hello?", "--mcp", mcp)).toBe(2);
    expect(written.stderr).toMatch(told);
    expect(written.stdout).toBe("");
  });
});
