import type { RunnableConfig } from "@langchain/core/runnables";

import { parentRunOf, withParentRun } from "../run/scope.js";
import { ambientConfig } from "./langgraph.js";

/**
 * The config for a graph that never pauses, called from a tool or a node: its run is a part of the run around it, which
 * `config` names, or LangGraph where the caller passes nothing on. Outside of runs it is `config`.
 */
export function partOfRun(config: RunnableConfig = {}): RunnableConfig {
  const parent = parentRunOf(config) ?? parentRunOf(ambientConfig());
  if (parent === undefined) return config;
  // What it says is no answer of the calling run, and it may run where nothing can pause.
  const { call: _call, chat: _chat, ...shared } = parent;
  return withParentRun(config, { ...shared, inTask: false });
}
