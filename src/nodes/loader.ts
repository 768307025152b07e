import type { GraphNode } from "@langchain/langgraph";

import { enterRun } from "../runtime/enter-run.js";
import type { Versions } from "../runtime/versions.js";
import type { Writes } from "../state/conversation.js";
import type { VersionedState } from "../state/routing.js";
import { type RouteWrites, runRoute } from "./route.js";

/** Reads the definitions as they are now: the run keeps this version to its end. */
export function createLoader(versions: Versions): GraphNode<typeof VersionedState> {
  return async function loader(
    state,
    config,
  ): Promise<Writes<typeof VersionedState, "version" | "run">> {
    const run = enterRun(state, config, "loader");
    const { id: version, problem: reason } = await versions.newest(config.store);
    if (reason !== undefined) run.emit({ type: "reload_failed", version, reason });
    return { version, run: run.record() };
  };
}

/** Answers with the graph of the run's version. */
export function createVersionedAgent(versions: Versions): GraphNode<typeof VersionedState> {
  return async function agent(state, config): Promise<RouteWrites> {
    return versions.using(state.version ?? "", config.store, async (graph) =>
      runRoute("agent", graph, state, config),
    );
  };
}
