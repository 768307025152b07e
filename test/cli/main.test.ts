import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, expect, it } from "vitest";

import { type ServerReply, startScriptedServer } from "../../src/testing/index.js";
import { createDirectory, toolModule } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;

beforeAll(async () => {
  directory = await createDirectory();
});
afterAll(() => directory.remove());

/** The program as a shell starts it, its output in pipes. */
function start(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  piped = "",
) {
  const child = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...argv], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(piped);
  const ended = once(child, "close").then(([status]: unknown[]) => status);
  return { child, ended, stderr: text(child.stderr) };
}

const slow = { text: "Wait.", toolCalls: [{ name: "slow", args: {} }] };

/** The program with a model that gives these replies, and a tool that takes its time. */
async function started(words: readonly string[], replies: ServerReply[], piped = "") {
  const server = await startScriptedServer({ replies });
  const file = await directory.write("tools.ts", toolModule);
  const argv = [...words, "--model", "openai:m", "--tools", file];
  return {
    server,
    program: start(argv, { OPENAI_API_KEY: "x", OPENAI_BASE_URL: server.url }, piped),
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
  { timeout: 60_000 },
  async () => {
    const { server, program } = await started(["react", "q"], [slow, "Done."]);
    await once(program.child.stderr, "data");
    program.child.kill("SIGINT");
    expect(await program.ended).toBe(130);
    expect(await program.stderr).toBe("Wait.\nCancelled.\n");
    await server.close();
  },
);

it("an output that is closed ends a conversation without a word", { timeout: 20_000 }, async () => {
  const { server, program } = await started(["chat"], ["Hello.", slow], "Hi.\nWork.\n");
  program.child.stdout.destroy();
  expect(await program.ended).toBe(141);
  expect(await program.stderr).toMatch(/^answered in .*\n(?:Wait\.\n)?$/);
  await server.close();
});

it(
  "a conversation reads its messages from a pipe, and prints nothing but the answers",
  { timeout: 20_000 },
  async () => {
    const piped = "What is 17 * 23?\r\n\n \nWhat is 2 + 2?";
    const { child, ended, stderr } = start(["chat"], {}, piped);
    expect(await text(child.stdout)).toBe("The result is 391.\nThe result is 4.\n");
    expect(await ended).toBe(0);
    expect(await stderr).not.toMatch(/you>|Each line/);
  },
);
