import { z } from "zod";

import type { Query } from "./database.js";
import { HttpError } from "./http-error.js";
import { textColumn } from "./json-column.js";

/** What one user, one tenant or all together may use in a day. */
export type Budget = {
  /** Tokens in and out. */
  readonly tokens?: number | undefined;
  /** US dollars, by the prices of the graphs; models without a price cost nothing. */
  readonly usd?: number | undefined;
};

/** The budgets of a server, for each day in UTC. */
export type Budgets = {
  readonly user?: Budget | undefined;
  readonly tenant?: Budget | undefined;
  readonly all?: Budget | undefined;
};

/** Who pays for a run, as the authorization of the server knows them. */
export type Payer = { readonly user: string | undefined; readonly tenant: string | undefined };

const User = z.looseObject({
  identity: z.string().optional().catch(undefined),
  tenant: z.string().optional().catch(undefined),
});

/** The payer of a login; what a client says of itself is none. */
export function payerOf(user: unknown): Payer {
  const { identity, tenant } = User.catch({}).parse(user ?? {});
  return { user: identity, tenant };
}

/** The rows of a payer. Those without a login are one user, and those without a tenant are of none. */
function placesOf({ user, tenant }: Payer): (readonly [kind: keyof Budgets, who: string])[] {
  return [
    ["user", textColumn(user) ?? ""],
    ...(tenant === undefined ? [] : [["tenant", textColumn(tenant) ?? ""] as const]),
    ["all", ""],
  ];
}

const Spent = z.object({
  kind: z.enum(["user", "tenant", "all"]),
  tokens: z.coerce.number(),
  usd: z.number(),
  wait: z.number(),
});

/** Refuses a new run whose payer has used up a budget, with status 429 until the next day. Runs at work go on. */
export async function checkBudgets(query: Query, budgets: Budgets, payer: Payer): Promise<void> {
  const places = placesOf(payer).filter(([kind]) => budgets[kind] !== undefined);
  if (places.length === 0) return;
  const rows = await query(
    `select kind, tokens, usd,
       ceil(extract(epoch from (today.day + 1)::timestamp - (now() at time zone 'UTC')))::int as wait
     from (select (now() at time zone 'UTC')::date as day) today
     join plangraph.spent using (day) join unnest($1::text[], $2::text[]) p (kind, who) using (kind, who)`,
    [places.map(([kind]) => kind), places.map(([, who]) => who)],
  );
  for (const row of rows) {
    const { kind, tokens, usd, wait } = Spent.parse(row);
    const { tokens: mostTokens = Infinity, usd: mostUsd = Infinity } = budgets[kind] ?? {};
    if (tokens < mostTokens && usd < mostUsd) continue;
    const whose = kind === "all" ? "this server" : `this ${kind}`;
    const headers = { "retry-after": String(wait) };
    throw new HttpError(429, `The budget of ${whose} for today is used up.`, headers);
  }
}

const Usage = z.object({
  tokensIn: z.number().catch(0),
  tokensOut: z.number().catch(0),
  costUsd: z.number().catch(0),
});
type Usage = z.infer<typeof Usage>;

const none: Usage = { tokensIn: 0, tokensOut: 0, costUsd: 0 };

/** What a run used: what its state counts, without what the same question had used before it paused. */
export function usedBy(
  after: unknown,
  before: unknown,
  isContinued: boolean,
): { readonly tokens: number; readonly usd: number } {
  const now = usageIn(after);
  const then = isContinued ? usageIn(before) : none;
  return {
    tokens: Math.max(0, now.tokensIn + now.tokensOut - then.tokensIn - then.tokensOut),
    usd: Math.max(0, now.costUsd - then.costUsd),
  };
}

function usageIn(values: unknown): Usage {
  const read = z.object({ usage: Usage }).safeParse(values);
  return read.success ? read.data.usage : none;
}

/** Adds what a run used to the day, in one statement. */
export async function spend(
  query: Query,
  payer: Payer,
  { tokens, usd }: ReturnType<typeof usedBy>,
): Promise<void> {
  if (tokens === 0 && usd === 0) return;
  const places = placesOf(payer);
  await query(
    `insert into plangraph.spent (day, kind, who, tokens, usd)
     select (now() at time zone 'UTC')::date, p.kind, p.who, $3, $4
     from unnest($1::text[], $2::text[]) p (kind, who)
     on conflict (day, kind, who)
     do update set tokens = spent.tokens + excluded.tokens, usd = spent.usd + excluded.usd`,
    [places.map(([kind]) => kind), places.map(([, who]) => who), tokens, usd],
  );
}
