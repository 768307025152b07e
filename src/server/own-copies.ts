import type { RunnableConfig } from "@langchain/core/runnables";
import type { Pregel } from "@langchain/langgraph";

import type { GraphStorage } from "./postgres/thread-state.js";

type Graph = Pick<
  Pregel<Record<string, never>, Record<string, never>>,
  "streamEvents" | "withConfig" | "checkpointer" | "store"
>;

/**
 * Gives each run a copy of its graph. LangGraph's server sets a run's checkpointer on the graph, which its runs share: one
 * without a thread would take it from a run that is about to begin.
 */
export function copyForEachRun(
  graphs: readonly object[],
  { checkpointer, store }: GraphStorage,
  isTemporary: (config: RunnableConfig) => boolean,
): void {
  for (const graph of graphs.filter(isGraph)) {
    const streamEvents = (input: unknown, config: RunnableConfig, ...rest: unknown[]): unknown => {
      const copy = graph.withConfig({});
      Reflect.deleteProperty(copy, "checkpointer");
      if (!isTemporary(config)) copy.checkpointer = checkpointer;
      copy.store = store;
      return call(copy, "streamEvents", [input, config, ...rest]);
    };
    Object.assign(graph, { streamEvents });
  }
}

function call(on: object, method: string, given: readonly unknown[]): unknown {
  const called: unknown = Reflect.get(on, method);
  return typeof called === "function" ? Reflect.apply(called, on, given) : undefined;
}

function isGraph(value: object): value is Graph {
  return "streamEvents" in value && "withConfig" in value && "checkpointer" in value;
}
