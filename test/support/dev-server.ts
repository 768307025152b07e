import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Client } from "@langchain/langgraph-sdk";
import { z } from "zod";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The program that `npm run studio` starts. */
export const studioScript = join(repository, "scripts/studio.mjs");
/** The LangGraph dev server. */
const devServerScript = join(repository, "scripts/dev-server.mjs");

/** A LangGraph dev server of its own, in a folder of its own. */
export type DevServer = {
  readonly url: string;
  readonly client: Client;
  /** Where it works: it writes beside its `langgraph.json`. */
  readonly folder: string;
  readonly config: string;
  /** Ends the process that was started; tells whether nobody answers at its address any more. */
  readonly stop: () => Promise<boolean>;
  /** Stops it and removes its folder. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a server with these graphs, `{ name: "src/file.ts:export" }`, and an application beside them; waits until it
 * is up.
 */
export async function startDevServer(
  graphs: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  app?: string,
): Promise<DevServer> {
  const folder = await mkdtemp(join(tmpdir(), "plangraph-studio-"));
  const config = await writeConfig(folder, graphs, app);
  return serveFolder(folder, config, environment);
}

/** Starts a server for the `langgraph.json` of a folder, which goes with it; waits until it is up. */
export async function serveFolder(
  folder: string,
  config: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<DevServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let output = "";
  const keep = (text: unknown) => (output += String(text));
  const server = spawn(process.execPath, [devServerScript, "--no-reload", "--config", config], {
    cwd: folder,
    env: { ...bareEnvironment(port), ...environment },
  });
  server.stdout.on("data", keep);
  server.stderr.on("data", keep);
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    return until(async () => !(await isUp(url)), 10);
  };
  const close = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const exit = once(server, "exit").then(() => false);
  if (!(await Promise.race([until(() => isUp(url), 60), exit]))) {
    await close();
    throw new Error(`The server did not start:\n${output}`);
  }
  const client = new Client({ apiUrl: url, callerOptions: { maxRetries: 0 } });
  return { url, client, folder, config, stop, close };
}

/** What a server's process needs to be told: this test's own keys and models are not its business. */
export function bareEnvironment(port: number): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, PORT: String(port), LANGSMITH_TRACING: "false" };
}

async function writeConfig(
  folder: string,
  graphs: Readonly<Record<string, string>>,
  app: string | undefined,
): Promise<string> {
  const at = (place: string) => join(relative(folder, repository), place);
  const places = Object.entries(graphs).map(([name, place]) => [name, at(place)]);
  const config = join(folder, "langgraph.json");
  const content = {
    node_version: "20",
    dependencies: ["."],
    graphs: Object.fromEntries(places),
    env: ".env",
    ...(app === undefined ? {} : { http: { app: at(app) } }),
  };
  await writeFile(config, JSON.stringify(content));
  await writeFile(join(folder, ".env"), "");
  return config;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return z.object({ port: z.number() }).parse(address).port;
}

/** Whether a server answers at this address. */
export function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/ok`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Waits until the condition holds; tells whether it did in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(50)) {
    if (await condition()) return true;
  }
  return false;
}
