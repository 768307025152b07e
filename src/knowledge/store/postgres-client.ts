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
      /**
       * Milliseconds after which a server that does not connect or answer has failed; default 30 000. What writes, or
       * looks at all of a base for an ingest, has 20 times as long.
       */
      readonly timeoutMs?: number;
    };

/** Runs one statement and gives its rows. Values are parameters, never part of the text. */
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** What is used of the driver; its own types are no part of ours. */
type Connection = {
  readonly query: (sql: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>;
};
type Pool = {
  readonly connect: () => Promise<Connection & { readonly release: (broken: boolean) => void }>;
  readonly end: () => Promise<void>;
};

/** A pool of connections to the server of a base. All of its errors are `knowledge_failed`, and none has a password in it. */
export class PostgresClient {
  readonly schema: string;
  /** Names the base in errors. */
  readonly where: string;
  readonly #pool: Pool;
  readonly #timeoutMs: number;
  #end: Promise<void> | undefined;

  private constructor(pool: Pool, schema: string, where: string, timeoutMs: number) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.schema = schema;
    this.where = where;
  }

  /** Connects to nothing yet. Throws `invalid_option` for an address that is none, and `missing_package` without `pg`. */
  static async open(given: PostgresAddress): Promise<PostgresClient> {
    const parts = typeof given === "string" ? { url: given } : given;
    const { url, schema = "knowledge", timeoutMs = 30_000 } = parts;
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
      connectionTimeoutMillis: Math.min(timeoutMs, longestTimer),
      keepAlive: true,
      // An open base keeps no program alive.
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it, or between two statements, is replaced; unheard it would end the program.
    pool.on("error", () => {});
    pool.on("connect", (connection) => connection.on("error", () => {}));
    for (const password of passwords) keepSecret(password, pool);
    return new PostgresClient(pool, schema, where, timeoutMs);
  }

  readonly all: RunSql = async (sql, values) =>
    this.#connected(this.#timeoutMs, (run) => run(sql, values));

  /** For statements over all of a base, which an ingest makes. */
  readonly slow: RunSql = async (sql, values) =>
    this.#connected(this.#timeoutMs * slower, (run) => run(sql, values));

  /** Runs statements that count together or not at all. */
  async transaction<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    return this.#connected(this.#timeoutMs * slower, async (run) => {
      await run("BEGIN");
      const result = await work(run);
      await run("COMMIT");
      return result;
    });
  }

  /** Lends a connection. After an error it is not used again: the server then takes back what was begun. */
  async #connected<Result>(
    timeoutMs: number,
    work: (sql: RunSql) => Promise<Result>,
  ): Promise<Result> {
    if (this.#end !== undefined) throw this.error(isClosed);
    const connection = await this.#pool.connect().catch((error: unknown) => {
      const isLate = /timeout|timed out/i.test(errorLine(error));
      throw isLate ? this.#late("connection", this.#timeoutMs, error) : this.#failure(error);
    });
    let isBroken = true;
    try {
      const result = await work(async (sql, values = []) => {
        const answer = await inTime(connection.query(sql, [...values]), timeoutMs);
        if (answer === undefined) throw this.#late("answer", timeoutMs);
        return answer.rows;
      });
      isBroken = false;
      return result;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      connection.release(isBroken);
    }
  }

  /** The error for a base that is not as it must be. */
  error(problem: string, cause?: unknown): PlangraphError {
    return new PlangraphError("knowledge_failed", `${this.where}: ${problem}.`, { cause });
  }

  /** Ends all connections; twice is once. A server that does not answer is not waited for. */
  async end(): Promise<void> {
    this.#end ??= this.#pool.end();
    await inTime(this.#end, this.#timeoutMs);
  }

  #late(what: "connection" | "answer", ms: number, cause?: unknown): PlangraphError {
    const isSlow = ms > this.#timeoutMs;
    const own = `the setting timeoutMs of postgres is ${this.#timeoutMs}`;
    const allowed = isSlow ? `${own}, and this may take ${slower} times as long` : own;
    return this.error(`no ${what} from the server within ${ms} ms; ${allowed}`, cause);
  }

  #failure(error: unknown): PlangraphError {
    return error instanceof PlangraphError ? error : this.error(errorLine(error), error);
  }
}

/** How much longer may take what writes: other programs may write, too, and it is for one at a time. */
const slower = 20;

const longestTimer = 2 ** 31 - 1;

/** What the work gives; nothing if that takes longer. */
async function inTime<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(ms, longestTimer));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
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
