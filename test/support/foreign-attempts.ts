import type { Client } from "@langchain/langgraph-sdk";

import { question } from "./served.js";

type Place = {
  readonly thread: string;
  /** A run of it that has ended. */
  readonly ended: string;
  /** A run of it that has not. */
  readonly open: string;
};

/** Everything that a client may try on a thread: none of it may work for another's. */
export function attemptsOn(
  client: Client,
  { thread, ended, open }: Place,
): Readonly<Record<string, () => Promise<unknown>>> {
  const run = { input: question("How much is tea?") };
  return {
    get: () => client.threads.get(thread),
    state: () => client.threads.getState(thread),
    history: () => client.threads.getHistory(thread),
    patch: () => client.threads.update(thread, { metadata: { owner: "bob" } }),
    update: () => client.threads.updateState(thread, { values: { messages: [] } }),
    copy: () => client.threads.copy(thread),
    remove: () => client.threads.delete(thread),
    create: () => client.threads.create({ threadId: thread }),
    take: () => client.threads.create({ threadId: thread, ifExists: "do_nothing" }),
    run: () => client.runs.create(thread, "worker", run),
    runIfAbsent: () => client.runs.create(thread, "worker", { ...run, ifNotExists: "create" }),
    resume: () => client.runs.wait(thread, "worker", { command: { resume: "yes" } }),
    list: () => client.runs.list(thread),
    read: () => client.runs.get(thread, ended),
    join: () => client.runs.join(thread, ended),
    cancel: () => client.runs.cancel(thread, open),
    rollBack: () => client.runs.cancel(thread, open, false, "rollback"),
    removeRun: () => client.runs.delete(thread, ended),
  };
}

/** Whether a server refused an attempt: what is another's is not there, or not to be had. */
export const refusal = /HTTP (?:404|409|403)/;
