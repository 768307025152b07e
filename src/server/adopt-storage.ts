import { getGraph, getGraphKeys } from "@langchain/langgraph-api/graph";

import type { GraphStorage } from "./postgres/thread-state.js";

/**
 * LangGraph's server gives every graph a checkpointer and a store that it keeps in its memory. From here on, those two
 * objects do what ours do, whoever holds them. Call it when the graphs are registered and no run was taken yet.
 */
export async function adoptStorage({ checkpointer, store }: GraphStorage): Promise<void> {
  const [name] = getGraphKeys();
  if (name === undefined) return;
  const graph = await getGraph(name, { configurable: {} });
  standIn(graph.checkpointer, checkpointer);
  standIn(graph.store, store);
}

/** Makes an object answer as another does, in every method that the other has. */
function standIn(object: unknown, other: object): void {
  if (typeof object !== "object" || object === null || object === other) return;
  for (const name of methodsOf(other)) {
    const method: unknown = Reflect.get(other, name);
    if (typeof method === "function") Reflect.set(object, name, method.bind(other));
  }
}

function methodsOf(object: object): ReadonlySet<string> {
  const names = new Set<string>();
  let level: unknown = object;
  while (typeof level === "object" && level !== null && level !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
    level = Reflect.getPrototypeOf(level);
  }
  names.delete("constructor");
  return names;
}
