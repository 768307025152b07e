import type { Client } from "@langchain/langgraph-sdk";

import { startDevServer, until } from "../../test/support/dev-server.js";
import { question } from "../../test/support/served.js";
import { decisionOf } from "../../test/support/worked.js";
import { masked } from "./masked.js";
import type { Trial } from "./trial.js";

/** LangGraph's own client, unchanged, hears from this server what it hears from LangGraph's dev server. */
export const clients: Trial = async ({ worked, expect }) => {
  const graphs = { worker: "test/support/worked-graphs.ts:worker" };
  const dev = await startDevServer(graphs, worked.environment);
  try {
    const { client } = await worked.server();
    await Promise.all([worked.worker(), worked.worker()]);
    const [theirs, ours] = [await talk(dev.client), await talk(client)];
    let differences = 0;
    for (const [name, told] of theirs) {
      if (ours.get(name) === told || better.has(name)) continue;
      differences += 1;
      console.log(`--- ${name}`);
      for (const line of differencesOf(JSON.parse(told), JSON.parse(ours.get(name) ?? "null")))
        console.log(line);
    }
    expect("talks", theirs.size, (all) => all === ours.size);
    expect("differences", differences, (all) => all === 0);
  } finally {
    await dev.close();
  }
};

/** What the dev server does otherwise than its documentation says. */
const better: ReadonlySet<string> = new Set([
  // It says that a run which was cancelled before it began has succeeded.
  "it afterwards",
  // It keeps the run that is rolled back, and all that it did.
  "another run: rollback",
  "the first run: rollback",
]);

/** What a client hears, by what it asked for, without ids and times. */
type Transcript = ReadonlyMap<string, string>;

/** Asks a server for everything that clients ask for. */
async function talk(client: Client): Promise<Transcript> {
  const heard = new Map<string, string>();
  const tell = async (name: string, ask: () => Promise<unknown>) => {
    const told = await ask().catch((error: unknown) => `refused: ${statusIn(error)}`);
    heard.set(name, masked(told));
    return told;
  };
  const talks = [
    talkOfAssistants,
    talkOfThreads,
    talkOfRuns,
    talkOfPeople,
    talkOfBusy,
    talkOfStore,
  ];
  for (const each of talks) await each(client, tell);
  return heard;
}

type Tell = (name: string, ask: () => Promise<unknown>) => Promise<unknown>;
const peek = { input: question("peek at it") };
const newThread = async (client: Client) => (await client.threads.create()).thread_id;

async function talkOfAssistants(client: Client, tell: Tell) {
  await tell("assistants", () => client.assistants.search());
  const made = await client.assistants.create({
    graphId: "worker",
    name: "mine",
    metadata: { a: 1 },
  });
  const id = made.assistant_id;
  await tell("an assistant", () => client.assistants.get(id));
  await tell("its next version", () => client.assistants.update(id, { name: "yours" }));
  await tell("its versions", () => client.assistants.getVersions(id));
  await tell("its graph", () => client.assistants.getGraph(id));
  await tell("its run", () => client.runs.wait(null, id, peek));
  await tell("its end", () => client.assistants.delete(id));
  await tell("none", () => client.assistants.get(id));
}

async function talkOfThreads(client: Client, tell: Tell) {
  await tell("a thread", () => client.threads.create({ metadata: { colour: "red" } }));
  const thread = await newThread(client);
  await tell("a thread with metadata", () =>
    client.threads.update(thread, { metadata: { colour: "blue" } }),
  );
  await tell("threads by metadata", () => client.threads.search({ metadata: { colour: "blue" } }));
  await tell("how many", () => client.threads.count({ metadata: { colour: "blue" } }));
  await tell("no state", () => client.threads.getState(thread));
  await client.runs.wait(thread, "worker", peek);
  await tell("a state", () => client.threads.getState(thread));
  await tell("a history", () => client.threads.getHistory(thread, { limit: 3 }));
  await tell("a change", () =>
    client.threads.updateState(thread, { values: question("By the way."), asNode: "finalizer" }),
  );
  await tell("the changed state", () => client.threads.getState(thread));
  const [, before] = await client.threads.getHistory(thread);
  const { checkpoint } = before ?? {};
  await tell("an older state", async () =>
    checkpoint === undefined
      ? undefined
      : client.threads.getState(thread, checkpoint.checkpoint_id ?? ""),
  );
  await tell("a copy", () => client.threads.copy(thread));
  await tell("a thread with values", () => client.threads.get(thread));
  await tell("its end as a thread", () => client.threads.delete(thread));
  await tell("no thread", () => client.threads.get(thread));
}

async function talkOfRuns(client: Client, tell: Tell) {
  const modes = [
    "values",
    "updates",
    "messages-tuple",
    "custom",
    "debug",
    "tasks",
    "checkpoints",
  ] as const;
  for (const streamMode of modes) {
    const thread = await newThread(client);
    await tell(`a stream of ${streamMode}`, () =>
      eventsIn(client.runs.stream(thread, "worker", { ...peek, streamMode: [streamMode] })),
    );
  }
  await tell("a stream without a thread", () => eventsIn(client.runs.stream(null, "worker", peek)));
  const thread = await newThread(client);
  const { run_id: run } = await client.runs.create(thread, "worker", peek);
  await tell("a joined run", () => client.runs.join(thread, run));
  await tell("a run", () => client.runs.get(thread, run));
  await tell("runs", () => client.runs.list(thread));
  await tell("a run that never began", () =>
    client.runs.create(thread, "worker", { ...peek, afterSeconds: 1_000 }),
  );
  const [waiting] = await client.runs.list(thread);
  await tell("its cancellation", () => client.runs.cancel(thread, waiting?.run_id ?? ""));
  await tell("it afterwards", () => client.runs.get(thread, waiting?.run_id ?? ""));
  await tell("its removal", () => client.runs.delete(thread, waiting?.run_id ?? ""));
  await tell("no run", () => client.runs.get(thread, waiting?.run_id ?? ""));
  await tell("an unknown graph", () => client.runs.create(thread, "nobody", peek));
}

async function talkOfPeople(client: Client, tell: Tell) {
  const decisions = [
    { type: "approve" },
    { type: "reject", message: "Too late." },
    { type: "edit", edited_action: { name: "refund", args: { thread: "another" } } },
    { type: "respond", message: "It was done by hand." },
  ];
  for (const decision of decisions) {
    const thread = await newThread(client);
    await tell(`a question before ${decision.type}`, () =>
      client.runs.wait(thread, "worker", { input: question("refund it") }),
    );
    await tell(`the thread before ${decision.type}`, () => client.threads.get(thread));
    const answer = decisionOf(await client.threads.get(thread), decision);
    await tell(`the end after ${decision.type}`, () => client.runs.wait(thread, "worker", answer));
    await tell(`the thread after ${decision.type}`, () => client.threads.get(thread));
  }
}

async function talkOfBusy(client: Client, tell: Tell) {
  for (const multitaskStrategy of ["reject", "interrupt", "rollback", "enqueue"] as const) {
    const thread = await newThread(client);
    const { run_id: first } = await client.runs.create(thread, "worker", {
      input: question("pay it"),
    });
    await until(async () => (await client.threads.getState(thread)).next.includes("tools"), 20);
    await tell(`another run: ${multitaskStrategy}`, () =>
      client.runs.wait(thread, "worker", { ...peek, multitaskStrategy }),
    );
    await client.runs.join(thread, first).catch(() => {});
    await tell(`the first run: ${multitaskStrategy}`, async () => {
      const { status } = await client.runs.get(thread, first);
      return status;
    });
    await tell(
      `the thread: ${multitaskStrategy}`,
      async () => (await client.threads.get(thread)).status,
    );
  }
}

async function talkOfStore(client: Client, tell: Tell) {
  const { store } = client;
  await tell("an item put", () => store.putItem(["shop", "tea"], "green", { price: 3 }));
  await tell("an item", () => store.getItem(["shop", "tea"], "green"));
  await tell("items", () => store.searchItems(["shop"], { filter: { price: 3 } }));
  await tell("namespaces", () => store.listNamespaces({ prefix: ["shop"] }));
  await tell("an item's end", () => store.deleteItem(["shop", "tea"], "green"));
  await tell("no item", () => store.getItem(["shop", "tea"], "green"));
}

async function eventsIn(stream: AsyncIterable<{ readonly event: string; readonly data: unknown }>) {
  const events: unknown[] = [];
  for await (const { event, data } of stream) events.push({ event, data });
  return events;
}

/** The places where two values differ, a line each. */
function differencesOf(left: unknown, right: unknown, place = ""): readonly string[] {
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  if (!isHolder(left) || !isHolder(right)) {
    const [theirs, ours] = [left, right].map((each) => JSON.stringify(each)?.slice(0, 150));
    return [`${place}: ${theirs} | ${ours}`];
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) =>
    differencesOf(Reflect.get(left, name), Reflect.get(right, name), `${place}.${name}`),
  );
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function statusIn(error: unknown): string {
  return /HTTP (\d+)/.exec(String(error))?.[1] ?? String(error);
}
