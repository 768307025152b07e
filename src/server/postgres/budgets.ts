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

/** The name of a user among those of all tenants. Those without a login are one user. */
export function userKey({ user = "", tenant }: Payer): string {
  return textColumn(tenant === undefined ? user : JSON.stringify([tenant, user])) ?? "";
}

/** The rows of a payer; those without a tenant are of none. */
function placesOf(payer: Payer): (readonly [kind: keyof Budgets, who: string])[] {
  const { tenant } = payer;
  return [
    ["user", userKey(payer)],
    ...(tenant === undefined ? [] : [["tenant", textColumn(tenant) ?? ""] as const]),
    ["all", ""],
  ];
}

/** A budget of a payer, in the form of the column `budgets` of a run. */
type PayerBudget = Budget & { readonly kind: keyof Budgets; readonly who: string };

/** The budgets that a payer has. */
export function budgetsOf(budgets: Budgets, payer: Payer): readonly PayerBudget[] {
  return placesOf(payer).flatMap(([kind, who]) => {
    const budget = budgets[kind];
    return budget === undefined ? [] : [{ kind, who, ...budget }];
  });
}

/** SQL for the kind of a budget in a column that is used up today; null if none is. */
export function usedUpIn(column: string): string {
  return `(select kind from plangraph.spent s
    join json_to_recordset(${column}) b (kind text, who text, tokens float8, usd float8) using (kind, who)
    where s.day = (now() at time zone 'UTC')::date and (s.tokens >= b.tokens or s.usd >= b.usd)
    limit 1)`;
}

/** What somebody is told whose budget of this kind is used up. */
export function usedUpLine(kind: string): string {
  return `The budget of ${kind === "all" ? "this server" : `this ${kind}`} for today is used up.`;
}

const Checked = z.object({ kind: z.string().nullable(), wait: z.number() });

/** Refuses a new run one of whose budgets is used up, with status 429 until the next day. */
export async function checkBudgets(query: Query, budgets: readonly PayerBudget[]): Promise<void> {
  if (budgets.length === 0) return;
  const [row] = await query(
    `select ${usedUpIn("$1::json")} as kind, ceil(extract(epoch from date_trunc('day', utc)
       + interval '1 day' - utc))::int as wait
     from (select now() at time zone 'UTC' as utc) at`,
    [JSON.stringify(budgets)],
  );
  const { kind, wait } = Checked.parse(row);
  if (kind === null) return;
  throw new HttpError(429, usedUpLine(kind), { "retry-after": String(wait) });
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
