import { isRecord } from "../../json/json.js";
import { jsonColumn } from "./json-column.js";

/**
 * The filters of an authorization handler for `plangraph.may_see`: none lets everybody see. A field that has no value, such as the
 * tenant of a login without one, is nobody's.
 */
export function filterColumn(filters: unknown): string {
  if (!isRecord(filters)) return jsonColumn(filters ?? {});
  // An object without an operator fits nothing.
  const fields = Object.entries(filters).map(([name, value]) => [name, value ?? {}]);
  return jsonColumn(Object.fromEntries(fields));
}
