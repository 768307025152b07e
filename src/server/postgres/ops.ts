import { hostname } from "node:os";

import type { Ops, RunStatus, ThreadsRepo } from "@langchain/langgraph-api/storage";

import type { ProviderLimits } from "../provider-limits.js";
import { openAdmission } from "./admission.js";
import { openAssistants } from "./assistants.js";
import { openClaims } from "./claim.js";
import type { Database } from "./database.js";
import { openEvents } from "./events.js";
import { HttpError } from "./http-error.js";
import type { Held, Leases } from "./lease.js";
import type { RunRules } from "./new-run.js";
import { endRun } from "./run-end.js";
import { openRuns } from "./runs.js";
import { type GraphStorage, openThreadState } from "./thread-state.js";
import { openThreads, type Threads } from "./threads.js";

/** What the storage of a server is made of. */
export type OpsOptions = {
  readonly database: Database;
  readonly leases: Leases;
  readonly leaseMs: number;
  readonly slots: number;
  readonly providerLimits: ProviderLimits;
  /** The graphs that this process has. */
  readonly graphs: () => readonly string[];
  readonly storage: GraphStorage;
  readonly rules: RunRules;
};

/** The storage of LangGraph's server, and how it ends. */
type OpenedOps = {
  readonly ops: Ops;
  /** Ends the taking of runs; resolves when none is being taken any more. */
  readonly stop: () => Promise<void>;
  /** Ends the counting of what runs ask of providers; call it when no run is left. */
  readonly stopAdmission: () => void;
};

/** Opens the storage of LangGraph's server on Postgres. */
export function openOps(options: OpsOptions): OpenedOps {
  const { database, leases, leaseMs, storage, rules } = options;
  const threads = openThreads(database);
  const events = openEvents(database, leases, (threadId, runId, auth) =>
    runs.cancel(threadId, [runId], { action: "interrupt" }, auth),
  );
  const runs = openRuns(database, { threads, stream: events, rules });
  const valuesOf = (threadId: string) => newestValues(storage, threadId);
  const end: End = async (held, ending) => {
    if (!held.isLost) await events.settle(held.lease);
    await endRun({ database, leases, valuesOf }, held, ending);
  };
  const giveUp = async (held: Held, why: string) => {
    const exception = new Error(why);
    held.status = "error";
    await events.publish({ runId: held.runId, resumable: false, event: "error", data: exception });
    await end(held, { exception });
  };
  const owner = `${hostname()} ${process.pid}`;
  const admission = openAdmission(database, options.providerLimits, leaseMs);
  const claims = openClaims(database, { ...options, owner, admission, giveUp });
  return {
    stop: async () => {
      events.close();
      await claims.stop();
    },
    stopAdmission: () => admission.close(),
    ops: {
      assistants: openAssistants(database),
      threads: {
        ...threads,
        ...endingOf(leases, threads, end),
        state: openThreadState({ database, threads, storage }),
      },
      runs: {
        ...runs,
        next: claims.next,
        setStatus: (runId, status) => keepStatus(leases.ofRun(runId), status),
      },
      // It is called without being waited for: only what is thrown at once reaches the client.
      truncate: () => {
        throw new HttpError(403, "This server does not delete everything on request.");
      },
    },
  };
}

/** LangGraph's worker does not say what a cancelled run had come to. */
async function newestValues({ checkpointer }: GraphStorage, threadId: string): Promise<unknown> {
  const at = { configurable: { thread_id: threadId, checkpoint_ns: "" } };
  const tuple = await checkpointer.getTuple(at);
  return tuple?.checkpoint.channel_values;
}

type End = (held: Held, ending: Parameters<typeof endRun>[2]) => Promise<void>;

/** What the worker tells of a thread when its run has ended. */
function endingOf(leases: Leases, threads: Threads, end: End) {
  const methods: Pick<ThreadsRepo, "setStatus" | "delete"> = {
    setStatus: async (threadId, ending) => {
      const held = leases.ofThread(threadId);
      if (held !== undefined) await end(held, ending);
    },
    delete: async (threadId, auth) => {
      const held = leases.ofThread(threadId);
      if (held?.isTemporary !== true || held.status === undefined) {
        return threads.delete(threadId, auth);
      }
      await end(held, {});
      return [threadId];
    },
  };
  return methods;
}

/** Recorded together with the thread's, which the worker tells next. */
function keepStatus(held: Held | undefined, status: RunStatus): Promise<void> {
  if (held !== undefined && isEnd(status)) held.status = status;
  return Promise.resolve();
}

function isEnd(status: RunStatus): status is NonNullable<Held["status"]> {
  return status !== "pending" && status !== "running";
}
