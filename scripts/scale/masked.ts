import { canonicalJson } from "../../src/json/json.js";

/** The value as text, with fields in one order; ids, times and figures of time are left out. */
export function masked(value: unknown): string {
  const read = JSON.stringify(value ?? null, (name, field: unknown) =>
    ofProcess.has(name) ? undefined : field,
  );
  const text = canonicalJson(JSON.parse(read));
  return text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "ID")
    .replaceAll(/[\da-f]{32}/g, "HASH")
    .replaceAll(/receipt-[\da-f]{12}/g, "RECEIPT")
    .replaceAll(/req_[\da-f]{24}/g, "REQUEST")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, "TIME")
    .replaceAll(/"(at|askedAt|startedAt|activeMs|ms|firstTokenMs)":\d+/g, '"$1":0')
    .replaceAll(/chatcmpl-[\w-]+/g, "COMPLETION");
}

/** What LangGraph's server says of its own process in the metadata of runs. */
const ofProcess: ReadonlySet<string> = new Set([
  "langgraph_api_url",
  "user-agent",
  "created_by",
  "run_attempt",
  "langgraph_host",
  "langgraph_plan",
  "langgraph_version",
  "ls_integration",
]);
