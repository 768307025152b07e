import { spawn } from "node:child_process";
import { once } from "node:events";

import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { checkAgents } from "../../src/agents/index.js";
import { mcpFolder } from "../support/mcp-files.js";

let folder: Awaited<ReturnType<typeof mcpFolder>>;
beforeEach(async () => {
  folder = await mcpFolder();
});
afterEach(() => folder.remove());

/** A server that notes its start, and does something with its input. */
const script = (then: string) => `
import { appendFileSync } from "node:fs";
appendFileSync(process.argv[2], "start " + process.pid + "\\n");
${then}
`;

const server = (name: string) =>
  `{ command: ${JSON.stringify(process.execPath)}, args: [server.mjs, ${name}.notes] }`;

it.each(["SIGKILL", "SIGTERM"] as const)(
  "a program that %s ends while it loads a file leaves no server",
  async (signal) => {
    await folder.write("server.mjs", script("process.stdin.resume();"));
    const file = await folder.write(
      "a.agent.yaml",
      `graph: react\nmcp:\n  a: ${folder.mortal("a")}\n  b: ${server("b")}\n`,
    );
    const args = ["--import", "tsx", "test/support/load-agent-child.ts", file];
    const loading = spawn(process.execPath, args, { stdio: "ignore" });
    await vi.waitFor(() => {
      expect([...folder.alive("a"), ...folder.alive("b")]).toHaveLength(2);
    }, 90_000);
    loading.kill(signal);
    await folder.ended("a");
    await folder.ended("b");
  },
  120_000,
);

it("Ctrl-C in a check ends a server that does not answer, and would not end by itself", async () => {
  await folder.write("server.mjs", script("setInterval(() => undefined, 1000);"));
  const file = await folder.write("a.agent.yaml", `graph: react\nmcp:\n  b: ${server("b")}\n`);
  const args = ["--import", "tsx", "src/cli/main.ts", "agents", "check", file];
  const checking = spawn(process.execPath, args, { stdio: "ignore" });
  await vi.waitFor(() => expect(folder.alive("b")).toHaveLength(1), 90_000);
  const over = once(checking, "exit");
  checking.kill("SIGINT");
  expect(await over).toEqual([130, null]);
  await folder.ended("b");
}, 120_000);

it("a server that cannot be used, and does not end by itself, is killed before the check ends", async () => {
  const stubborn = `
process.on("SIGTERM", () => undefined);
setInterval(() => undefined, 1000);
process.stdin.once("data", () => {
  const result = { protocolVersion: "1900-01-01", capabilities: {}, serverInfo: { name: "old", version: "1" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: 0, result }) + "\\n");
});`;
  await folder.write("server.mjs", script(stubborn));
  const file = await folder.write("a.agent.yaml", `graph: react\nmcp:\n  b: ${server("b")}\n`);
  const { problems } = await checkAgents([file]);
  expect(problems).toMatchObject([
    { path: ["mcp", "b"], message: expect.stringContaining("1900-01-01") },
  ]);
  expect(folder.pids("b")).toHaveLength(1);
  expect(folder.alive("b")).toEqual([]);
});
