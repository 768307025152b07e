import { spawn } from "node:child_process";
import { once } from "node:events";

import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { fillFolder } from "../support/embedded-folder.js";
import { createConsole, createDirectory } from "./console.js";

let directory: Awaited<ReturnType<typeof createDirectory>>;
beforeAll(async () => {
  directory = await createDirectory();
  await fillFolder(directory.path("data"));
}, 60_000);
afterAll(() => directory.remove());

const sum = { messages: [{ role: "user" as const, content: "What is 3457 * 43216?" }] };
const Answer = z.object({ answer: z.string() });

/** Starts the command line; `url` is where it serves. */
async function start(...argv: readonly string[]) {
  const { PATH, HOME } = process.env;
  const program = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...argv], {
    env: { PATH, HOME, PLANGRAPH_MODEL: "offline", LANGSMITH_TRACING: "false" },
  });
  let output = "";
  const url = new Promise<string>((resolve, reject) => {
    const keep = (text: unknown) => {
      output += String(text);
      const found = /^Serving at (http:\S+)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    program.stdout.on("data", keep);
    program.stderr.on("data", keep);
    program.once("exit", () => reject(new Error(output)));
  });
  return { program, url: await url, output: () => output };
}

describe("plangraph serve", () => {
  it("serves the graphs of a langgraph.json and the application beside them, until SIGTERM", async () => {
    const data = directory.path("data");
    const { program, url, output } = await start("serve", "--data", data, "--port", "0");
    const client = new Client({ apiUrl: url });
    const result = await client.runs.wait(null, "react", { input: sum });
    expect(Answer.parse(result).answer).toContain("149397712");
    const metrics = await fetch(`${url}/metrics`);
    expect(await metrics.text()).toContain("gen_ai");
    program.kill("SIGTERM");
    expect(await once(program, "exit")).toEqual([0, null]);
    expect(output()).toBe(`Serving at ${url}\nChat at ${url}/chat\n`);
  }, 90_000);

  it("serves the agents of a folder", async () => {
    await directory.write("sums.agent.yaml", "graph: react\ntools: [calculator]\n");
    const data = directory.path("data");
    const flags = ["--agents", directory.path("."), "--data", data, "--port", "0"];
    const { program, url } = await start("serve", ...flags);
    const client = new Client({ apiUrl: url });
    expect((await client.assistants.search()).map(({ name }) => name)).toContain("sums");
    const { thread_id } = await client.threads.create();
    const result = await client.runs.wait(thread_id, "sums", { input: sum });
    expect(Answer.parse(result).answer).toContain("149397712");
    program.kill("SIGINT");
    expect(await once(program, "exit")).toEqual([0, null]);
  }, 90_000);

  it.each([
    {
      name: "a folder and a database",
      argv: ["serve", "--data", "d", "--database", "postgresql://x"],
      told: /--data and --database: expected one of them/,
    },
    {
      name: "agents and a configuration",
      argv: ["serve", "--agents", "a", "--config", "c.json"],
      told: /--agents and --config: expected one of them/,
    },
    {
      name: "a port that is none",
      argv: ["serve", "--port", "http"],
      told: /--port http: expected a number from 0 to 65535/,
    },
    {
      name: "no slots",
      argv: ["worker", "--database", "postgresql://x", "--slots", "many"],
      told: /--slots many: expected a number/,
    },
    {
      name: "a configuration that is not there",
      argv: ["serve", "--config", "none.json"],
      told: /none\.json/,
    },
    {
      name: "a graph that is not there",
      argv: ["serve", "--config", "test/support/no-graph.langgraph.json"],
      told: /graph shop: .*served-graphs\.ts exports no "shopp": expected one of .*shop/,
    },
    {
      name: "all addresses without a token",
      argv: ["serve", "--host", "0.0.0.0"],
      told: /host 0\.0\.0\.0: anybody could call the server/,
    },
    { name: "a worker alone", argv: ["worker"], told: /Expected a database: --database URL/ },
    { name: "tables of nothing", argv: ["migrate"], told: /Expected a database: --database URL/ },
  ])("refuses $name", async ({ argv, told }) => {
    const { run, written } = createConsole();
    expect(await run(...argv)).toBe(2);
    expect(written.stderr).toMatch(told);
    expect(written.stdout).toBe("");
  });

  it("refuses a variable that is not set", async () => {
    const { run, written } = createConsole();
    expect(await run("serve", "--token-env", "NO_TOKEN")).toBe(1);
    expect(written.stderr).toMatch(/NO_TOKEN: the environment variable is not set/);
  });
});
