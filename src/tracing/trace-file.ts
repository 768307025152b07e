import { statSync } from "node:fs";
import { resolve } from "node:path";

import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { isRecord, type Json } from "../json/json.js";
import type { AgentEvent } from "../observe/events.js";
import type { ModelInput } from "../observe/observer.js";
import { type OpenDatabase, openDatabase, unreadableFile } from "../sqlite/index.js";
import { packed, unpacked } from "./content.js";
import { pragma, prepareTables, threadOf } from "./tables.js";
import { runOf, type TracedRun, type TraceMark, type TraceStatus } from "./traced-run.js";

/** An event of a run, or of a run inside it, with what a model was sent. */
export type TracedEvent = { readonly event: AgentEvent; readonly input?: ModelInput };

/** Removes the content of a run that no other run uses. */
const removeContent = `
  DELETE FROM content WHERE hash IN (SELECT hash FROM used WHERE run = ?)
  AND NOT EXISTS (SELECT 1 FROM used WHERE used.hash = content.hash AND used.run <> ?)`;

/** Another question on a thread takes the place of what waited there for a person: that is not carried out any more. */
const passOver = `
  UPDATE run SET status = 'cancelled', ended = COALESCE(ended, ?)
  WHERE ${threadOf} = ? AND status = 'paused' AND id <> ?`;

/** Adds the time since a run paused to the time that it has waited. */
const addWait = `
  UPDATE run SET data = json_set(data, '$.waitedMs', COALESCE(json_extract(data, '$.waitedMs'), 0) + MAX(0, ? - ended))
  WHERE id = ? AND status = 'paused' AND ended IS NOT NULL`;

const EventRow = z.object({ data: z.string() });
const Stored = z.object({ event: z.json(), input: z.json().optional() });
const Outline = z.object({ event: z.record(z.string(), z.json()) });

/** How long a reader, and a run that writes, wait for another writer, in milliseconds. */
const busyMs = { read: 2_000, write: 20 };

/** A SQLite file of traces. All methods work at once; they throw the errors of SQLite. */
export class TraceFile {
  readonly #db: OpenDatabase;

  private constructor(db: OpenDatabase) {
    this.#db = db;
  }

  /**
   * Opens a file of traces; with `create`, makes it if it is not there. Throws `missing_package` without SQLite's driver,
   * and `unreadable_file` for a file that is not there, is something else, or is of a newer form.
   */
  static async open(
    file: string,
    { create = false }: { readonly create?: boolean } = {},
  ): Promise<TraceFile> {
    const where = `The trace file ${file}`;
    const path = resolve(file);
    if (!create && statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
      throw new PlangraphError("unreadable_file", `${where}: there is no such file.`);
    }
    const db = await openDatabase(path, { where, busyMs: busyMs.read });
    try {
      prepareTables(db, { where, create });
      if (create) db.exec(`PRAGMA busy_timeout = ${busyMs.write}`);
      return new TraceFile(db);
    } catch (error) {
      db.close();
      throw unreadableFile(where, error);
    }
  }

  /** Closes the file, with its log written into it as far as no other program reads it. */
  close(): void {
    try {
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The disk is full, or the file cannot be written: the log stays beside it.
    }
    this.#db.close();
  }

  /** Runs work as one transaction. */
  transaction(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#db.exec("ROLLBACK");
    } catch {
      // SQLite has done so already.
    }
  }

  /** Adds an event to the trace of a run. */
  add(run: string, { event, input }: TracedEvent): void {
    const keep = (hash: string, text: string) => {
      this.#run("INSERT OR IGNORE INTO content VALUES (?, ?)", hash, text);
      this.#run("INSERT OR IGNORE INTO used VALUES (?, ?)", run, hash);
    };
    const data = {
      event: packedFields(event, keep),
      ...(input && { input: packedFields(input, keep) }),
    };
    this.#run("INSERT INTO event VALUES (?, ?, ?)", run, event.at, JSON.stringify(data));
    if (event.runId === run) this.#update(event);
  }

  /** The newest runs first. */
  runs({ limit = 20, offset = 0, ...filter }: TraceFilter = {}): readonly TracedRun[] {
    const conditions = conditionsOf(filter);
    const where = conditions.map(([condition]) => condition).join(" AND ");
    return this.#all(
      `SELECT * FROM run WHERE ${where} ORDER BY started DESC, rowid DESC LIMIT ? OFFSET ?`,
      ...conditions.flatMap(([, ...values]) => values),
      limit,
      offset,
    ).map(runOf);
  }

  /** The run with this id, or the only one whose id begins so. */
  find(id: string): TracedRun | undefined {
    const found = this.#all("SELECT * FROM run WHERE substr(id, 1, ?) = ? LIMIT 2", id.length, id);
    const runs = found.map(runOf);
    return runs.find((one) => one.id === id) ?? (runs.length === 1 ? runs[0] : undefined);
  }

  /** The ids of all runs. */
  ids(): readonly string[] {
    return this.#all("SELECT id FROM run").map((row) => z.object({ id: z.string() }).parse(row).id);
  }

  /** The ids of the runs on these threads. */
  onThreads(threads: readonly string[]): readonly string[] {
    const place = `${threadOf} IN (SELECT value FROM json_each(?))`;
    const rows = this.#all(`SELECT id FROM run WHERE ${place}`, JSON.stringify(threads));
    return rows.map((row) => z.object({ id: z.string() }).parse(row).id);
  }

  /** The events of a run and of the runs inside it, in order. */
  events(run: string): readonly TracedEvent[] {
    return this.#all("SELECT data FROM event WHERE run = ? ORDER BY rowid", run).map((row) => {
      const stored = Stored.parse(JSON.parse(EventRow.parse(row).data));
      const event: AgentEvent = JSON.parse(this.#whole(stored.event));
      if (stored.input === undefined) return { event };
      const input: ModelInput = JSON.parse(this.#whole(stored.input));
      return { event, input };
    });
  }

  /** The events of a run and of the runs inside it without what was said, in order: what figures are made from. */
  outline(run: string): readonly AgentEvent[] {
    return this.#all("SELECT data FROM event WHERE run = ? ORDER BY rowid", run).map((row) => {
      const { content: _said, ...rest } = Outline.parse(JSON.parse(EventRow.parse(row).data)).event;
      const event: AgentEvent = JSON.parse(this.#whole(rest));
      return event;
    });
  }

  /** Keeps a judgement of a run; `undefined` removes it. */
  mark(run: string, mark: TraceMark | undefined): void {
    if (mark === undefined) this.#run("UPDATE run SET mark = NULL WHERE id = ?", run);
    else this.#run("UPDATE run SET mark = ? WHERE id = ?", JSON.stringify(mark), run);
  }

  /** Removes runs, and what only they have used. */
  remove(runs: readonly string[]): void {
    this.transaction(() => {
      for (const run of runs) {
        this.#run(removeContent, run, run);
        this.#run("DELETE FROM used WHERE run = ?", run);
        this.#run("DELETE FROM event WHERE run = ?", run);
        this.#run("DELETE FROM run WHERE id = ?", run);
      }
    });
  }

  /**
   * The runs that may go, the oldest first: ended, or without a sign for a day, and not marked; and what is left of runs
   * whose start could not be written.
   */
  removable(now: number): readonly { readonly id: string; readonly lastAt: number }[] {
    const rows = this.#all(
      `SELECT id, COALESCE(ended, (SELECT MAX(at) FROM event WHERE run = id), started) AS last
       FROM run WHERE mark IS NULL AND (ended IS NOT NULL OR started < ?)
       UNION ALL SELECT run AS id, MAX(at) AS last FROM event
       WHERE run NOT IN (SELECT id FROM run) GROUP BY run ORDER BY last`,
      now - 86_400_000,
    );
    return rows.map((row) => {
      const { id, last } = z.object({ id: z.string(), last: z.number() }).parse(row);
      return { id, lastAt: last };
    });
  }

  /** The size of what is kept, in bytes, without free pages. */
  get bytes(): number {
    const pages = pragma(this.#db, "page_count") - pragma(this.#db, "freelist_count");
    return pages * pragma(this.#db, "page_size");
  }

  /** Returns free pages to the disk, as far as no other program holds them. */
  shrink(): void {
    this.#db.exec("PRAGMA incremental_vacuum");
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  #update(event: AgentEvent): void {
    const { runId, at, type } = event;
    if (type === "run_started") {
      const { graph, graphId, threadId, earlierQuestions, content } = event;
      const data = JSON.stringify({ graphId, threadId, earlierQuestions, ...content });
      this.#run(
        "INSERT OR IGNORE INTO run VALUES (?, ?, 'running', ?, NULL, ?, NULL)",
        runId,
        graph,
        at,
        data,
      );
      this.#run(addWait, at, runId);
      this.#run("UPDATE run SET status = 'running', ended = NULL WHERE id = ?", runId);
      if (threadId !== undefined) this.#run(passOver, at, threadId, runId);
    } else if (type === "run_finished" || type === "run_stopped") {
      const status = type === "run_finished" ? event.outcome.status : event.reason;
      const usage = type === "run_finished" ? { usage: event.usage } : {};
      const data = JSON.stringify({ ...usage, error: event.error });
      this.#run(
        "UPDATE run SET status = ?, ended = ?, data = json_patch(data, ?) WHERE id = ?",
        status,
        at,
        data,
        runId,
      );
    }
  }

  /** The JSON text of packed data, with its pieces in place. */
  #whole(data: Json): string {
    const textOf = (hash: string) => {
      const [row] = this.#all("SELECT data FROM content WHERE hash = ?", hash);
      return row === undefined ? undefined : EventRow.parse(row).data;
    };
    return JSON.stringify(unpacked(data, textOf));
  }

  // As texts: SQLite turns them into what their columns hold.
  #run(sql: string, ...values: (string | number)[]): void {
    this.#statement(sql).run(...values.map(String));
  }

  #all(sql: string, ...values: (string | number)[]): unknown[] {
    return this.#statement(sql).all(...values.map(String));
  }

  readonly #statements = new Map<string, ReturnType<OpenDatabase["prepare"]>>();

  #statement(sql: string) {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** Which runs to list. */
export type TraceFilter = {
  /** Default 20. */
  readonly limit?: number;
  /** How many of them to leave out; default 0. */
  readonly offset?: number;
  readonly status?: TraceStatus | undefined;
  /** Only runs with a judgement. */
  readonly marked?: boolean;
  /** Only runs on this thread. */
  readonly thread?: string | undefined;
  /** Only runs that started before this time, and only those from that time on, in milliseconds since the epoch. */
  readonly before?: number | undefined;
  readonly since?: number | undefined;
};

type Condition = readonly [sql: string, ...values: (string | number)[]];

/** The conditions of a query, of which there is always one. */
function conditionsOf({ status, marked = false, thread, before, since }: TraceFilter) {
  const conditions: Condition[] = [["started < ?", before ?? Number.MAX_SAFE_INTEGER]];
  if (since !== undefined) conditions.push(["started >= ?", since]);
  if (status !== undefined) conditions.push(["status = ?", status]);
  if (marked) conditions.push(["mark IS NOT NULL"]);
  if (thread !== undefined) conditions.push([`${threadOf} = ?`, thread]);
  return conditions;
}

/** An object with its fields packed each by itself, so that the object stays readable. */
function packedFields(data: object, keep: (hash: string, text: string) => void): Json {
  const copy: Json = JSON.parse(JSON.stringify(data));
  if (!isRecord(copy)) return copy;
  return Object.fromEntries(Object.entries(copy).map(([name, part]) => [name, packed(part, keep)]));
}
