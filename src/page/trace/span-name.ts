import type { Span } from "../../observe/span-tree.js";

type Roles = Readonly<Record<string, string>>;

/** What a part of a run is called in a list: a call by its id in the plan, too, a run by its name on the server. */
export function nameOf({ kind, name, role = "model", start }: Span, roles: Roles): string {
  if (kind === "model") return `${roles[role] ?? role} → ${name}`;
  if (start.type === "run_started") return start.graphId ?? name;
  const id = start.type === "tool_started" && /^[A-Z]\d/.test(start.callId) ? start.callId : "";
  return id === "" || id === name ? name : `${id} ${name}`;
}

/** The same above the part itself: a run by its kind, too. */
export function headingOf(span: Span, roles: Roles): string {
  const named = nameOf(span, roles);
  return span.kind === "run" && named !== span.name ? `${named} (${span.name})` : named;
}
