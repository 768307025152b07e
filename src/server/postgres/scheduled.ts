import { type Payer, userKey } from "./budgets.js";
import type { Query } from "./database.js";
import { HttpError } from "./http-error.js";

/** Counts no further than it must. A schedule counts until it is deleted. */
const isFullSql = `select
  (select count(*) from (select 1 from plangraph.runs
    where status = 'pending' and scheduled_by = $1 and not_before > now() limit $4) later)
  + (select count(*) from (select 1 from plangraph.crons where coalesce(user_id, '') = $2
    and auth #>> '{user,tenant}' is not distinct from $3 limit $4) again) >= $4 as is_full`;

/** Refuses what begins later when so much of its user does already, with status 429. Those without a login are one user. */
export async function checkScheduled(
  query: Query,
  payer: Payer,
  { maxScheduled }: { readonly maxScheduled: number },
): Promise<void> {
  const { user = "", tenant } = payer;
  const [row] = await query(isFullSql, [userKey(payer), user, tenant ?? null, maxScheduled]);
  if (row?.["is_full"] !== true) return;
  throw new HttpError(
    429,
    `${maxScheduled} runs and schedules of this user wait for their time already. Delete some of them, or try again later.`,
  );
}
