import { randomUUID } from "node:crypto";

import type { Run } from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { admittedBy } from "../../run/admission.js";
import { continueRun } from "../continue-run.js";
import { addTo, timed } from "../metrics.js";
import type { Admission } from "./admission.js";
import { newBell } from "./bell.js";
import { usedUpIn, usedUpLine } from "./budgets.js";
import type { Database, Row } from "./database.js";
import { channels, giveBack, type Held, type Leases } from "./lease.js";
import { leaseKey } from "./record.js";
import { runColumns, runOf } from "./rows.js";
import { webhookOf } from "./tell-end.js";

/** Attempts without a new record until a run is given up: whatever it does, it ends its worker. */
const mostStuck = 5;
/** LangGraph's worker refuses a run beyond this, whatever became of the attempts before. */
const mostAttempts = 3;
const pollMs = 1_000;
/** A run that has waited so long for its provider keeps others of its graph from being taken. */
const waitMs = 500;

type Claimed = {
  readonly run: Run;
  readonly attempt: number;
  readonly held: Held;
  /** Why it must not be tried. */
  readonly refusal: string | undefined;
};
type Work = { readonly run: Run; readonly attempt: number; readonly signal: AbortSignal };

/** What the worker takes its runs from. */
export type Claims = {
  readonly next: () => AsyncGenerator<Work>;
  /** Takes no more; resolves when none is being taken. */
  readonly stop: () => Promise<void>;
};

type ClaimOptions = {
  readonly leases: Leases;
  readonly leaseMs: number;
  /** The name of this process in the table. */
  readonly owner: string;
  /** The graphs that this process has. */
  readonly graphs: () => readonly string[];
  /** Runs that it works on side by side; those that wait for a provider come on top. */
  readonly slots: number;
  readonly admission: Admission;
  /** Ends a run that must not be tried. */
  readonly giveUp: (held: Held, why: string) => Promise<void>;
};

/** Hands out waiting runs to the slots of this process: at once when told of one, else when it looks again. */
export function openClaims(database: Database, options: ClaimOptions): Claims {
  const slots: ((claimed: Claimed) => void)[] = [];
  const bell = newBell();
  const stopping = new AbortController();
  database.listen(channels.waiting, bell.ring);
  const look = async () => {
    while (!stopping.signal.aborted) {
      // An error may be over a moment later; nothing may end this loop.
      const claimed =
        slots.length === 0 || isFull(options)
          ? undefined
          : await claim(database, options).catch(() => undefined);
      if (claimed === undefined) await bell.rung(pollMs);
      else if (stopping.signal.aborted) await handBack(database, claimed.held, options);
      else if (claimed.refusal === undefined) slots.shift()?.(claimed);
      else await refuse(claimed.held, claimed.refusal, options);
    }
  };
  let looking: Promise<void> | undefined;
  return {
    next: async function* next() {
      looking ??= look();
      for (;;) {
        const { run, attempt, held } = await new Promise<Claimed>((resolve) => {
          slots.push(resolve);
          bell.ring();
        });
        try {
          yield { run, attempt, signal: held.controller.signal };
        } finally {
          options.leases.release(held);
        }
      }
    },
    stop: async () => {
      stopping.abort();
      bell.ring();
      await looking;
    },
  };
}

/** Runs that wait for their provider, and have for a moment. */
function waitingIn({ leases }: ClaimOptions): readonly Held[] {
  const since = Date.now() - waitMs;
  return leases.all().filter(({ waitsSince = Infinity }) => waitsSince < since);
}

function isFull(options: ClaimOptions): boolean {
  return options.leases.all().length - waitingIn(options).length >= options.slots;
}

/**
 * The graphs whose runs may be taken, and before whose turn: where runs of a graph are stuck here, more would be, too, in the
 * place of others, unless they go before them.
 */
function takeable(options: ClaimOptions) {
  const waiting = waitingIn(options);
  const graphs = options.graphs();
  const before = graphs.map((graph) => {
    const ranks = waiting.filter(({ graphId }) => graphId === graph).map(({ rank }) => rank);
    return ranks.length === 0 ? null : Math.min(...ranks);
  });
  return { graphs, before };
}

/** Gives back a run that came while this process stopped. Where that fails, its lease ends by itself. */
async function handBack(database: Database, held: Held, { leases }: ClaimOptions): Promise<void> {
  await giveBack(database, [held.lease]).catch(() => {});
  leases.release(held);
}

async function refuse(held: Held, why: string, { giveUp, leases }: ClaimOptions): Promise<void> {
  // It is tried again when the lease is over.
  await giveUp(held, why).catch(() => {});
  leases.release(held);
}

const rankMs = "(extract(epoch from rank) * 1000)::float8";
const claimSql = `select ${runColumns}, graph_id, attempt, stuck, mark, last_mark, ${rankMs} as rank,
    ${usedUpIn("budgets")} as used_up
  from plangraph.claim($1, $2, $3, $4, $5 * interval '1 millisecond', $6)`;

const ClaimRow = z.object({
  graph_id: z.string(),
  attempt: z.number(),
  rank: z.number(),
  stuck: z.number(),
  mark: z.string(),
  /** As it is now. */
  last_mark: z.string(),
  /** A budget of its payer. */
  used_up: z.string().nullable(),
});

async function claim(database: Database, options: ClaimOptions): Promise<Claimed | undefined> {
  const { leases, leaseMs, owner } = options;
  const lease = randomUUID();
  const { graphs, before } = takeable(options);
  const [row] = await timed("plangraph_claim_seconds_total", () =>
    database.query(claimSql, [
      graphs,
      before,
      lease,
      owner,
      leaseMs,
      // What it lost and still runs here must not be mistaken for the next attempt.
      leases.all().map(({ threadId }) => threadId),
    ]),
  );
  if (row === undefined) return undefined;
  const claimed = claimedIn(row, lease, options);
  addTo("plangraph_runs_claimed_total");
  if (claimed.attempt > 1) addTo("plangraph_runs_taken_over_total");
  return claimed;
}

function claimedIn(row: Row, lease: string, { leases, admission }: ClaimOptions): Claimed {
  const claimed = ClaimRow.parse(row);
  const { graph_id: graphId, attempt, rank, mark, last_mark: markNow } = claimed;
  const { kwargs: given, ...run } = runOf(row);
  // LangGraph's worker ends for good with a webhook that cannot be called: it does not hear of any.
  const { webhook, ...kwargs } = continueRun({ kwargs: given, mark, markNow });
  const { temporary: isTemporary = false, stream_mode: modes = [] } = kwargs;
  // What a run without a record has used is in its values alone.
  const hidesValues = isTemporary && !modes.includes("values");
  const streamed = hidesValues ? { stream_mode: [...modes, "values" as const] } : {};
  const started = { run_started_at: new Date().toISOString() };
  const held = leases.hold({
    runId: run.run_id,
    threadId: run.thread_id,
    graphId,
    lease,
    rank,
    isTemporary,
    hidesValues,
    webhook: webhookOf({ ...run, ...started, kwargs: { webhook } }),
  });
  const configurable = {
    ...kwargs.config?.configurable,
    ...admittedBy(admission.of(held)),
    [leaseKey]: lease,
  };
  return {
    run: {
      ...run,
      kwargs: { ...kwargs, ...streamed, config: { ...kwargs.config, configurable } },
    },
    attempt: Math.min(attempt, mostAttempts),
    held,
    refusal: refusalOf(claimed, isTemporary),
  };
}

/** Why a run must not be tried; nothing if it may. */
function refusalOf(
  { attempt, stuck, used_up: kind }: z.infer<typeof ClaimRow>,
  isTemporary: boolean,
): string | undefined {
  // Many may have waited for what is left of a budget; what has begun goes on.
  if (kind !== null && attempt === 1) return usedUpLine(kind);
  if (isTemporary && attempt > 1) {
    return "The worker of this run is gone. A run without a thread leaves no record to go on from: start it again.";
  }
  if (stuck < mostStuck) return undefined;
  return `Every one of the last ${stuck + 1} attempts ended with its worker before it had recorded anything.`;
}
