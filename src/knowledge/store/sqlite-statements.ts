import type { SqliteDatabase } from "../../sqlite/index.js";
import { conditionsOf } from "./rows.js";
import type { Scope } from "./store.js";

/** Runs statements, each of which is prepared once. */
export type Statements = {
  readonly run: (sql: string, ...values: readonly (string | number)[]) => void;
  readonly all: (sql: string, ...values: readonly (string | number)[]) => unknown[];
};

/** The statements of a database. */
export function statementsOf(db: SqliteDatabase): Statements {
  const prepared = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  // As texts: SQLite turns them into what their columns hold.
  return {
    run: (sql, ...values) => void statement(sql).run(...values.map(String)),
    all: (sql, ...values) => statement(sql).all(...values.map(String)),
  };
}

/** The conditions on `chunk` that a scope sets, and their values. */
export function scoped(scope: Scope): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const values: string[] = [];
  const bind = (value: string) => {
    values.push(value);
    return "?";
  };
  const isOneOf = (all: readonly string[]) =>
    `IN (SELECT value FROM json_each(${bind(JSON.stringify(all))}))`;
  return { where: conditionsOf(scope, { label: "label", bind, isOneOf }), values };
}
