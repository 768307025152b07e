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

type Line = {
  readonly bell: Bell;
  /** Resolves when whoever came last has its turn. */
  last: Promise<unknown>;
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
  const enter = async (provider: string, call: string, signal: AbortSignal) => {
    const line = lines.get(provider) ?? { bell: newBell(), last: Promise.resolve() };
    lines.set(provider, line);
    const before = line.last;
    const turn = async () => {
      await before.catch(() => {});
      const { atOnce = unlimited, perMinute = unlimited } = limits[provider] ?? {};
      await take(database, [call, provider, atOnce, perMinute, leaseMs], line.bell, signal);
    };
    signal.addEventListener("abort", line.bell.ring, { once: true });
    try {
      line.last = timed("plangraph_provider_wait_seconds_total", turn);
      await line.last;
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
        await enter(provider, call, signal).finally(() => (held.waitsSince = undefined));
        const release = work.begin(provider, call);
        // Whoever asked has gone meanwhile.
        if (signal.aborted) release();
        return release;
      },
    close: work.close,
  };
}

/** Asks until a request may go; of one process, the first in the line asks alone. */
async function take(
  { query }: Database,
  request: readonly unknown[],
  bell: Bell,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    // A database that is away for a moment says nothing of the request: it is asked again.
    const [row] = await query(admitSql, request).catch(() => [{ seconds: 1 }]);
    const seconds = row?.["seconds"];
    if (typeof seconds !== "number") return;
    await bell.rung(Math.min(seconds * 1_000, pollMs));
  }
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
