import { jsonColumn } from "./json-column.js";

/** The filters of an authorization handler for `plangraph.may_see`: none lets everybody see. */
export function filterColumn(filters: unknown): string {
  return jsonColumn(filters ?? {});
}
