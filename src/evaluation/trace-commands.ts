import { shellWord } from "../run/shell-word.js";
import type { Cell } from "./cell.js";

/** Where the runs of an evaluation were kept. */
export type KeptTraces = {
  /** The file of traces, if the runs were kept in one. */
  readonly trace?: string | undefined;
  /** The ids of the runs that are in it; default all. Those of earlier calls may be in another file. */
  readonly tracedRuns?: ReadonlySet<string> | undefined;
};

/** For each run of a cell the command that shows its trace; where there is none, its id. */
export function traceCommands({ run }: Cell, { trace, tracedRuns }: KeptTraces): string[] {
  const ids = (run?.runIds ?? []).filter((id) => id !== "");
  return ids.map((id) =>
    trace === undefined || tracedRuns?.has(id) === false ? id : traceCommand(id, trace),
  );
}

/** The command that shows a run in a file. */
export function traceCommand(id: string, file: string): string {
  return `plangraph trace show ${id} --trace ${shellWord(file)}`;
}
