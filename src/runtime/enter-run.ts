import type { LangGraphRunnableConfig } from "@langchain/langgraph";

import { createEmitter } from "../observe/emit.js";
import type { Ledger } from "../run/ledger.js";
import type { RunScope } from "../run/scope.js";
import type { Conversation, RunRecord } from "../state/conversation.js";
import { frameOf, hasCheckpointer } from "./run-frame.js";
import type { RunSettings } from "./settings.js";

/** A run as a node sees it. */
export type Run = RunScope & {
  readonly graph: string;
  readonly settings: RunSettings;
  readonly onRecord: Set<string>;
  /** The state that the node was called with. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Whether the run may pause by itself. */
  readonly mayPause: boolean;
  /** Whether what the run asks goes to the call that it is the tool of. */
  readonly asksCaller: boolean;
  /** The run above this one that has the last words at its limits, or wants none. */
  readonly lastWords: Ledger | undefined;
  /** What grounds arguments in a run whose question a model has written: the calling run says it. */
  readonly known: (() => readonly string[]) | undefined;
  /** When open requests were asked first, by their ids. */
  readonly asked: Map<string, number>;
  /** The run's record with its working time up to now: every node writes it. */
  readonly record: () => RunRecord;
};

/** What of the state says where a run stands. */
type RunState = Pick<Conversation, "run" | "usage"> & Readonly<Record<string, unknown>>;

/** Finds the run a node works for, and takes up its budget where the state left it. */
export function enterRun(state: RunState, config: LangGraphRunnableConfig, node: string): Run {
  const { graph, ledger, settings, onRecord, isHeard, asksCaller, lastWords, known, parent } =
    frameOf(config);
  const { clock, events, timeZone, locale } = settings;
  const { id, startedAt, activeMs } = state.run ?? {
    id: "",
    startedAt: clock.now(),
    activeMs: 0,
  };
  ledger.resume(id, state.usage, activeMs);
  ledger.follow(config.signal);
  const emit = createEmitter({
    write: isHeard ? config.writer : undefined,
    level: events,
    runId: id,
    parent,
    node,
    now: clock.now,
  });
  const asked = new Map(Object.entries(state.run?.asked ?? {}));
  const record = () => {
    const open = asked.size === 0 ? {} : { asked: Object.fromEntries(asked) };
    return { id, startedAt, activeMs: ledger.activeMs(), graph, ...open };
  };
  const mayPause = hasCheckpointer(config) && !asksCaller;
  return {
    runId: id,
    ledger,
    clock,
    timeZone,
    locale,
    emit,
    graph,
    settings,
    onRecord,
    state,
    asked,
    record,
    mayPause,
    asksCaller,
    lastWords,
    known,
  };
}
