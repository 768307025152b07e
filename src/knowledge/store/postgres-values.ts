import { keyOf, type Tables } from "./postgres-tables.js";
import { conditionsOf } from "./rows.js";
import type { Scope } from "./store.js";

/** The values of a statement, in the order in which its text takes them. */
export class Values {
  readonly #all: unknown[] = [];

  /** Gives the place of a value in the statement. */
  bind(value: unknown): string {
    this.#all.push(value);
    return `$${this.#all.length}`;
  }

  get all(): readonly unknown[] {
    return this.#all;
  }
}

/** Writes the conditions of a scope. */
export type Scoped = (scope: Scope, values: Values) => string;

/** Writes the conditions of scopes on these tables. */
export function scopedBy({ label }: Tables): Scoped {
  return (scope, values) =>
    conditionsOf(scope, {
      label,
      bind: (value) => values.bind(keyOf(value)),
      isOneOf: (all) => `= ANY (${values.bind(all.map(keyOf))}::text[])`,
    });
}
