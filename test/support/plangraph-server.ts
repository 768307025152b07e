import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { Client } from "@langchain/langgraph-sdk";

import type { CreateServerOptions, CreateWorkerOptions } from "../../src/server/index.js";
import { bareEnvironment } from "./dev-server.js";

const child = fileURLToPath(new URL("server-child.ts", import.meta.url));

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
  const started = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), child], {
    cwd,
    env: {
      ...bareEnvironment(0),
      ...environment,
      SERVER_OPTIONS: JSON.stringify({ port: 0, ...options }),
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
