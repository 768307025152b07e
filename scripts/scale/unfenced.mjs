// Loaded into workers by `UNFENCED=1 npm run scale -- stall`: they write whoever has the lease.
import { Pool } from "pg";

const query = Reflect.get(Pool.prototype, "query");
Pool.prototype.query = function unfenced(sql, ...rest) {
  return Reflect.apply(query, this, [
    String(sql).replace(" and lease = $1 for share", " for share"),
    ...rest,
  ]);
};
