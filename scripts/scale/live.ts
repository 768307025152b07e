import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "@langchain/langgraph-sdk";
import { z } from "zod";

import { question } from "../../test/support/served.js";

/** A run to its end, with everything that it asks approved. */
export type Lived = {
  readonly thread: string;
  readonly graph: string;
  readonly status: string;
  readonly answer: string;
  /** The writes that were approved, as `thread tool`. */
  readonly approved: readonly string[];
};

type Payload = NonNullable<Parameters<Client["runs"]["create"]>[2]>;

const Interrupt = z.object({
  value: z.object({
    action_requests: z.array(z.object({ name: z.string(), id: z.string() })),
  }),
});
const State = z.object({ answer: z.string().optional() });

/** Asks a graph on a new thread; approves what it asks, until it has ended. */
export async function live(client: Client, graph: string, asked: string): Promise<Lived> {
  const { thread_id: thread } = await steadily(() => client.threads.create());
  const approved: string[] = [];
  let run = await begin(client, thread, graph, { input: question(asked) });
  for (;;) {
    await untilEnded(client, thread, run.run_id);
    const { interrupts, values, status } = await steadily(() => client.threads.get(thread));
    const requests = Object.values(interrupts)
      .flat()
      .flatMap((each) => Interrupt.parse(each).value.action_requests);
    if (requests.length === 0) {
      const { answer = "" } = State.parse(values);
      const ended = await steadily(() => client.runs.get(thread, run.run_id));
      return { thread, graph, status: status === "idle" ? ended.status : status, answer, approved };
    }
    approved.push(...requests.map(({ name }) => `${thread} ${name}`));
    const decisions = requests.map(({ id }) => ({ type: "approve", id }));
    run = await begin(client, thread, graph, { command: { resume: { decisions } } });
  }
}

/** Tries again while the server or its database is away. */
async function steadily<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      await sleep(300);
    }
  }
}

/** Creates a run. A request that failed may have created it. */
function begin(client: Client, thread: string, graph: string, payload: Payload) {
  return steadily(async () => {
    const { status } = await client.threads.get(thread);
    if (status === "busy") {
      const [run] = await client.runs.list(thread, { limit: 1 });
      if (run !== undefined) return run;
    }
    return client.runs.create(thread, graph, payload);
  });
}

/** Waits for the end of a run, also where the server is away for a moment. */
async function untilEnded(client: Client, thread: string, run: string): Promise<void> {
  for (;;) {
    await client.runs.join(thread, run).catch(() => {});
    const found = await client.runs.get(thread, run).catch(() => undefined);
    if (found !== undefined && !["pending", "running"].includes(found.status)) return;
  }
}
