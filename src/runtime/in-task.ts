import { getConfig, type LangGraphRunnableConfig, task } from "@langchain/langgraph";

import { allowAnyListeners, sha256 } from "../platform.js";
import { checkpointerOf, hasCheckpointer } from "./enter-run.js";

/**
 * Runs `body` as a LangGraph task: its result is recorded, and a resumed run takes the record instead of running it
 * again: `replay` gets it then. The task is called at once; LangGraph knows it by name and order of call. Without a
 * checkpointer nothing is recorded, and the body just runs.
 */
export async function inTask<T>(
  nameOf: () => string,
  config: LangGraphRunnableConfig,
  body: () => Promise<T>,
  replay: (result: T) => void = () => {},
): Promise<T> {
  if (!hasCheckpointer(config)) return await body();
  // Every task of LangGraph's listens to the node's signal.
  if (config.signal !== undefined) allowAnyListeners(config.signal);
  let hasRun = false;
  const live = async (): Promise<T> => {
    hasRun = true;
    return body();
  };
  const result = await task(nameOf(), live)();
  if (!hasRun) replay(result);
  return result;
}

/**
 * Whether a graph that the surrounding task calls has left a record: the task had begun before the program
 * stopped, and only under this very task is known what was done in it.
 */
export async function hasBegunBefore(): Promise<boolean> {
  const { configurable = {} } = getConfig();
  const { thread_id, checkpoint_ns } = configurable;
  const saver = checkpointerOf({ configurable });
  if (saver === undefined) return false;
  return (await saver.getTuple({ configurable: { thread_id, checkpoint_ns } })) !== undefined;
}

/** Names a task after what it does, so that a changed call never meets another's result. */
export function taskName(prefix: string, key: string, ...parts: readonly string[]): string {
  return [prefix, sha256(key).slice(0, 12), ...parts].join(":");
}
