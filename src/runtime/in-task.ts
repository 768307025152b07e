import { getConfig, type LangGraphRunnableConfig, task } from "@langchain/langgraph";

import { allowAnyListeners, sha256 } from "../platform.js";
import { checkpointerOf, hasCheckpointer } from "./enter-run.js";

/**
 * Runs `body` as a LangGraph task. A resumed run takes the recorded result instead, and `replay` gets it. The task is
 * called at once; LangGraph identifies it by name and order of call. Without a checkpointer nothing is recorded, and
 * the body just runs.
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
 * Whether a graph inside the current task has a checkpoint. Then the task had begun before the program stopped, and
 * only this same task can find what it did.
 */
export async function hasBegunBefore(): Promise<boolean> {
  const { configurable = {} } = getConfig();
  const { thread_id, checkpoint_ns } = configurable;
  const saver = checkpointerOf({ configurable });
  if (saver === undefined) return false;
  return (await saver.getTuple({ configurable: { thread_id, checkpoint_ns } })) !== undefined;
}

/** A task's name with a hash of its work, so that a changed call never gets the result of another. */
export function taskName(prefix: string, key: string, ...parts: readonly string[]): string {
  return [prefix, sha256(key).slice(0, 12), ...parts].join(":");
}
