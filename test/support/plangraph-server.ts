import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";

import { Client } from "@langchain/langgraph-sdk";

import type { CreateServerOptions, CreateWorkerOptions } from "../../src/server/index.js";
import { bundledServer, moduleOf } from "./bundled-program.js";
import { buildPage } from "../../scripts/build-page.js";
import { bareEnvironment } from "./dev-server.js";

const repository = join(import.meta.dirname, "../..");
/** `file.ts:export`: where a graph is in the sources. */
const place = /^(.+\.ts):(\w+)$/;

/** A server or a worker in a process of its own. */
export type ServerProcess = {
  readonly url: string;
  readonly client: Client;
  readonly process: ChildProcess;
  /** Ends it at once, in the middle of whatever it does. */
  readonly kill: () => Promise<void>;
  /** Lets it finish what it does. */
  readonly stop: () => Promise<void>;
  /** What it printed. */
  readonly output: () => string;
};

type Started =
  | ({ readonly kind: "server" } & Omit<CreateServerOptions, "graphs">)
  | ({ readonly kind: "worker" } & Omit<CreateWorkerOptions, "graphs">);

type Given = Started & {
  readonly graphs?: Readonly<Record<string, string>>;
  /** Where it works. */
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Starts a process with these options on a free port; waits until it is up. */
export async function startServerProcess(given: Given): Promise<ServerProcess> {
  const { environment = {}, cwd, ...options } = given;
  const { child, graphs } = await bundledGraphs(given.graphs);
  const started = spawn(process.execPath, [child], {
    cwd,
    env: {
      ...bareEnvironment(0),
      ...environment,
      SERVER_OPTIONS: JSON.stringify({ port: 0, ...options, graphs }),
    },
  });
  let output = "";
  started.stderr.on("data", (text) => (output += String(text)));
  const exited = once(started, "exit");
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    if (started.exitCode !== null || started.signalCode !== null) return;
    started.kill(signal);
    await exited;
  };
  const url = await new Promise<string>((resolve, reject) => {
    started.stdout.on("data", (text) => {
      output += String(text);
      const found = /^http:\S+$/m.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`It did not start:\n${output}`)));
  });
  return {
    url,
    client: new Client({ apiUrl: url, callerOptions: { maxRetries: 0 } }),
    process: started,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    output: () => output,
  };
}

/** A client of a server, logged in by this token. */
export function clientWith(url: string, token: string): Client {
  return new Client({
    apiUrl: url,
    callerOptions: { maxRetries: 0 },
    defaultHeaders: { authorization: `Bearer ${token}` },
  });
}

/**
 * Builds the page where the bundles of servers look for it. Tests of other files may have it open: a file is there in
 * whole at any time.
 */
export async function buildServedPage(): Promise<void> {
  const served = join(repository, "node_modules/.cache/page");
  await mkdir(served, { recursive: true });
  const made = await mkdtemp(`${served}-`);
  await buildPage(made);
  for (const name of await readdir(made)) await rename(join(made, name), join(served, name));
  await rm(made, { recursive: true });
}

/** The place of an export of a module of this folder that the process can load, as `langgraph.json` writes it. */
export async function bundledPlace(file: string, name: string): Promise<string> {
  return `${join(await bundledServer(), moduleOf(file))}:${name}`;
}

/** The program, and graphs of the sources where it has them. */
async function bundledGraphs(graphs: Given["graphs"]) {
  const places = Object.entries(graphs ?? {}).map(([graph, at]) => {
    const [, file = "", name = ""] = place.exec(at) ?? [];
    return { graph, file, name };
  });
  const folder = await bundledServer(places.map(({ file }) => relative(repository, file)));
  const at = (file: string) => join(folder, moduleOf(file));
  return {
    child: at("server-child.ts"),
    graphs:
      graphs &&
      Object.fromEntries(places.map(({ graph, file, name }) => [graph, `${at(file)}:${name}`])),
  };
}
