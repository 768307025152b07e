import { nearestFirst } from "../../plan/nearest.js";
import type { Next } from "../../run/stages.js";
import { checkArguments, trustedTexts, ungrounded } from "../check-arguments.js";
import { observed, refused, type ToolCallResult } from "../tool-call.js";
import type { FilledRequest, ReadRequest } from "./stage.js";

/** Refuses calls of unknown tools, and arguments that cannot be parsed, do not fit or are not grounded. */
export async function check(
  request: ReadRequest,
  next: Next<FilledRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { call, context, entry, filled, arguments: given } = request;
  if ("problem" in given) {
    return observed(refused(call, "invalid_arguments", given.problem, context));
  }
  if (entry === undefined) {
    const names = [...context.toolbox.keys()];
    return observed(refused(call, "unknown_tool", unknownTool(call.name, names), context));
  }
  const problem =
    (await checkArguments(entry.tool, given.args, given.unread)) ?? madeUp(request, given);
  if (problem !== undefined) return observed(refused(call, "invalid_arguments", problem, context));
  return next({ call: { ...call, args: given.args }, entry, context, filled });
}

function unknownTool(name: string, names: readonly string[]): string {
  const known = nearestFirst(name, names);
  return known.length === 0
    ? `there is no tool "${name}", and there are no tools at all.`
    : `there is no tool "${name}". The tools are: ${known.join(", ")}.`;
}

function madeUp(
  { context, entry }: ReadRequest,
  { args, written }: { readonly args: unknown; readonly written: unknown },
): string | undefined {
  const { grounded = [] } = entry?.policy ?? {};
  // A person has seen or written the arguments.
  if (grounded.length === 0 || context.decision !== undefined) return undefined;
  const texts = [...context.texts(), ...trustedTexts(context.observations)];
  // A user who wrote "last Monday" has given the date.
  const invented = ungrounded(ungrounded(grounded, args, texts), written, texts);
  if (invented.length === 0) return undefined;
  return (
    `the value of ${invented.join(", ")} was neither written by the user nor returned by a trusted tool. ` +
    "Look it up with such a tool first, or ask the user; do not make it up."
  );
}
