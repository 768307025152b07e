import type { JsonObject } from "../json/json.js";
import { changeInFence } from "../prompts/fence.js";
import { evidenceLines } from "../prompts/results.js";
import { argumentForm, type ToolForm } from "../prompts/tool-protocol.js";

/** What a repairer is told. */
export const repairerInstructions =
  "You take figures, dates and names out of results, exactly as they stand there. You calculate nothing " +
  "and make nothing up.";

/** The longest that one result gets, in characters. */
const maxChars = 2_000;

/** A result as the repairer reads it. */
type RepairEvidence = {
  readonly id: string;
  readonly value: string;
  /** What it was asked for: the call that brought it. */
  readonly call: string;
};

/** What a repairer is asked: the values that belong where results do not fit. */
export type RepairTask = {
  readonly tool: ToolForm;
  /** As planned, with references. */
  readonly planned: JsonObject;
  /** The references in them, without their braces. */
  readonly names: readonly string[];
  /** The results that they refer to. */
  readonly evidence: readonly RepairEvidence[];
  /** What went wrong. */
  readonly problem: string;
};

/** Asks for the bare value of each reference. References are not shown as such: a small model copies them. */
export function repairerTask({ tool, planned, names, evidence, problem }: RepairTask): string {
  const known = evidence.map(
    ({ id, value, call }) =>
      `(${call})\n${evidenceLines([{ id, value: changeInFence(value, (text) => text.slice(0, maxChars)) }])}`,
  );
  const intended = JSON.stringify(planned).replaceAll(
    /\{\{([^{}]*)\}\}/g,
    (_, name: string) => `<${name.trim()}>`,
  );
  const form = names.map((name) => `${JSON.stringify(name)}: …`).join(", ");
  return [
    `The results:\n${known.join("\n")}`,
    `The arguments were meant to be ${intended}, for the tool ${tool.name} ${argumentForm(tool.parameters)}.`,
    `With the whole results in place it failed: ${problem.slice(0, 200)}`,
    `Write the bare figure, date or name that each result was asked for, as {${form}}.`,
  ].join("\n");
}
