import type { Client } from "@langchain/langgraph-sdk";

import { readEntries } from "../../test/support/crash-log.js";
import { crashQuestions } from "../../test/support/crash-scripts.js";
import { question } from "../../test/support/served.js";
import { decisionOf, openWorked, type Worked } from "../../test/support/worked.js";
import { masked } from "./masked.js";
import { inParallel, msOf, type Trial } from "./trial.js";
import { allGraphs } from "./under-load.js";

/** The same day, in one process with everything in it and in four on one database: every talk comes to the same. */
export const day: Trial = async ({ worked, expect, leaseMs }, count) => {
  const alone = await openWorked({ leaseMs, graphs: allGraphs });
  try {
    const one = await alone.server();
    const servers = await Promise.all([worked.server(), worked.server()]);
    await Promise.all([worked.worker(), worked.worker()]);
    const byOne = await dayOf(alone, [one.client], count);
    const byFour = await dayOf(
      worked,
      servers.map(({ client }) => client),
      count,
    );
    const differing = byOne.talks.filter((talk, at) => talk !== byFour.talks[at]);
    for (const talk of differing) {
      console.log(`one:  ${talk}\nfour: ${byFour.talks[byOne.talks.indexOf(talk)]}`);
    }
    expect("talks", byOne.talks.length, (all) => all === byFour.talks.length);
    expect("of them that differ", differing.length, (all) => all === 0);
    expect("writes by one process", byOne.writes.length, (all) => all > 0);
    expect("by four", byFour.writes.join() === byOne.writes.join(), (isSame) => isSame);
    expect("seconds by one process", byOne.ms / 1_000, () => true);
    expect("seconds by four", byFour.ms / 1_000, () => true);
  } finally {
    await alone.close();
  }
};

/** What a day brought. */
type Day = {
  /** How each talk ended, without ids and times. */
  readonly talks: readonly string[];
  /** Every write, in alphabetical order. */
  readonly writes: readonly string[];
  readonly ms: number;
};

/** How many talks go on at the same time. */
const atOnce = 8;

async function dayOf(worked: Worked, clients: readonly Client[], count: number): Promise<Day> {
  let talks: readonly string[] = [];
  const ms = await msOf(async () => {
    talks = await inParallel(atOnce, count, (at) => talkOf(clients, at));
  });
  const noted = (await worked.calls()).filter((call) => /^(?:pay|refund) /.test(call));
  const entries = readEntries(worked.folder).filter(({ kind }) => kind === "call_ended");
  return { talks, writes: [...noted, ...entries.map(({ tool }) => tool)].toSorted(), ms };
}

/** The parts of a talk, each asked of the next server. */
type Turn = (client: Client, thread: string, name: string) => Promise<unknown>;

const ask =
  (graph: string, text: (name: string) => string): Turn =>
  (client, thread, name) =>
    client.runs.wait(thread, graph, { input: question(text(name)), multitaskStrategy: "enqueue" });

const decide =
  (decision: (name: string) => object): Turn =>
  async (client, thread, name) =>
    client.runs.wait(
      thread,
      "worker",
      decisionOf(await client.threads.get(thread), decision(name)),
    );

const pay = ask("worker", (name) => `pay ${name}`);
const refund = ask("worker", (name) => `refund ${name}`);
const peek = ask("worker", () => "peek at it");
const inTwo = (graph: string): readonly Turn[] =>
  crashQuestions.map((text) => ask(graph, () => text));

/** A second question while the first one is at work. */
async function inLine(client: Client, thread: string, name: string): Promise<void> {
  const input = question(`pay ${name}`);
  const { run_id: first } = await client.runs.create(thread, "worker", { input });
  await peek(client, thread, name);
  await client.runs.join(thread, first);
}

/** The talks of a day, again and again in this order. */
const talks: readonly (readonly Turn[])[] = [
  [pay, peek],
  [refund, decide(() => ({ type: "approve" })), peek],
  inTwo("react"),
  [refund, decide(() => ({ type: "reject", message: "Too late." }))],
  inTwo("rewoo"),
  [
    refund,
    decide((name) => ({
      type: "edit",
      edited_action: { name: "refund", args: { thread: `another ${name}` } },
    })),
    pay,
  ],
  inTwo("compiler"),
  // Nobody answers on this day.
  [peek, refund],
  inTwo("tasks"),
  [refund, decide(() => ({ type: "respond", message: "It was done by hand." }))],
  [inLine],
];

/** Has a talk; returns how its thread and its runs are at the end. */
async function talkOf(clients: readonly Client[], at: number): Promise<string> {
  let turn = at;
  const next = () => {
    const client = clients[turn % clients.length];
    turn += 1;
    if (client === undefined) throw new Error("A day needs a server.");
    return client;
  };
  const { thread_id: thread } = await next().threads.create();
  for (const each of talks[at % talks.length] ?? []) await each(next(), thread, `talk-${at}`);
  const { values, next: left, tasks } = await next().threads.getState(thread);
  const runs = (await next().runs.list(thread)).map(({ status }) => status);
  return masked({ at, values, left, asked: tasks.flatMap(({ interrupts }) => interrupts), runs });
}
