import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";

import { createConsole } from "../cli/console.js";
import { type DevServer, serveFolder } from "../support/dev-server.js";
import { mortalServer, processesIn } from "../support/mcp-files.js";

const environment = { PLANGRAPH_MODEL: "offline" };
const sum = { messages: [{ role: "user" as const, content: "What is 3457 * 43216?" }] };
const approve = { resume: { decisions: [{ type: "approve" as const }] } };
const Values = z.object({ answer: z.string(), version: z.string() });

const sums = (description: string) => `
graph: react
description: ${description}
tools: [calculator]
policies:
  calculator: { needsApproval: true }
`;

/** A workflow that calls the tool of an MCP server. */
const look = () => `
mcp: { a: ${mortalServer(join(folder, "notes"))} }
policies: { look: { needsApproval: false } }
steps: { seen: { tool: look } }
output: "{{seen}}"
`;

let folder: string;
let config: string;
let server: DevServer;

/** A project with agent files, that finds the package by its name. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plangraph-served-"));
  config = join(folder, "langgraph.json");
  const home = join(folder, "node_modules/plangraph");
  await mkdir(home, { recursive: true });
  await mkdir(join(folder, "agents"));
  const json = { name: "plangraph", type: "module", exports: { "./agents": "./agents.mjs" } };
  await writeFile(join(home, "package.json"), JSON.stringify(json));
  await symlink(resolve("src"), join(home, "src"));
  await symlink(resolve("node_modules/@langchain"), join(folder, "node_modules/@langchain"));
  await writeFile(join(home, "agents.mjs"), 'export * from "./src/agents/index.ts";\n');
  await writeFile(join(folder, "agents/sums.agent.yaml"), sums("First."));
  await writeFile(
    join(folder, "agents/plan-first.agent.yaml"),
    "graph: rewoo\ntools: [calculator]\n",
  );
  await writeFile(join(folder, "agents/look.workflow.yaml"), look());
  const { run, written } = createConsole({ environment });
  const status = await run("agents", "langgraph-json", join(folder, "agents"), "--config", config);
  if (status !== 0) throw new Error(written.shown);
  server = await serveFolder(folder, config, environment);
}, 70_000);
afterAll(() => server.close(), 20_000);

async function asked(graph: string, thread: string, decides = false) {
  const payload = decides ? { command: approve } : { input: sum };
  return server.client.runs.wait(thread, graph, payload);
}

async function paused(graph: string) {
  const { thread_id } = await server.client.threads.create();
  await asked(graph, thread_id);
  const { values, next } = await server.client.threads.getState(thread_id);
  expect(next).toEqual(["agent"]);
  return { thread: thread_id, version: z.object({ version: z.string() }).parse(values).version };
}

it("serves every agent of a folder", async () => {
  expect(Object.keys(JSON.parse(await readFile(config, "utf8")).graphs)).toEqual([
    "look",
    "plan-first",
    "sums",
  ]);
  const { thread_id } = await server.client.threads.create();
  const values = Values.parse(await asked("plan-first", thread_id));
  expect(values.answer).toContain("149397712");
  const [assistant] = await server.client.assistants.search({ graphId: "sums" });
  const schemas = await server.client.assistants.getSchemas(assistant?.assistant_id ?? "");
  expect(schemas.input_schema?.properties).toHaveProperty("messages");
}, 60_000);

it("keeps the MCP server of an agent, which ends with the LangGraph server", async () => {
  const answers: string[] = [];
  for (const _ of [1, 2]) {
    const { thread_id } = await server.client.threads.create();
    const values = await server.client.runs.wait(thread_id, "look", { input: { input: {} } });
    answers.push(Values.parse(values).answer);
  }
  const { alive } = processesIn(join(folder, "notes"));
  expect(alive).toHaveLength(1);
  expect(answers).toEqual([String(alive[0]), String(alive[0])]);
  await server.stop();
  await vi.waitFor(() => expect(processesIn(join(folder, "notes")).alive).toEqual([]), 10_000);
  server = await serveFolder(folder, config, environment);
}, 120_000);

it("takes a changed file for the next run, and the old one for a run that waits, also after a restart", async () => {
  const first = await paused("sums");
  const other = await paused("sums");
  await writeFile(join(folder, "agents/sums.agent.yaml"), sums("Second."));
  const second = await paused("sums");
  expect(second.version).not.toBe(first.version);
  expect(other.version).toBe(first.version);
  const done = Values.parse(await asked("sums", first.thread, true));
  expect(done).toMatchObject({ version: first.version });
  expect(done.answer).toContain("149397712");

  await server.stop();
  server = await serveFolder(folder, config, environment);
  const late = Values.parse(await asked("sums", other.thread, true));
  expect(late.version).toBe(first.version);
  expect(late.answer).toContain("149397712");

  await writeFile(join(folder, "agents/sums.agent.yaml"), "graph: reakt\n");
  const kept = await paused("sums");
  expect(kept.version).toBe(second.version);
}, 120_000);
