import type { RunKwargs } from "@langchain/langgraph-api/storage";

/** What a run was given, and what its thread was: before the first attempt, and now. */
export type Attempt = {
  readonly kwargs: RunKwargs;
  readonly mark: string;
  readonly markNow: string;
};

/**
 * What an attempt is given. Once an attempt has left a record in the thread, its input or its answer is taken: the next
 * one goes on from the record. Given again, an answer would answer the next question.
 */
export function continueRun({ kwargs, mark, markNow }: Attempt): RunKwargs {
  if (mark === markNow) return kwargs;
  const { command: _taken, ...rest } = kwargs;
  // Where it began was a checkpoint; where it goes on is the newest.
  return { ...rest, input: null, ...withoutCheckpoint(rest) };
}

function withoutCheckpoint({ config }: RunKwargs): Pick<RunKwargs, "config"> {
  if (config?.configurable === undefined) return {};
  const { checkpoint_id: _begun, checkpoint_map: _map, ...configurable } = config.configurable;
  return { config: { ...config, configurable } };
}
