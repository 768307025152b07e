import { isRecord } from "../json/json.js";

/**
 * A tool that the model's server runs itself, such as `{ type: "web_search" }`: sent as it is. No policy, approval, limit
 * of tool calls or event of this program reaches its calls.
 */
export type ProviderTool = { readonly type: string; readonly [field: string]: unknown };

/** Whether the model's server runs a tool itself. A described function is none: its calls come back, and nothing runs them. */
export function isProviderTool(tool: unknown): tool is ProviderTool {
  if (!isRecord(tool) || "invoke" in tool || "schema" in tool) return false;
  return typeof tool["type"] === "string" && tool["type"] !== "function";
}
