import { basename } from "node:path";

import { expect } from "vitest";

import { checkAgents, loadAgent, problemLine } from "../../src/agents/index.js";
import { createDirectory } from "../cli/console.js";

/** A file that is refused: what it has, and what is told of it; `more`: how many problems follow from that one. */
export type BrokenFile = {
  readonly is: string;
  readonly text: string;
  readonly told: RegExp;
  readonly more?: number;
};

/** The problems of a workflow file, without its folder. */
export async function workflowProblems(text: string): Promise<string[]> {
  const directory = await createDirectory();
  try {
    const file = await directory.write("a.workflow.yaml", text);
    const { problems } = await checkAgents([file], { environment: {} });
    if (problems.length > 0) {
      const loading = loadAgent(file, { models: "offline" });
      await expect(loading).rejects.toThrow(expect.objectContaining({ code: "invalid_agent" }));
    }
    return problems.map((one) => problemLine({ ...one, file: basename(one.file) }));
  } finally {
    await directory.remove();
  }
}

/** The problems of a file, unless one is of its kind and the others are those that follow from it. */
export async function unlike({ text, told, more = 0 }: BrokenFile): Promise<readonly string[]> {
  const problems = await workflowProblems(text);
  const isAsTold = problems.filter((line) => told.test(line)).length === 1;
  return isAsTold && problems.length === 1 + more ? [] : [String(told), ...problems];
}

/** A workflow with one good step before these. */
export const after = (steps: string) => `tools: [calculator, compare]
input: { text: text }
steps:
  sum: { tool: calculator, args: { expression: "{{input.text}}" } }
${steps.replaceAll(/^/gm, "  ")}`;
