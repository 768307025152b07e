import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it, vi } from "vitest";

import { clientAt, createClient, textOf } from "../support/served-mcp.js";
import { createConsole } from "./console.js";

const question = "What is 12 * 12?";

it("plangraph mcp serves graphs on the standard input and output", async () => {
  const { client, call } = createClient();
  const args = ["--import", "tsx", "src/cli/main.ts", "mcp", "react", "plan-execute"];
  const env = { PLANGRAPH_MODEL: "offline", LANGSMITH_TRACING: "false" };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["react", "plan-execute"]);
  expect(textOf(await call("react", { question }))).toBe("The result is 144.");
});

it("plangraph mcp --http serves until Ctrl-C, with a token from the environment", async () => {
  const token = "a-token-of-32-characters-or-so-1";
  const { run, written, interrupt } = createConsole({ environment: { MCP_TOKEN: token } });
  const ended = run("mcp", "react", "--http", "0", "--token-env", "MCP_TOKEN");
  await vi.waitFor(() => {
    expect(written.stderr).toMatch(/^Serving at http/);
  }, 20_000);
  const url = /http:\S+/.exec(written.stderr)?.[0] ?? "";
  await expect(clientAt(url)).rejects.toThrow(/Unauthorized/);
  const { call } = await clientAt(url, { authorization: `Bearer ${token}` });
  expect(textOf(await call("react", { question }))).toBe("The result is 144.");
  interrupt();
  expect(await ended).toBe(0);
  expect(written).toMatchObject({ stdout: "", stderr: `Serving at ${url}\n` });
});

it.each([
  { name: "no graph", argv: [], told: /missing required argument/, status: 2 },
  {
    name: "an unknown graph",
    argv: ["reakt"],
    told: /reakt: expected names of graphs: react/,
    status: 2,
  },
  { name: "no port", argv: ["react", "--http", "x"], told: /--http x: expected a port/, status: 2 },
  {
    name: "an address without HTTP",
    argv: ["react", "--host", "::"],
    told: /need --http/,
    status: 2,
  },
  {
    name: "all addresses without a token",
    argv: ["react", "--http", "0", "--host", "0.0.0.0"],
    told: /expected a token/,
    status: 2,
  },
  {
    name: "a variable that is not set",
    argv: ["react", "--http", "0", "--token-env", "NO_TOKEN"],
    told: /NO_TOKEN: the environment variable is not set/,
    status: 1,
  },
  { name: "an unknown limit", argv: ["react", "--limit", "x=1"], told: /--limit x=1/, status: 2 },
])("plangraph mcp refuses $name", async ({ argv, told, status }) => {
  const { run, written } = createConsole();
  expect(await run("mcp", ...argv)).toBe(status);
  expect(written.stderr).toMatch(told);
  expect(written.stdout).toBe("");
});
