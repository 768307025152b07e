import { type LangGraphRunnableConfig, task } from "@langchain/langgraph";

import { hasCheckpointer } from "./run-frame.js";

/**
 * Runs `body` as a LangGraph task: its result is recorded, and a resumed run takes the record instead
 * of running it again. The task is called at once; LangGraph knows it by name and order of call.
 * Without a checkpointer there is no record and no resuming: nothing is named, and the body runs as it is.
 */
export async function inTask<T>(
  nameOf: () => string,
  config: LangGraphRunnableConfig,
  body: () => Promise<T>,
): Promise<T> {
  return hasCheckpointer(config) ? await task(nameOf(), body)() : await body();
}
