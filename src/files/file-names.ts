import { basename } from "node:path";

const dataEnding = /\.(?:ya?ml|json)$/i;

/** Whether a path is that of a data file. */
export function isDataFile(path: string): boolean {
  return dataEnding.test(path);
}

/** Whether a path is that of a workflow. */
export function isWorkflowFile(path: string): boolean {
  return /\.workflow\.(?:ya?ml|json)$/i.test(path);
}

/** Whether a path is that of an agent or a workflow. */
export function isAgentFile(path: string): boolean {
  return /\.agent\.(?:ya?ml|json)$/i.test(path) || isWorkflowFile(path);
}

/** The name of a data file without its endings: `refunds` of `agents/refunds.agent.yaml`. */
export function plainName(path: string): string {
  return basename(path)
    .replace(dataEnding, "")
    .replace(/\.(?:agent|workflow)$/i, "");
}
