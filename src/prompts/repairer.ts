import type { JsonObject } from "../plan/json.js";
import { argumentForm, type ToolForm } from "./argument-form.js";
import { evidenceLines } from "./evidence-lines.js";

/** What a repairer is told. */
export const repairerInstructions =
  "You write the arguments of one tool call. You take figures, dates and names from the results that you " +
  "are given, exactly as they stand there, and make nothing up.";

/** The longest that one result gets, in characters. */
const maxChars = 2_000;

/** What a repairer is asked: the arguments of a step in which a result does not fit. */
export type RepairTask = {
  readonly tool: ToolForm;
  /** As planned, with references. */
  readonly planned: JsonObject;
  /** The results that they refer to. */
  readonly evidence: readonly { readonly id: string; readonly value: string }[];
  /** What went wrong. */
  readonly problem: string;
};

/** Asks for arguments that the tool can use. References are not shown as such: a small model copies them. */
export function repairerTask({ tool, planned, evidence, problem }: RepairTask): string {
  const known = evidence.map(({ id, value }) => ({ id, value: value.slice(0, maxChars) }));
  const intended = JSON.stringify(planned).replaceAll(/\{\{\s*(\w+)[^{}]*\}\}/g, "<$1>");
  return [
    `The tool: ${tool.name} ${argumentForm(tool.parameters)}`,
    `The results:\n${evidenceLines(known)}`,
    `The arguments were meant to be ${intended}, with what the tool needs of each result in place of its name.`,
    `With the whole results in place it failed: ${problem.slice(0, 300)}`,
    "Write the arguments with the bare figures, dates or names out of the results.",
  ].join("\n");
}
