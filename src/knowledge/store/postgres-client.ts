import { optionalPackage, PlangraphError } from "../../errors.js";
import { errorLine, keepSecret } from "../../observe/redact.js";
import { isClosed } from "./store.js";

/** Where a base is in Postgres: an address such as `postgresql://user@host:5432/database`, with a schema of its own in it. */
export type PostgresAddress =
  | string
  | {
      readonly url: string;
      /** Made if it is not there; default `knowledge`. */
      readonly schema?: string;
    };

/** Runs one statement and gives its rows. Values are parameters, never part of the text. */
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** What is used of the driver; its own types are no part of ours. */
type Connection = {
  readonly query: (sql: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>;
};
type Pool = Connection & {
  readonly connect: () => Promise<Connection & { readonly release: (broken: boolean) => void }>;
  readonly end: () => Promise<void>;
};

/** A pool of connections to the server of a base. All of its errors are `knowledge_failed`, and none has a password in it. */
export class PostgresClient {
  readonly schema: string;
  /** Names the base in errors. */
  readonly where: string;
  readonly #pool: Pool;
  #end: Promise<void> | undefined;

  private constructor(pool: Pool, schema: string, where: string) {
    this.#pool = pool;
    this.schema = schema;
    this.where = where;
  }

  /** Connects to nothing yet. Throws `invalid_option` for an address that is none, and `missing_package` without `pg`. */
  static async open(given: PostgresAddress): Promise<PostgresClient> {
    const { url, schema = "knowledge" } = typeof given === "string" ? { url: given } : given;
    const { name, passwords } = addressOf(url);
    // Longer names Postgres would cut, so that two of them were one.
    if (!/^[a-z_][a-z0-9_]{0,62}$/i.test(schema)) {
      throw invalid(`the schema "${schema}": expected up to 63 letters, digits and underscores`);
    }
    const where = `The knowledge base ${name}, schema ${schema}`;
    const { Pool: DriversPool } = await optionalPackage(
      () => import("pg"),
      `${where} needs the package "pg": npm install pg.`,
    );
    const pool = new DriversPool({
      connectionString: url,
      application_name: "plangraph",
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // An open base keeps no program alive.
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it, or between two statements, is replaced; unheard it would end the program.
    pool.on("error", () => {});
    pool.on("connect", (connection) => connection.on("error", () => {}));
    for (const password of passwords) keepSecret(password, pool);
    return new PostgresClient(pool, schema, where);
  }

  readonly all: RunSql = async (sql, values = []) => {
    this.#checkOpen();
    try {
      return (await this.#pool.query(sql, [...values])).rows;
    } catch (error) {
      throw this.#failure(error);
    }
  };

  /** Runs statements that count together or not at all. */
  async transaction<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    this.#checkOpen();
    const connection = await this.#pool.connect().catch((error: unknown) => {
      throw this.#failure(error);
    });
    let isBroken = false;
    const run: RunSql = async (sql, values = []) => (await connection.query(sql, [...values])).rows;
    try {
      await run("BEGIN");
      const result = await work(run);
      await run("COMMIT");
      return result;
    } catch (error) {
      await run("ROLLBACK").catch(() => {
        isBroken = true;
      });
      throw this.#failure(error);
    } finally {
      connection.release(isBroken);
    }
  }

  /** The error for a base that is not as it must be. */
  error(problem: string, cause?: unknown): PlangraphError {
    return new PlangraphError("knowledge_failed", `${this.where}: ${problem}.`, { cause });
  }

  /** Ends all connections; twice is once. */
  async end(): Promise<void> {
    this.#end ??= this.#pool.end();
    await this.#end;
  }

  #checkOpen(): void {
    if (this.#end !== undefined) throw this.error(isClosed);
  }

  #failure(error: unknown): PlangraphError {
    return error instanceof PlangraphError ? error : this.error(errorLine(error), error);
  }
}

/** A lock on what has this name, until the end of the transaction: alone, or with others that share it. */
export async function lock(sql: RunSql, name: string, how: "alone" | "shared"): Promise<void> {
  const take = how === "alone" ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared";
  await sql(`SELECT ${take}(hashtextextended($1, 0))`, [`plangraph ${name}`]);
}

/** The address as errors name it, and the passwords in it. The address itself never becomes part of an error. */
function addressOf(text: string): { readonly name: string; readonly passwords: readonly string[] } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw invalid("expected an address such as postgresql://user@host:5432/database");
  }
  // A password with an unencoded # would end up in the host.
  if (url.hash !== "") throw invalid("a # in the address must be written as %23");
  const { protocol, host, pathname, password, searchParams } = url;
  const given = [password, searchParams.get("password") ?? ""].filter((one) => one !== "");
  return {
    name: `${protocol}//${host}${pathname}`,
    passwords: [...new Set([...given, ...given.map(decoded)])],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function invalid(problem: string): PlangraphError {
  return new PlangraphError("invalid_option", `A knowledge base in Postgres: ${problem}.`);
}
