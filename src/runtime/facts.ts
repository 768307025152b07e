import type { BaseStore } from "@langchain/langgraph";
import { z } from "zod";

import { PlangraphError } from "../errors.js";
import { defined, isRecord } from "../json/json.js";
import { shown } from "../run/check-names.js";
import type { MemoryProvider, MemoryRequest } from "../run/memory.js";
import { namespaceLabel } from "./langgraph.js";

/** Whose facts they are. Facts of one owner are never read for another. */
export type FactOwner = { readonly user: string; readonly tenant?: string | undefined };

/** Something that a user told, in the user's own words. */
export type Fact = {
  /** What it is about, such as "allergy". */
  readonly key: string;
  readonly text: string;
  /** When it was told, and when something else took its place; in milliseconds since the epoch. */
  readonly since: number;
  readonly until?: number;
};

const StoredFact = z.object({
  key: z.string(),
  text: z.string(),
  since: z.number(),
  until: z.number().optional(),
});

/** The most facts of an owner that are read. */
const maxFacts = 200;

const root = ["plangraph", "facts"];

/** The place of an owner's facts in a store. No two owners share one, whatever their names are. */
function placeOf({ user, tenant }: FactOwner): string[] {
  return [
    ...root,
    tenant === undefined ? "-" : `t=${namespaceLabel(tenant)}`,
    `u=${namespaceLabel(user)}`,
  ];
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name.trim() !== "";
}

/** Reads who the user is. Throws `invalid_context` for anything but a user with a name. */
function checkedOwner(given: unknown): FactOwner {
  const { user, tenant } = isRecord(given) ? given : {};
  if (typeof user === "string" && isName(user) && (tenant === undefined || isName(tenant))) {
    return { user, ...(typeof tenant === "string" ? { tenant } : {}) };
  }
  throw new PlangraphError(
    "invalid_context",
    `facts: expected { user, tenant? } with the name of the user, got ${shown(given)}.`,
  );
}

/** The facts that an owner has told, the latest first; those that were replaced only with `all`. */
export async function readFacts(
  store: BaseStore,
  owner: FactOwner,
  { all = false }: { readonly all?: boolean } = {},
): Promise<readonly Fact[]> {
  const items = await store.search(placeOf(checkedOwner(owner)), { limit: maxFacts });
  return items
    .flatMap(({ value }) => {
      const read = StoredFact.safeParse(value);
      if (!read.success || (read.data.until !== undefined && !all)) return [];
      const { key, text, since, until } = read.data;
      return [{ key, text, since, ...defined({ until }) }];
    })
    .toSorted((left, right) => right.since - left.since);
}

/** Forgets what an owner has told: all of it, or what is about one thing, with what it replaced. */
export async function forgetFacts(store: BaseStore, owner: FactOwner, key?: string): Promise<void> {
  const place = placeOf(checkedOwner(owner));
  const items = await everythingIn(store, place);
  const gone = items.filter(({ value }) => key === undefined || value["key"] === key);
  await Promise.all(gone.map((item) => store.delete(place, item.key)));
}

async function everythingIn(store: BaseStore, place: string[]) {
  for (let limit = maxFacts; ; limit *= 10) {
    const items = await store.search(place, { limit });
    if (items.length < limit) return items;
  }
}

/** Keeps a fact. What the owner told before about the same thing stays, with the day until which it held. */
export async function keepFact(
  store: BaseStore,
  owner: FactOwner,
  { key, text, since }: Omit<Fact, "until">,
): Promise<void> {
  const place = placeOf(checkedOwner(owner));
  const before = StoredFact.safeParse((await store.get(place, key))?.value);
  if (before.success && before.data.text === text) return;
  if (before.success) await store.put(place, `${key}@${since}`, { ...before.data, until: since });
  await store.put(place, key, { key, text, since });
}
/** Says whose facts a run reads and keeps, from what the server knows about the caller. */
export type FactsOption = (runtime: {
  readonly context: unknown;
  readonly configurable: Readonly<Record<string, unknown>>;
}) => FactOwner | Promise<FactOwner>;

/**
 * Where the facts of a run's user are. Throws `invalid_option` without a store, and `invalid_context` without a user.
 */
export async function factsPlace(
  facts: FactsOption,
  config: Pick<MemoryRequest, "context" | "store"> & {
    readonly configurable?: Readonly<Record<string, unknown>>;
  },
): Promise<{ readonly store: BaseStore; readonly owner: FactOwner }> {
  const { store, context, configurable = {} } = config;
  if (store === undefined) {
    throw new PlangraphError(
      "invalid_option",
      "facts: what users tell is kept in LangGraph's store, and this run has none. Give the graph a store.",
    );
  }
  return { store, owner: checkedOwner(await facts({ context, configurable })) };
}

/** What users told, as memory: every model call reads it. */
export function factsProvider(facts: FactsOption): MemoryProvider {
  return async ({ store, context, configurable }) => {
    const place = await factsPlace(facts, { store, context, configurable });
    const known = await readFacts(place.store, place.owner);
    const lines = known
      .slice(0, toldFacts)
      .map(({ key, text }) => `${key}: ${JSON.stringify(text)}`);
    return lines.length === 0
      ? undefined
      : `The user told this (nobody has checked it): ${lines.join("; ")}`;
  };
}

/** The most facts that models read. */
const toldFacts = 30;
