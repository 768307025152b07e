import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { isRecord } from "../plan/json.js";

/**
 * The run's context. What a foreign graph around us has as its own context is not meant for us, except
 * its field `plangraph`; a context that is handed in with the call is.
 */
export function contextOf(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
  isForeign: boolean,
): unknown {
  const surrounding: unknown = ambient.context ?? given.context;
  const isOwn = ambient.configurable !== undefined && given.context !== ambient.context;
  if (!isForeign || (isOwn && given.context !== undefined)) return given.context ?? surrounding;
  return isRecord(surrounding) ? surrounding["plangraph"] : undefined;
}

/** Events go to LangGraph's custom stream: of this call, or of the graph that this one is called from. */
export function hasListener(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
): boolean {
  const modes: unknown = Reflect.get(given, "streamMode");
  const isStreamed = Array.isArray(modes) ? modes.includes("custom") : modes === "custom";
  return isStreamed || given.writer !== undefined || ambient.writer !== undefined;
}

/** The config of the node or tool that this graph is called from; empty at top level. */
export function ambientConfig(): LangGraphRunnableConfig {
  const config: LangGraphRunnableConfig | undefined =
    AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return config?.configurable?.["__pregel_read"] === undefined ? {} : config;
}

/** What the graph is configured with, the surrounding graph's part included, without an undefined `checkpoint_id`. */
export function inherited(
  given: LangGraphRunnableConfig,
  ambient: LangGraphRunnableConfig,
): Record<string, unknown> {
  const { checkpoint_id: id, ...rest }: Record<string, unknown> = {
    ...ambient.configurable,
    ...given.configurable,
  };
  return id === undefined ? rest : { ...rest, checkpoint_id: id };
}
