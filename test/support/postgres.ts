import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";

import { freePort, until } from "./dev-server.js";

const packaged = "/usr/lib/postgresql";
/** Where `.ci/run` puts a server with pgvector, which Debian has none of: a package of Python. */
const withPgvector = "/var/tmp/plangraph-pgserver/lib";
/** Who runs the server where we are root: it refuses to. */
const servants = ["postgres", "nobody"];

/** A Postgres server of its own, with the tables of LangGraph's checkpointer. */
export type Postgres = {
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Ends it in the middle of whatever it does; resolves when it is gone. */
  readonly crash: () => Promise<void>;
  /** Starts it again. */
  readonly restart: () => Promise<void>;
};

type Found = {
  readonly folder: string;
  /** Whom it is to run as, where not as ourselves. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
};

/** What a server must have. `PLANGRAPH_PGVECTOR_BIN` names the folder of one with pgvector. */
type Wanted = {
  readonly pgvector?: boolean;
  /** Settings of the server, as `name=value`. */
  readonly settings?: readonly string[];
};

/** Where the server's programs are and who can run them, or why it cannot be had here. */
function findPostgres({ pgvector = false }: Wanted): Found | { readonly reason: string } {
  const folders = pgvector ? foldersWithPgvector() : plainFolders();
  const folder = folders.find((each) =>
    ["initdb", "postgres"].every((file) => existsSync(join(each, file))),
  );
  if (folder === undefined) {
    return { reason: `Postgres${pgvector ? " with pgvector" : ""} is not installed` };
  }
  if (process.getuid?.() !== 0) return { folder, user: undefined };
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const fields = users.map((line) => line.split(":"));
  const found = fields.find(([name = ""]) => servants.includes(name));
  if (found === undefined) return { reason: "root may not run Postgres, and there is nobody else" };
  return { folder, user: { uid: Number(found[2]), gid: Number(found[3]) } };
}

function plainFolders(): readonly string[] {
  return [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...namesIn(packaged).map((version) => join(packaged, version, "bin")),
  ];
}

function foldersWithPgvector(): readonly string[] {
  const installed = namesIn(withPgvector).map((python) =>
    join(withPgvector, python, "site-packages/pgserver/pginstall/bin"),
  );
  const packages = namesIn(packaged)
    .filter((version) => existsSync(`/usr/share/postgresql/${version}/extension/vector.control`))
    .map((version) => join(packaged, version, "bin"));
  return [process.env["PLANGRAPH_PGVECTOR_BIN"] ?? "", ...installed, ...packages];
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Why no Postgres server can be started here; nothing where one can. */
export function whyNoPostgres(wanted: Wanted = {}): string | undefined {
  const found = findPostgres(wanted);
  return "reason" in found ? found.reason : undefined;
}

/** Starts a server on a free port, with a new folder for its data. Throws where there is none to start. */
export async function startPostgres(wanted: Wanted = {}): Promise<Postgres> {
  const found = findPostgres(wanted);
  if ("reason" in found) throw new Error(found.reason);
  const home = mkdtempSync(join(tmpdir(), "plangraph-postgres-"));
  if (found.user !== undefined) chownSync(home, found.user.uid, found.user.gid);
  const options = { cwd: home, ...found.user };
  const data = join(home, "data");
  const asked = [
    "-D",
    data,
    "-U",
    "plangraph",
    "--auth=trust",
    "--locale=C",
    "-E",
    "UTF8",
    "--no-sync",
  ];
  await promisify(execFile)(join(found.folder, "initdb"), asked, options);
  const port = String(await freePort());
  // Without waiting for the disk: it is our program that is killed, not the server.
  const settings = (wanted.settings ?? []).flatMap((each) => ["-c", each]);
  const how = ["-D", data, "-p", port, "-h", "localhost", "-k", home, "-F", ...settings];
  const start = () => spawn(join(found.folder, "postgres"), how, { ...options, stdio: "ignore" });
  let server = start();
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, "exit");
  };
  const url = `postgresql://plangraph@localhost:${port}/postgres`;
  const stop = async () => {
    await end("SIGINT");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const crash = () => end("SIGQUIT");
  const restart = async () => {
    server = start();
    await until(() => isSetUp(url), 60);
  };
  if (await until(() => isSetUp(url), 60)) return { url, stop, crash, restart };
  await stop();
  throw new Error("Postgres did not start.");
}

async function isSetUp(url: string): Promise<boolean> {
  const saver = PostgresSaver.fromConnString(url);
  try {
    await saver.setup();
    return true;
  } catch {
    return false;
  } finally {
    await saver.end();
  }
}
