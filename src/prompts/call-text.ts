import type { Json } from "../json/json.js";

/** The longest that a call gets, in characters. */
export const maxCallChars = 300;

/** A call as `tool(arguments)`, cut where it is long: what a step passes on may be a whole page. */
export function callText({ tool, args }: { readonly tool: string; readonly args: Json }): string {
  const text = `${tool}(${JSON.stringify(args)})`;
  return text.length > maxCallChars ? `${text.slice(0, maxCallChars)}…` : text;
}
