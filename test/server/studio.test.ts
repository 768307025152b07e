import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { RunContext } from "../../src/index.js";
import { react } from "../../src/server/studio.js";
import { startScriptedServer } from "../../src/testing/index.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const script = join(repository, "scripts/studio.mjs");
const GraphFile = z.looseObject({ graphs: z.record(z.string(), z.string()) });

/** The repository's `langgraph.json`, as a file in a folder of its own: the server writes beside it. */
async function copyGraphFile(folder: string): Promise<string> {
  const text = await readFile(join(repository, "langgraph.json"), "utf8");
  const file = GraphFile.parse(JSON.parse(text));
  const graphs = Object.entries(file.graphs).map(([name, place]) => [
    name,
    join(relative(folder, repository), place),
  ]);
  const copy = join(folder, "langgraph.json");
  await writeFile(copy, JSON.stringify({ ...file, graphs: Object.fromEntries(graphs) }));
  await writeFile(join(folder, ".env"), "");
  return copy;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return z.object({ port: z.number() }).parse(address).port;
}

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/ok`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function until(condition: () => Promise<boolean>, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(100)) {
    if (await condition()) return true;
  }
  return false;
}

describe("the graph react of the server", () => {
  it("has the built-in tools, and the model that the environment names", async () => {
    await using server = await startScriptedServer({ replies: ["Hello."] });
    vi.stubEnv("OPENAI_API_KEY", "any");
    vi.stubEnv("OPENAI_BASE_URL", server.url);
    vi.stubEnv("PLANGRAPH_MODEL", "openai:scripted");

    const { answer } = await react().invoke({ messages: [{ role: "user", content: "Hello?" }] });

    expect(answer).toBe("Hello.");
    expect(server.requests[0]?.body?.tools?.map((tool) => tool.function.name)).toEqual([
      "calculator",
      "random_number",
      "current_date",
      "ask_user",
      "hand_off",
    ]);
    vi.unstubAllEnvs();
  });
});

describe("the LangGraph dev server", () => {
  let folder = "";
  let config = "";
  let url = "";
  let server: ChildProcess;
  let output = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "plangraph-studio-"));
    config = await copyGraphFile(folder);
    const port = await freePort();
    url = `http://localhost:${port}`;
    const { PATH, HOME } = process.env;
    server = spawn(process.execPath, [script, "--no-reload", "--config", config], {
      cwd: folder,
      env: { PATH, HOME, PORT: String(port), LANGSMITH_TRACING: "false" },
    });
    const keep = (text: unknown) => (output += String(text));
    server.stdout?.on("data", keep);
    server.stderr?.on("data", keep);
    const ready = until(() => isUp(url), 60);
    const isReady = await Promise.race([ready, once(server, "exit").then(() => false)]);
    if (!isReady) throw new Error(`The server did not start:\n${output}`);
  }, 70_000);

  afterAll(async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
      await until(async () => !(await isUp(url)), 10);
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }, 20_000);

  it("answers on a thread through the SDK, without a key", async () => {
    const client = new Client({ apiUrl: url });
    const thread = await client.threads.create();
    const ask = (content: string) =>
      client.runs.wait(thread.thread_id, "react", {
        input: { messages: [{ role: "user", content }] },
      });

    const first = await ask("What is 3457 * 43216?");
    const second = await ask("What is 2 + 3?");

    expect(first).toMatchObject({
      answer: "The result is 149397712.",
      outcome: { status: "answered" },
      usage: { modelCalls: 2, toolCalls: 1 },
      observations: [{ tool: "calculator", content: "149397712" }],
    });
    expect(second).toMatchObject({ answer: "The result is 5.", usage: { toolCalls: 1 } });
  }, 30_000);

  it("takes a run's context and refuses one that does not fit", async () => {
    const client = new Client({ apiUrl: url });
    const input = { messages: [{ role: "user", content: "What is 3457 * 43216?" }] };

    const limited = await client.runs.wait(null, "react", {
      input,
      context: { limits: { toolCalls: 0 }, earlyStopping: "force" },
    });
    const refused = client.runs.wait(null, "react", {
      input,
      context: { limits: { seconds: "1" } },
    });

    expect(limited).toMatchObject({ outcome: { status: "limit", limit: "toolCalls" } });
    await expect(refused).rejects.toThrow("context.limits.seconds");
  }, 30_000);

  it("tells which fields a run's context has", async () => {
    const client = new Client({ apiUrl: url });

    const schemas = await client.assistants.getSchemas("react");

    expect(Object.keys(schemas.context_schema?.properties ?? {})).toEqual(
      Object.keys(RunContext.shape),
    );
  }, 60_000);

  it("ends with the process that was started", async () => {
    server.kill("SIGTERM");
    await once(server, "exit");

    expect(await until(async () => !(await isUp(url)), 10)).toBe(true);
  }, 20_000);

  it("ends with npm's shell, which hands no signal on", async () => {
    const { PATH, HOME } = process.env;
    const PORT = String(await freePort());
    const env = { PATH, HOME, PORT, LANGSMITH_TRACING: "false", npm_lifecycle_event: "studio" };
    const command = `"${process.execPath}" "${script}" --no-reload --config "${config}"; exit`;
    const shell = spawn("sh", ["-c", command], { cwd: folder, env });
    // Closed when nobody holds the output any more: neither the script nor the server.
    const closed = once(shell, "close");
    shell.stdout.resume();
    shell.stderr.resume();

    expect(await until(() => isUp(`http://localhost:${PORT}`), 60)).toBe(true);
    shell.kill("SIGKILL");

    await closed;
  }, 80_000);
});
