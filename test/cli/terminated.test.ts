import { readFile } from "node:fs/promises";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startScriptedServer } from "../../src/testing/index.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeEach(async () => {
  directory = await createDirectory();
});
afterEach(() => directory.remove());

const calls = [{ toolCalls: [{ name: "note", args: {} }] }, "Noted."];

/** A tool that tells how often it ran, and asks the test to end the process. */
const tools = (file: string) => `
import { appendFileSync } from "node:fs";
import { tool } from "@langchain/core/tools";
import { z } from "zod";
export const note = tool(() => {
  appendFileSync(${JSON.stringify(file)}, "noted\\n");
  globalThis.endTheProcess?.();
  return "noted";
}, { name: "note", description: "Notes.", schema: z.object({}) });
`;

/** A console of a process with a model that calls the tool, and what the tool does besides. */
async function prepare() {
  const server = await startScriptedServer({ replies: calls });
  const file = directory.path("notes.txt");
  const environment = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "any" };
  const flags = [
    ["--tools", await directory.write("tools.mjs", tools(file))],
    ["--model", "openai:any", "--protocol", "native"],
    ["--checkpoint", directory.path("runs.db"), "--thread", "t1"],
  ].flat();
  const notes = async () => (await readFile(file, "utf8").catch(() => "")).split("\n").length - 1;
  return { server, environment, flags, notes };
}

describe("SIGTERM", () => {
  it("stops a run after the step at work, which goes on later and repeats nothing", async () => {
    const { server, environment, flags, notes } = await prepare();
    await using _ = server;
    const first = createConsole({ environment });
    Reflect.set(globalThis, "endTheProcess", first.terminate);
    expect(await first.run("react", "Note it.", ...flags)).toBe(143);
    Reflect.deleteProperty(globalThis, "endTheProcess");
    expect(first.written.stderr).toMatch(
      /Stopped after a step, as SIGTERM asked\. To continue: plangraph react .*--thread t1/,
    );
    expect(await notes()).toBe(1);
    const second = createConsole({ environment });
    expect(await second.run("react", ...flags, "--continue")).toBe(0);
    expect(second.written.stdout).toBe("Noted.\n");
    expect(await notes()).toBe(1);
    server.assertExhausted();
  });

  it("ends the process at once the second time", async () => {
    const { server, environment, flags } = await prepare();
    await using _ = server;
    const { run, terminate, exits } = createConsole({ environment });
    Reflect.set(globalThis, "endTheProcess", () => {
      terminate();
      terminate();
    });
    await run("react", "Note it.", ...flags);
    Reflect.deleteProperty(globalThis, "endTheProcess");
    expect(exits).toEqual([143]);
  });

  it("ends a question to the person, which is asked again later", async () => {
    const { environment, server } = await prepare();
    await using _ = server;
    const file = await directory.write(
      "ask.workflow.yaml",
      'steps:\n  ok: { person: "Is it right?" }\noutput: "{{ok}}"\n',
    );
    const flags = ["--checkpoint", directory.path("asked.db"), "--thread", "t1"];
    const { io, run, terminate, written } = createConsole({ environment, typed: [] });
    const ask = async (_prompt: string, { signal }: { signal: AbortSignal }) => {
      setTimeout(terminate, 20);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return undefined;
    };
    Reflect.set(io, "person", { ...io.person, ask });
    expect(await run("run", file, "{}", ...flags)).toBe(4);
    expect(written.stderr).toContain("--thread t1");
  });

  it("is not waited for without a place where the run goes on", async () => {
    const { server, environment, flags } = await prepare();
    await using _ = server;
    const { run, terminate } = createConsole({ environment });
    Reflect.set(globalThis, "endTheProcess", terminate);
    const without = flags.slice(0, -4);
    expect(await run("react", "Note it.", ...without)).toBe(0);
    Reflect.deleteProperty(globalThis, "endTheProcess");
  });
});
