import { type BaseCheckpointSaver, type BaseStore, Command, Send } from "@langchain/langgraph";
import { handleAuthEvent } from "@langchain/langgraph-api/auth";
import { getGraph } from "@langchain/langgraph-api/graph";
import type {
  RunCommand,
  RunnableConfig,
  Thread,
  ThreadsStateRepo,
} from "@langchain/langgraph-api/storage";

import { defined } from "../../json/json.js";
import { filterColumn } from "./auth-filter.js";
import type { Database } from "./database.js";
import { HttpError, notFound } from "./http-error.js";
import { jsonColumn } from "./json-column.js";
import type { Threads } from "./threads.js";

/** What graphs are given to read and change the state of a thread. */
export type GraphStorage = {
  readonly checkpointer: BaseCheckpointSaver;
  readonly store: BaseStore;
};

type Parts = {
  readonly database: Database;
  readonly threads: Pick<Threads, "get">;
  readonly storage: GraphStorage;
};
type Auth = Parameters<ThreadsStateRepo["get"]>[2];
type Graph = Awaited<ReturnType<typeof getGraph>>;

/** Opens the states of threads: what their graphs say of their checkpoints. */
export function openThreadState(parts: Parts): ThreadsStateRepo {
  return {
    get: (config, options, auth) => stateAt(parts, config, options, auth),
    list: (config, options, auth) => history(parts, config, options, auth),
    post: async (config, values, asNode, auth) => {
      const threadId = config.configurable?.thread_id;
      if (threadId === undefined) throw notFound("Thread");
      const thread = await changeable(parts, threadId, auth);
      return update(parts, { config, thread, auth }, (graph, at) =>
        graph.updateState(at, values, asNode),
      );
    },
    bulk: async (config, supersteps, auth) => {
      const threadId = config.configurable?.thread_id;
      if (threadId === undefined) return [];
      const thread = await changeable(parts, threadId, auth);
      const steps = supersteps.map(({ updates }) => ({
        updates: updates.map(({ values, command, as_node: asNode }) => ({
          values: command === undefined || command === null ? values : commandOf(command),
          ...defined({ asNode }),
        })),
      }));
      return update(parts, { config, thread, auth }, (graph, at) =>
        graph.bulkUpdateState(at, steps),
      );
    },
  };
}

function graphFor(
  { storage }: Parts,
  { config = {}, ...thread }: Thread,
  accessContext: "threads.read" | "threads.update",
): Promise<Graph> {
  return getGraph(graphOf(thread) ?? "", defined(config), { ...storage, accessContext });
}

async function stateAt(
  parts: Parts,
  config: RunnableConfig,
  { subgraphs = false }: { readonly subgraphs?: boolean },
  auth: Auth,
): ReturnType<ThreadsStateRepo["get"]> {
  const threadId = config.configurable?.thread_id;
  const thread = threadId === undefined ? undefined : await parts.threads.get(threadId, auth);
  if (thread === undefined || graphOf(thread) === undefined) {
    return { values: {}, next: [], config: {}, tasks: [] };
  }
  const graph = await graphFor(parts, thread, "threads.read");
  const state = await graph.getState(defined(config), { subgraphs });
  const { checkpoint_ns: ns, ...metadata }: Record<string, unknown> = { ...state.metadata };
  if (state.metadata === undefined || ns !== "") return state;
  return Object.assign(state, { metadata });
}

async function history(
  parts: Parts,
  config: RunnableConfig,
  { limit = 10, before, metadata }: Parameters<ThreadsStateRepo["list"]>[1],
  auth: Auth,
): ReturnType<ThreadsStateRepo["list"]> {
  const threadId = config.configurable?.thread_id;
  if (threadId === undefined) return [];
  const thread = await parts.threads.get(threadId, auth);
  if (graphOf(thread) === undefined) return [];
  const graph = await graphFor(parts, thread, "threads.read");
  const until = typeof before === "string" ? { configurable: { checkpoint_id: before } } : before;
  const options = {
    limit,
    ...(until !== undefined && { before: defined(until) }),
    ...(metadata !== undefined && { filter: metadata }),
  };
  const states = [];
  for await (const state of graph.getStateHistory(defined(config), options)) states.push(state);
  return states;
}

/** The thread, if one may change it and nobody works on it. */
async function changeable(
  { database, threads }: Parts,
  threadId: string,
  auth: Auth,
): Promise<Thread> {
  const [filters] = await handleAuthEvent(auth, "threads:update", { thread_id: threadId });
  const thread = await threads.get(threadId, auth);
  const [row] = await database.query(
    `select plangraph.may_see($2, $3) as may_change, exists (
       select 1 from plangraph.runs where thread_id = $1 and status in ('pending', 'running')
     ) as is_busy`,
    [threadId, jsonColumn(thread.metadata ?? {}), filterColumn(filters)],
  );
  if (row?.["may_change"] !== true) throw new HttpError(403, "Forbidden");
  if (row["is_busy"] === true) throw new HttpError(409, "Thread is busy");
  return thread;
}

type Changed = { readonly config: RunnableConfig; readonly thread: Thread; readonly auth: Auth };

/** Lets a graph change the state of a thread, and keeps the new values in the thread's row. */
async function update(
  parts: Parts,
  { config, thread, auth }: Changed,
  change: (graph: Graph, at: Parameters<Graph["updateState"]>[0]) => Promise<RunnableConfig>,
) {
  const { thread_id } = thread;
  const graphId = graphOf(thread);
  if (graphId === undefined) throw new HttpError(400, `Thread ${thread_id} has no graph ID`);
  const configurable = { checkpoint_ns: "", graph_id: graphId, ...config.configurable };
  const graph = await graphFor(parts, thread, "threads.update");
  const next = await change(graph, { ...defined(config), configurable });
  const { values } = await stateAt(parts, { configurable: { thread_id } }, {}, auth);
  await parts.database.query(
    `update plangraph.threads set "values" = $2, updated_at = now() where thread_id = $1`,
    [thread_id, jsonColumn(values)],
  );
  return { checkpoint: next.configurable };
}

function graphOf({ metadata }: Pick<Thread, "metadata">): string | undefined {
  const id = metadata?.["graph_id"];
  return typeof id === "string" ? id : undefined;
}

function commandOf({ goto, update: changed, resume }: RunCommand): Command {
  const to = goto === undefined || Array.isArray(goto) ? goto : [goto];
  return new Command({
    ...(to !== undefined && {
      goto: to.map((each) => (typeof each === "string" ? each : new Send(each.node, each.input))),
    }),
    ...defined({ update: changed, resume }),
  });
}
