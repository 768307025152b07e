import { randomUUID } from "node:crypto";

import type { Admit } from "../../run/admission.js";
import { addTo, timed } from "../metrics.js";
import type { ProviderLimits } from "../provider-limits.js";
import { type Bell, newBell } from "./bell.js";
import type { Database } from "./database.js";
import { channels, type Held } from "./lease.js";

/** Lets the requests of runs go, provider by provider. */
export type Admission = {
  /** Whom the model calls of a run ask. */
  readonly of: (held: Held) => Admit;
  readonly close: () => void;
};

/** More than any provider takes. */
const unlimited = 2 ** 31 - 1;
/** How often one that waits looks without being told. */
const pollMs = 1_000;

/** A request that waits for its turn. */
type Waiter = {
  readonly rank: number;
  readonly call: string;
  readonly signal: AbortSignal;
  readonly go: () => void;
  /** It waits no longer. */
  readonly leave: () => void;
};

/** The requests of this process to one provider that wait. */
type Line = {
  readonly bell: Bell;
  readonly waiting: Set<Waiter>;
  /** Returns after how many seconds a request is to ask again; nothing where it may go. */
  readonly admit: (call: string) => Promise<number | undefined>;
  /** Somebody asks for the first of them. */
  isServed: boolean;
};

/** Opens the limits of this process's providers. A request that a lost process has made counts until its lease is over. */
export function openAdmission(
  database: Database,
  limits: ProviderLimits,
  leaseMs: number,
): Admission {
  const lines = new Map<string, Line>();
  const work = openWork(database, leaseMs);
  database.listen(channels.provider, (provider) => lines.get(provider)?.bell.ring());
  const newLine = (provider: string): Line => {
    const { atOnce = unlimited, perMinute = unlimited } = limits[provider] ?? {};
    const admit = async (call: string) => {
      const request = [call, provider, atOnce, perMinute, leaseMs];
      // A database that is away for a moment says nothing of the request: it is asked again.
      const [row] = await database.query(admitSql, request).catch(() => [{ seconds: 1 }]);
      return typeof row?.["seconds"] === "number" ? row["seconds"] : undefined;
    };
    return { bell: newBell(), waiting: new Set(), admit, isServed: false };
  };
  const enter = async (provider: string, call: string, rank: number, signal: AbortSignal) => {
    const line = lines.get(provider) ?? newLine(provider);
    lines.set(provider, line);
    const turn = new Promise<void>((go, reject) => {
      const leave = () => reject(signal.reason);
      line.waiting.add({ rank, call, signal, go, leave });
    });
    signal.addEventListener("abort", line.bell.ring, { once: true });
    void serve(line);
    try {
      await timed("plangraph_provider_wait_seconds_total", () => turn);
    } finally {
      signal.removeEventListener("abort", line.bell.ring);
    }
  };
  return {
    of:
      (held) =>
      async ({ provider, signal }) => {
        if (provider === undefined || limits[provider] === undefined) return () => {};
        const call = randomUUID();
        held.waitsSince ??= Date.now();
        await enter(provider, call, held.rank, signal).finally(() => (held.waitsSince = undefined));
        const release = work.begin(provider, call);
        // Whoever asked has gone meanwhile.
        if (signal.aborted) release();
        return release;
      },
    close: work.close,
  };
}

/**
 * Lets the waiting go one after another, those of the runs whose turn is first before the others: of one process, one request
 * asks at a time.
 */
async function serve(line: Line): Promise<void> {
  if (line.isServed) return;
  line.isServed = true;
  for (let first = firstIn(line); first !== undefined; first = firstIn(line)) {
    const isGone = first.signal.aborted;
    const seconds = isGone ? undefined : await line.admit(first.call);
    if (seconds !== undefined) await line.bell.rung(Math.min(seconds * 1_000, pollMs));
    else {
      line.waiting.delete(first);
      if (isGone) first.leave();
      else first.go();
    }
  }
  line.isServed = false;
}

/** The request to let go next: first those that wait no longer. */
function firstIn({ waiting }: Line): Waiter | undefined {
  const all = [...waiting];
  const gone = all.find(({ signal }) => signal.aborted);
  return gone ?? all.toSorted((left, right) => left.rank - right.rank)[0];
}

/** The requests at work in this process, which count as long as it renews them. */
function openWork(database: Database, leaseMs: number) {
  const working = new Set<string>();
  const renew = () => {
    if (working.size === 0) return;
    // What is not renewed counts no longer: the provider's own refusals remain.
    void database.query(renewSql, [[...working], leaseMs]).catch(() => {});
  };
  const timer = setInterval(renew, Math.ceil(leaseMs / 3)).unref();
  const end = async (provider: string, call: string) => {
    await database.query(releaseSql, [call]);
    await database.notify(channels.provider, provider);
  };
  return {
    begin: (provider: string, call: string) => {
      working.add(call);
      addTo("plangraph_provider_requests_total");
      return () => {
        working.delete(call);
        void end(provider, call).catch(() => {});
      };
    },
    close: () => {
      clearInterval(timer);
    },
  };
}

const admitSql = "select plangraph.admit($1, $2, $3, $4, $5 * interval '1 millisecond') as seconds";
const releaseSql = "update plangraph.model_calls set held_until = now() where call_id = $1";
const renewSql = `update plangraph.model_calls
  set held_until = now() + $2 * interval '1 millisecond' where call_id = any($1::uuid[])`;
