import type {
  Assistant,
  AssistantVersion,
  Run,
  RunnableConfig,
  Thread,
} from "@langchain/langgraph-api/storage";
import { z } from "zod";

import { defined } from "../../json/json.js";
import type { Row } from "./database.js";

const Fields = z.record(z.string(), z.unknown());

const Config = Fields.transform(({ tags, recursion_limit, configurable, metadata, ...rest }) => {
  const config: RunnableConfig = { ...rest };
  if (Array.isArray(tags)) config.tags = tags.filter((tag) => typeof tag === "string");
  if (typeof recursion_limit === "number") config.recursion_limit = recursion_limit;
  const given = Fields.safeParse(configurable);
  if (given.success) config.configurable = given.data;
  const about = Fields.safeParse(metadata);
  if (about.success) config.metadata = about.data;
  return config;
});

const ThreadRow = z.object({
  thread_id: z.string(),
  created_at: z.date(),
  updated_at: z.date(),
  metadata: Fields,
  config: Config,
  status: z.enum(["idle", "busy", "interrupted", "error"]),
  values: Fields.nullable().transform((values) => values ?? undefined),
  interrupts: Fields.nullable().transform((interrupts) => interrupts ?? undefined),
});

/** What the API shows of a thread. */
export const threadColumns = `thread_id, created_at, updated_at, metadata, config, status, "values", interrupts`;

/** The thread of a row. */
export function threadOf(row: Row): Thread {
  const { values, interrupts, ...thread } = ThreadRow.parse(row);
  return { ...thread, ...defined({ values, interrupts }) };
}

const RunRow = z.object({
  run_id: z.string(),
  thread_id: z.string(),
  assistant_id: z.string(),
  created_at: z.date(),
  updated_at: z.date(),
  status: z.enum(["pending", "running", "error", "success", "timeout", "interrupted"]),
  metadata: Fields,
  kwargs: Fields,
  multitask_strategy: z.enum(["reject", "rollback", "interrupt", "enqueue"]),
});

/** What the API shows of a run. */
export const runColumns =
  "run_id, thread_id, assistant_id, created_at, updated_at, status, metadata, kwargs, multitask_strategy";

/** The run of a row. */
export function runOf(row: Row): Run {
  return RunRow.parse(row);
}

const VersionRow = z.object({
  assistant_id: z.string(),
  version: z.number(),
  graph_id: z.string(),
  config: Config,
  context: z.unknown(),
  metadata: Fields,
  created_at: z.date(),
  name: z.string(),
  description: z.string().nullable(),
});
const AssistantRow = VersionRow.extend({ updated_at: z.date() });

/** What the API shows of a version of an assistant. */
export const versionColumns =
  "assistant_id, version, graph_id, config, context, metadata, created_at, name, description";

/** The assistant of a row. */
export function assistantOf(row: Row): Assistant {
  return AssistantRow.parse(row);
}

/** The version of a row. */
export function versionOf(row: Row): AssistantVersion {
  return VersionRow.parse(row);
}
