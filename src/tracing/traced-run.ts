import { z } from "zod";

import { defined, isRecord } from "../json/json.js";
import type { Stop } from "../observe/watch.js";
import type { Outcome } from "../state/outcome.js";
import type { Usage } from "../state/usage.js";

/** How a run may stand: its outcome, why its stream ended without one, or "running", which a process may have left. */
export const traceStatuses = [
  "answered",
  "needs_input",
  "limit",
  "handed_off",
  "failed",
  "refused",
  "paused",
  "drained",
  "cancelled",
  "error",
  "running",
] as const satisfies readonly (Outcome["status"] | Stop["reason"] | "running")[];

/** How a run stands. */
export type TraceStatus = (typeof traceStatuses)[number];

/** A run in a trace file, with the runs inside it. */
export type TracedRun = {
  readonly id: string;
  /** The kind of the graph: "react", "rewoo", … */
  readonly graph: string;
  /** The name under which a server has the graph. */
  readonly graphId?: string;
  readonly status: TraceStatus;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly endedAt?: number;
  /** How much of that time it waited for people, in milliseconds; absent where it did not. A wait that goes on is not in it. */
  readonly waitedMs?: number;
  readonly threadId?: string;
  /** How many questions the conversation had before; absent for the first. */
  readonly earlierQuestions?: number;
  /** Absent in a file without content. */
  readonly question?: string;
  /** The last of several parts of the question: what the user wrote below files of text. */
  readonly words?: string;
  readonly usage?: Usage;
  /** Why it ended so, if it failed. */
  readonly error?: string;
  /** An operator's judgement. */
  readonly mark?: TraceMark;
};

/** An operator's judgement of a run. */
export type TraceMark = { readonly verdict: "good" | "bad"; readonly why?: string };

const RunRow = z.object({
  id: z.string(),
  graph: z.string(),
  status: z.string(),
  started: z.number(),
  ended: z.number().nullable(),
  data: z.string(),
  mark: z.string().nullable(),
});
const RunData = z.object({
  graphId: z.string().optional(),
  waitedMs: z.number().optional(),
  words: z.string().optional(),
  threadId: z.string().optional(),
  earlierQuestions: z.number().optional(),
  question: z.string().optional(),
  error: z.string().optional(),
  usage: z.custom<Usage>((value) => isRecord(value)).optional(),
});
const Mark = z.object({ verdict: z.enum(["good", "bad"]), why: z.string().optional() });

/** A row of the file's table of runs. */
export function runOf(row: unknown): TracedRun {
  const { id, graph, status, started, ended, data, mark } = RunRow.parse(row);
  return {
    id,
    graph,
    status: traceStatuses.find((one) => one === status) ?? "error",
    startedAt: started,
    ...(ended === null ? {} : { endedAt: ended }),
    ...defined(RunData.parse(JSON.parse(data))),
    ...(mark === null ? {} : { mark: readMark(mark) }),
  };
}

function readMark(text: string): TraceMark {
  const { verdict, why } = Mark.parse(JSON.parse(text));
  return { verdict, ...defined({ why }) };
}
