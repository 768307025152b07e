import { isRecord } from "../../json/json.js";
import { ask, askJson, ServerRefusal } from "./client.js";
import type { Health, TracedEvent, TracedRun } from "../model/traced.js";

/** A recorded run with its events, and where another back end shows it. */
export type ReadRun = {
  readonly run: TracedRun;
  readonly events: readonly TracedEvent[];
  readonly link?: string;
};

/** The runs that a server kept of a thread, the newest first; `undefined` where it keeps no traces. */
export async function runsOfThread(thread: string): Promise<readonly TracedRun[] | undefined> {
  try {
    return await listRuns({ thread, limit: "200" });
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return undefined;
    throw error;
  }
}

/** The newest runs. */
export async function listRuns(
  query: Readonly<Record<string, string>>,
): Promise<readonly TracedRun[]> {
  const found = await askJson(`/traces?${new URLSearchParams(query).toString()}`);
  const { runs }: { runs?: readonly TracedRun[] } = isRecord(found) ? found : {};
  return runs ?? [];
}

/** How runs did; `isWhole`: all of the time, not only the newest. */
export type ShownHealth = Health & { readonly isWhole: boolean };

/** How runs did. */
export async function readHealth(query: Readonly<Record<string, string>>): Promise<ShownHealth> {
  const response = await ask(`/traces/health?${new URLSearchParams(query).toString()}`);
  const health: ShownHealth = await response.json();
  return health;
}

/** A run with its events. */
export async function readRun(id: string): Promise<ReadRun> {
  const response = await ask(`/traces/${id}`);
  const found: ReadRun = await response.json();
  return found;
}

/** Keeps a judgement of a run. */
export async function markRun(
  id: string,
  verdict: "good" | "bad" | "none",
  why: string,
): Promise<void> {
  const body = { verdict, ...(why.trim() === "" ? {} : { why: why.trim() }) };
  await ask(`/traces/${id}/mark`, { method: "PUT", body });
}

/** A run as a test, or its plan as a workflow. */
export async function exportRun(id: string, as: "test" | "workflow"): Promise<string> {
  const response = await ask(`/traces/${id}/${as}`);
  return response.text();
}
