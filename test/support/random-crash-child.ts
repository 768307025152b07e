// A program that is started, killed at any time and started again until it has ended: a run of any graph on SQLite
// or Postgres, alone or embedded, and then another question on its thread. It writes down what it does.
import { basename } from "node:path";

import { BaseMessage, isAIMessage, isToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  END,
  INTERRUPT,
  isInterrupted,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { z } from "zod";

import {
  type AgentGraph,
  type GraphOptions,
  createLlmCompilerGraph,
  createPlanExecuteGraph,
  createReactGraph,
  createRewooGraph,
  type Observation,
  type Usage,
} from "../../src/index.js";
import { asked } from "./asked.js";
import { CrashCase } from "./crash-case.js";
import {
  type CrashNote,
  type FinishedRun,
  readEntries,
  receiptsIn,
  writeEntry,
} from "./crash-log.js";
import { crashModels, crashQuestions } from "./crash-scripts.js";
import { crashTools } from "./crash-tools.js";
import { asRunnable, type HostedGraph, hosts } from "./hosts.js";

const [, , folder = "", start = "", given = "", decisions = ""] = process.argv;
const { graph: name, place, database } = CrashCase.parse(JSON.parse(given));
const note = (entry: CrashNote) => writeEntry(folder, { ...entry, process: Number(start) });
const thread = { configurable: { thread_id: basename(folder) } };

/** What is on record of the thread, in all its graphs, as a text. */
async function recordOf(saver: BaseCheckpointSaver): Promise<string> {
  const tuples: unknown[] = [];
  for await (const { checkpoint, pendingWrites } of saver.list(thread)) {
    tuples.push(checkpoint.channel_values, pendingWrites);
  }
  return JSON.stringify(tuples);
}

const HostState = Annotation.Root({
  ...MessagesAnnotation.spec,
  answer: Annotation<string | undefined>(),
  usage: Annotation<Usage>(),
  observations: Annotation<Observation[]>(),
});

/** A graph of another make that calls the graph in a node. */
function inNode(graph: AgentGraph, checkpointer: BaseCheckpointSaver) {
  const host = async (
    { messages }: typeof HostState.State,
    config: LangGraphRunnableConfig,
  ): Promise<typeof HostState.Update> => {
    const result = await graph.invoke({ messages }, config);
    const { messages: all = [], answer, usage, observations = [] } = result;
    return { messages: all, answer, usage, observations };
  };
  return new StateGraph(HostState)
    .addNode("host", host)
    .addEdge(START, "host")
    .addEdge("host", END)
    .compile({ checkpointer });
}

const { models, close } = await crashModels[name]((kind, receipts) =>
  note({ kind, receipts: [...receipts] }),
);
const creators: {
  readonly [Name in keyof typeof crashModels]: (options: GraphOptions) => HostedGraph;
} = {
  react: createReactGraph,
  rewoo: createRewooGraph,
  "llm-compiler": createLlmCompilerGraph,
  "plan-execute": createPlanExecuteGraph,
};
const create = creators[name];

function placed(checkpointer: BaseCheckpointSaver): unknown {
  const options = { models, tools: crashTools(note) };
  if (place === "alone") return create({ ...options, checkpointer });
  const host = place === "in a node" ? inNode : hosts["as a tool of another graph"];
  return host(create(options), checkpointer);
}

const Result = z.object({
  messages: z.array(z.instanceof(BaseMessage)),
  answer: z.string(),
  usage: z.object({ modelCalls: z.number(), toolCalls: z.number() }),
  observations: z.unknown(),
});

function finished(result: unknown): FinishedRun {
  const { messages, answer, usage, observations } = Result.parse(result);
  const calls = messages.filter(isAIMessage).flatMap(({ tool_calls = [] }) => tool_calls);
  const told = messages.filter(isToolMessage).map(({ tool_call_id }) => tool_call_id);
  const untold = calls.filter(({ id }) => told.filter((each) => each === id).length !== 1);
  const doubtful = JSON.stringify(observations).matchAll(
    /"tool":"(\w+)"(?:(?!"callId").)*"maybeDuplicate":true/g,
  );
  return {
    answer,
    usage,
    doubtful: [...doubtful].map(([, tool = ""]) => tool),
    untold: untold.map(({ id = "" }) => id),
  };
}

const isSqlite = database === "sqlite";
const saver = isSqlite
  ? SqliteSaver.fromConnString(`${folder}/threads.db`)
  : PostgresSaver.fromConnString(database);
const graph = asRunnable(placed(saver));
const asking = (content: string) => ({ messages: [{ role: "user", content }] });

/** What the program goes on with: the question, the answers of people, or what is on record. */
async function input() {
  if ((await saver.getTuple(thread)) === undefined) return asking(crashQuestions[0]);
  if (decisions === "") return null;
  const resume = { decisions: decisions.split(",").map((type) => ({ type })) };
  // LangGraph keeps a plain answer with the other graph's step, and after a crash gives it to the next question too.
  const { key = "" } = readEntries(folder).findLast(({ kind }) => kind === "asked") ?? {};
  return new Command({ resume: place === "in a node" ? { [key]: resume } : resume });
}

async function run(): Promise<void> {
  const first: unknown = await graph.invoke(await input(), thread);
  if (isInterrupted(first)) {
    const [{ id: key = "" } = {}] = first[INTERRUPT];
    for (const { name: tool } of asked(first).action_requests) note({ kind: "asked", tool, key });
    return;
  }
  const questions = Result.parse(first).messages.filter(({ type }) => type === "human");
  const isSecond = questions.length > 1;
  if (!isSecond) note({ kind: "finished", finished: finished(first) });
  const last: unknown = isSecond ? first : await graph.invoke(asking(crashQuestions[1]), thread);
  note({ kind: "finished_again", finished: finished(last) });
}

note({ kind: "started", receipts: receiptsIn(await recordOf(saver)) });
process.stdout.write("ready");
await run();
await close();
if (saver instanceof PostgresSaver) await saver.end();
