import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, expect, it } from "vitest";

import { startScriptedServer } from "../../src/testing/index.js";
import { createDirectory, toolModule } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;

beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

/** The program as a shell starts it, its output in pipes. */
function start(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...argv], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then(([status]: unknown[]) => status);
  return { child, ended, stderr: text(child.stderr) };
}

async function slowRun() {
  const server = await startScriptedServer({
    replies: [{ text: "Wait.", toolCalls: [{ name: "slow", args: {} }] }, "Done."],
  });
  const file = await directory.write("tools.ts", toolModule);
  const argv = ["react", "q", "--model", "openai:m", "--tools", file];
  return {
    server,
    program: start(argv, { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url }),
  };
}

it(
  "the program prints its answer to a pipe and ends with its status",
  { timeout: 20_000 },
  async () => {
    const { child, ended, stderr } = start(["react", "What is 3457 * 43216?", "--quiet"]);
    expect(await text(child.stdout)).toBe("The result is 149397712.\n");
    expect(await ended).toBe(0);
    expect(await stderr).toMatch(/offline model/);
  },
);

it(
  "Ctrl-C ends a program that waits for a tool of a TypeScript file",
  { timeout: 20_000 },
  async () => {
    const { server, program } = await slowRun();
    await once(program.child.stdout, "data");
    program.child.kill("SIGINT");
    expect(await program.ended).toBe(130);
    expect(await program.stderr).toBe("Cancelled.\n");
    await server.close();
  },
);

it("an output that is closed ends the program without a word", { timeout: 20_000 }, async () => {
  const { server, program } = await slowRun();
  program.child.stdout.destroy();
  expect(await program.ended).toBe(141);
  expect(await program.stderr).toBe("");
  await server.close();
});
