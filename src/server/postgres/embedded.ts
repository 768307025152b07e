import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { optionalPackage, PlangraphError } from "../../errors.js";
import { isBusy, openDatabase } from "../../sqlite/index.js";
import { type Database, type Heard, loadDriver, type Messages, overPool } from "./database.js";

const engine = "@electric-sql/pglite";

/**
 * Opens or creates a Postgres in a folder, inside this process. Throws `unreadable_file` while another process has the
 * folder open, and `missing_package`.
 */
export async function openEmbedded(folder: string): Promise<Database> {
  const [{ PGlite }, { createPgConfig }, driver] = await Promise.all([
    optionalPackage(() => import("@electric-sql/pglite"), missing),
    optionalPackage(() => import("@electric-sql/pglite/node-postgres"), missing),
    loadDriver("A database in a folder"),
  ]);
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  try {
    const lite = await PGlite.create({ dataDir: join(folder, "postgres") });
    const { poolSize, ...config } = createPgConfig(lite);
    const pool = new driver.Pool({ ...config, max: poolSize });
    const messages = withinProcess();
    const close = async () => {
      await lite.close();
      unlock();
    };
    const database = overPool(pool, messages);
    return {
      ...database,
      close: async () => {
        await database.close();
        await close();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

const missing = `A database in a folder needs the package "${engine}": npm install ${engine}.`;

/**
 * PGlite opens a folder that another process has open, and either loses what the other wrote. The lock is one of
 * SQLite: the system gives it up with the process, however that ends, and it holds between containers.
 */
async function lockFolder(folder: string): Promise<() => void> {
  const file = join(folder, "lock.db");
  const lock = await openDatabase(file, { where: `${folder}: its lock`, busyMs: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new PlangraphError(
      "unreadable_file",
      `${folder}: another process has it open. One process at a time can use a folder; several need a database.`,
      { cause: error },
    );
  }
  return () => {
    lock.exec("rollback");
    lock.close();
  };
}

/** Nobody but this process has the database open. */
function withinProcess(): Messages {
  const channels = new Map<string, Set<Heard>>();
  return {
    notify: (channel, payload) => {
      // As late as a message over a connection: after the caller's own step.
      setImmediate(() => {
        for (const heard of channels.get(channel) ?? []) heard(payload);
      });
      return Promise.resolve();
    },
    listen: (channel, heard) => {
      channels.set(channel, (channels.get(channel) ?? new Set<Heard>()).add(heard));
    },
    close: () => {
      channels.clear();
      return Promise.resolve();
    },
  };
}
