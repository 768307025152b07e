import type { Next } from "../../run/stages.js";
import { fitArguments, readArguments } from "../read-arguments.js";
import { jsonArgs, type ToolCallResult } from "../tool-call.js";
import type { CallRequest, ReadRequest } from "./stage.js";

/**
 * Finds the tool, parses the arguments (a person's edit, or the model's) and converts them to the schema. Unreadable
 * ones are passed on with their problem, because `memory` comes before `check`.
 */
export function read(
  { call, context }: CallRequest,
  next: Next<ReadRequest, ToolCallResult>,
): Promise<ToolCallResult> {
  const { decision, toolbox, run } = context;
  const entry = toolbox.get(call.name);
  // A person's text in a question is the answer to it.
  const isEdited = decision?.type === "edit" && entry?.role !== "ask_user";
  const given = readArguments(isEdited ? decision.edited_action.args : call.args);
  if (!given.ok) {
    const asked = { ...call, args: jsonArgs(call.args) };
    return next({ call: asked, context, entry, arguments: { problem: given.problem } });
  }
  const { args: written } = given;
  if (entry === undefined) {
    const asked = { ...call, args: written };
    return next({ call: asked, context, entry, arguments: { args: written, written } });
  }
  const { args: fitted, unread } = fitArguments(entry.tool, written, run);
  const fits = readArguments(fitted);
  const args = fits.ok ? fits.args : written;
  return next({ call: { ...call, args }, context, entry, arguments: { args, written, unread } });
}
