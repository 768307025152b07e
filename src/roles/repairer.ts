import type { JsonObject } from "../json/json.js";
import { changeInFence } from "../prompts/fence.js";
import { evidenceLines } from "../prompts/results.js";
import { argumentForm, type ToolForm } from "../prompts/tool-protocol.js";

/** The instructions of a repairer. */
export const repairerInstructions =
  "You take figures, dates and names out of results, exactly as they stand there. You calculate nothing " +
  "and make nothing up.";

/** The longest part of a result, in characters. */
const maxChars = 2_000;

/** A result for the repairer. */
type RepairEvidence = {
  readonly id: string;
  readonly value: string;
  /** The call that returned it. */
  readonly call: string;
};

/** What a repairer needs to find the values that replace unfit results. */
export type RepairTask = {
  readonly tool: ToolForm;
  /** The planned arguments, with references. */
  readonly planned: JsonObject;
  /** Their references, without braces. */
  readonly names: readonly string[];
  /** The results they refer to. */
  readonly evidence: readonly RepairEvidence[];
  /** What went wrong. */
  readonly problem: string;
};

/** Asks for the bare value of each reference. References are not shown as such, because a small model copies them. */
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
