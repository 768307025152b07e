import type { Next } from "../../run/stages.js";
import { filledBy, splitArguments } from "../from-memory.js";
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
  if (entry === undefined) {
    const { args: written } = given;
    const asked = { ...call, args: written };
    return next({ call: asked, context, entry, arguments: { args: written, written } });
  }
  const { args: written, fromMemory: held } = splitArguments(entry.policy, given.args);
  // A person has seen the values of a call that they decided on.
  const filled = filledBy(entry, decision === undefined ? {} : held, run.memory);
  const { args: fitted, unread } = fitArguments(entry.tool, written, run);
  const fits = readArguments(fitted);
  const args = fits.ok ? fits.args : written;
  const asked = { ...call, args };
  return next({ call: asked, context, entry, filled, arguments: { args, written, unread } });
}
