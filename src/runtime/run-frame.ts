import type { BaseCheckpointSaver, LangGraphRunnableConfig } from "@langchain/langgraph";

import { PlangraphError } from "../errors.js";
import { isRecord } from "../json/json.js";
import type { ParentCall } from "../observe/events.js";
import type { Budget } from "../run/budget.js";
import type { RunSettings } from "./settings.js";

/** What lives in memory while a graph streams: opened by `compileGraph`, found by its nodes. */
export type RunFrame = {
  /** The graph's name. */
  readonly graph: string;
  readonly budget: Budget;
  readonly settings: RunSettings;
  /** Whether anyone listens to events: an unheard run makes none. */
  readonly isHeard: boolean;
  /** Writes that this very stream put on record: after a crash a new stream knows none. */
  readonly committed: Set<string>;
  /** What the run asks goes to the call that it is the tool of: it never pauses by itself. */
  readonly delegatesInterrupts: boolean;
  /** The run above this one that has the last words at its limits, or wants none. */
  readonly finalAnswerOwner: Budget | undefined;
  /** What grounds arguments in a run whose question a model has written: the calling run says it. */
  readonly known: (() => readonly string[]) | undefined;
  /** The call that the run works for, if any. */
  readonly parent: ParentCall | undefined;
};

const frameKey = "__plangraph_run";
const frames = new WeakSet<object>();

/** A config through which the graph's nodes find their frame. */
export function withFrame(configurable: Record<string, unknown>, frame: RunFrame) {
  frames.add(frame);
  return { ...configurable, [frameKey]: frame };
}

/** The frame of the running graph. Throws `not_a_plangraph` in a graph that `compileGraph` did not compile. */
export function frameOf(config: Pick<LangGraphRunnableConfig, "configurable">): RunFrame {
  const frame: unknown = config.configurable?.[frameKey];
  if (isFrame(frame)) return frame;
  throw new PlangraphError(
    "not_a_plangraph",
    "A node of plangraph runs in a graph that was compiled by itself. Compile it with compileGraph(…).",
  );
}

function isFrame(value: unknown): value is RunFrame {
  return isRecord(value) && frames.has(value);
}

/** Whether what finishes is on record: LangGraph hands a checkpointer down to every node under this key. */
export function hasCheckpointer(config: Pick<LangGraphRunnableConfig, "configurable">): boolean {
  return config.configurable?.["__pregel_checkpointer"] !== undefined;
}

/** A checkpointer, as far as it is read. */
export type Saver = Pick<BaseCheckpointSaver, "getTuple" | "list">;

/** The checkpointer of the running graph. The dev server's is of a class of its own. */
export function checkpointerOf({
  configurable = {},
}: Pick<LangGraphRunnableConfig, "configurable">): Saver | undefined {
  const saver: unknown = configurable["__pregel_checkpointer"];
  return isSaver(saver) ? saver : undefined;
}

function isSaver(value: unknown): value is Saver {
  return ["getTuple", "list"].every((name) => isRecord(value) && typeof value[name] === "function");
}
