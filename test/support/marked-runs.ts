import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { z } from "zod";

import {
  askUser,
  createReactGraph,
  type Decision,
  handOff,
  type ReactOptions,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import {
  TraceFile,
  type TraceMark,
  type TraceStore,
  traceStore,
  type TraceStoreOptions,
} from "../../src/tracing/index.js";

/** A text that looks like a secret. */
export const key = "sk-abcdefgh1234567890";

/** Masks a name, as no reader would guess. */
export function masked(text: string): string {
  return text.replaceAll("ana", "MASK");
}

/** Sends a letter if a person approves. */
export const send = withPolicy(
  tool(({ to }) => `sent to ${to}`, {
    name: "send",
    description: "Sends a letter.",
    schema: z.object({ to: z.string(), token: z.string().optional() }),
  }),
  { needsApproval: true, effect: "write" },
);

/** What the model of a desk replies. */
type Replies = Parameters<typeof scriptedModel>[0];

/** A model that makes calls, and then answers. */
export function callsThen(calls: readonly [string, object][], answer: string): Replies {
  return (messages) =>
    messages.at(-1)?.type === "tool"
      ? answer
      : { toolCalls: calls.map(([name, args]) => ({ name, args: { ...args } })) };
}

/** A desk that writes letters, asks and hands off, on threads of its own. */
export function desk(replies: Replies, options: ReactOptions = {}) {
  return createReactGraph({
    models: scriptedModel(replies),
    tools: [send, askUser, handOff],
    checkpointer: new MemorySaver(),
    ...options,
  });
}

/** What is asked of a desk, and what people decide. */
type Asked = {
  readonly question: string | HumanMessage;
  readonly decisions?: readonly Decision[];
};

/** The part of a graph that asks it. */
type Invoked = { readonly invoke: (input: never, config: never) => Promise<unknown> };

/** Questions on one thread, and the judgement of the last. */
export type Marked = {
  readonly replies?: Replies;
  readonly asked: readonly Asked[];
  readonly mark?: TraceMark;
  readonly options?: ReactOptions;
  /** The graph, in place of a desk. */
  readonly make?: (observers: readonly TraceStore[]) => Invoked;
  readonly store?: Partial<TraceStoreOptions>;
};

/** Runs questions on a thread, keeps them in a file, and marks the last. */
export async function markedRuns(
  file: string,
  { replies = [], asked, mark = { verdict: "good" }, options, store: storeOptions, make }: Marked,
): Promise<void> {
  const store = await traceStore({ file, ...storeOptions });
  const graph = make?.([store]) ?? desk(replies, { observers: [store], ...options });
  const config = { configurable: { thread_id: crypto.randomUUID() } };
  for (const { question, decisions } of asked) {
    const message = typeof question === "string" ? new HumanMessage(question) : question;
    await Reflect.apply(graph.invoke, graph, [{ messages: [message] }, config]);
    if (decisions === undefined) continue;
    await Reflect.apply(graph.invoke, graph, [new Command({ resume: { decisions } }), config]);
  }
  store.close();
  const traces = await TraceFile.open(file);
  traces.mark(traces.runs({ limit: 1 })[0]?.id ?? "", mark);
  traces.close();
}
