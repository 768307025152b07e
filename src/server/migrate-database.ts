import { openRemote } from "./postgres/remote.js";
import { migrate } from "./postgres/migrate.js";

/** Makes or updates the tables of a server's database. Returns how many steps there were to do. */
export async function migrateDatabase(url: string): Promise<number> {
  const database = await openRemote({ url, connections: 2 });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}
