import { randomUUID } from "node:crypto";

import { Command, INTERRUPT, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";

import { defined, isRecord } from "../json/json.js";
import { isAgentEvent } from "../observe/event-types.js";
import type { AgentEvent } from "../observe/events.js";
import { subRunResult } from "../prompts/endings.js";
import type { Outcome } from "../state/outcome.js";
import { PersonRequests } from "../state/person-requests.js";
import { askClient, type AskedClient } from "./ask-client.js";

/** The part of a compiled graph that is used here. */
export type StreamedGraph = {
  stream(
    input: unknown,
    config: LangGraphRunnableConfig & { streamMode: ("custom" | "values")[] },
  ): Promise<AsyncIterable<unknown>>;
};

/** The result of a call: its text, whether it is an answer, and the outcome as data. */
export type GraphAnswer = {
  readonly ok: boolean;
  readonly text: string;
  readonly structured: { readonly [name: string]: unknown };
};

type Around = {
  readonly client: AskedClient;
  readonly onEvent: (event: AgentEvent) => void;
};

/** The part of a run's state that is reported. */
const Result = z.object({
  answer: z.string().optional().catch(undefined),
  outcome: z
    .custom<Outcome>((value) => isRecord(value) && typeof value["status"] === "string")
    .optional()
    .catch(undefined),
});
const Pauses = z.array(z.object({ id: z.string(), value: z.unknown() }));

/** Runs a graph on a question, in a thread of its own, and asks the client's user what the run asks. */
export async function runGraph(
  name: string,
  graph: StreamedGraph,
  question: string,
  { client, onEvent }: Around,
): Promise<GraphAnswer> {
  const thread = randomUUID();
  const config = { configurable: { thread_id: thread }, signal: client.extra.signal };
  try {
    let input: unknown = { messages: [{ role: "user", content: question }] };
    for (;;) {
      const { result, pauses } = await stream(graph, input, config, onEvent);
      if (pauses.length === 0) return answerOf(name, result);
      const answers: Record<string, unknown> = {};
      for (const { id, value } of pauses) {
        const answered = await askClient(value, client);
        if ("unasked" in answered) return undone(name, pauses, answered.unasked);
        answers[id] = answered.resume;
      }
      input = new Command({ resume: answers });
    }
  } finally {
    await forgetThread(graph, thread);
  }
}

async function stream(
  graph: StreamedGraph,
  input: unknown,
  config: LangGraphRunnableConfig,
  onEvent: (event: AgentEvent) => void,
) {
  let result: z.infer<typeof Result> = {};
  let pauses: z.infer<typeof Pauses> = [];
  const chunks = await graph.stream(input, { ...config, streamMode: ["custom", "values"] });
  for await (const chunk of chunks) {
    const [mode, data]: readonly unknown[] = Array.isArray(chunk) ? chunk : [];
    if (mode === "custom" && isAgentEvent(data)) onEvent(data);
    if (mode !== "values" || !isRecord(data)) continue;
    if (data[INTERRUPT] === undefined) result = Result.parse(data);
    else pauses = Pauses.parse(data[INTERRUPT]);
  }
  config.signal?.throwIfAborted();
  return { result, pauses };
}

function answerOf(name: string, { answer = "", outcome }: z.infer<typeof Result>): GraphAnswer {
  const ended = outcome ?? { status: "failed", reason: "The run ended without an outcome." };
  const { status, reason, limit, cause, summary, requests } = ended;
  const asked = requests?.action_requests.map(({ description }) => description) ?? [];
  const { ok, text } = subRunResult(name, answer, ended, asked);
  const told = defined({ reason, limit, cause, summary });
  return {
    ok,
    text,
    structured: { ...(answer === "" ? {} : { answer }), outcome: { status, ...told } },
  };
}

/** The end of a run that asks what nobody answers. */
function undone(name: string, pauses: z.infer<typeof Pauses>, why: string): GraphAnswer {
  const asked = pauses.flatMap(({ value }) => {
    const read = PersonRequests.safeParse(value);
    return read.success ? read.data.action_requests.map(({ description }) => description) : [];
  });
  const reason = `${name} was not done: it needs a person, and ${why}. It asked: ${asked.join(" ")}`;
  return {
    ok: false,
    text: `Error: ${reason}`,
    structured: { outcome: { status: "needs_input", reason } },
  };
}

/** A call has a thread of its own, which nobody continues. */
async function forgetThread(graph: object, thread: string): Promise<void> {
  const saver: unknown = Reflect.get(graph, "checkpointer");
  if (!isRecord(saver) && typeof saver !== "object") return;
  const remove: unknown = saver === null ? undefined : Reflect.get(Object(saver), "deleteThread");
  if (typeof remove === "function") await Reflect.apply(remove, saver, [thread]);
}
