import assert from "node:assert/strict";

import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { PlangraphError } from "../../src/index.js";
import { asked } from "../support/asked.js";
import { bank, payers, type PayingGraph } from "../support/bank.js";
import { someOf } from "../support/rows.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann, then Bob." }] };
const thread = (id = "1") => ({ configurable: { thread_id: id } });
const to = [["Ann"], ["Bob"]];

const idOf = (result: unknown) => asked(result).action_requests[0]?.id ?? "none";

/** A decision as it is delivered: to a thread, by the id of what it answers. */
type Delivery = { readonly resume: Command; readonly config: object };

type Paid = {
  readonly graph: PayingGraph;
  readonly saver: MemorySaver;
  readonly paid: readonly string[];
  /** The delivery that paid Ann. */
  readonly first: Delivery;
  /** What waits then. */
  readonly paused: unknown;
};

function approving(type: "approve" | "reject", id: string): Command {
  return new Command({ resume: { decisions: [{ type, id }] } });
}

async function payAnn(create: (typeof payers)["react"]): Promise<Paid> {
  const { paid, ...given } = bank();
  const saver = new MemorySaver();
  const graph = create({ ...given, to, checkpointer: saver });
  const first = {
    resume: approving("approve", idOf(await graph.invoke(question, thread()))),
    config: thread(),
  };
  const paused = await graph.invoke(first.resume, first.config);
  expect(paid).toEqual(["Ann"]);
  return { graph, saver, paid, first, paused };
}

async function end({ graph, paused }: Paid) {
  const { outcome } = await graph.invoke(approving("approve", idOf(paused)), thread());
  expect(outcome?.status).toBe("answered");
}

/** The checkpoints of the thread, oldest first. */
async function checkpointsOf(saver: MemorySaver): Promise<object[]> {
  const found: object[] = [];
  const place = { configurable: { thread_id: "1", checkpoint_ns: "" } };
  for await (const { config } of saver.list(place)) found.unshift(config);
  return found;
}

/** Where a decision that was carried out is delivered again, and what is paid when it is. */
const times: readonly {
  readonly when: string;
  readonly paid: readonly string[];
  /** Why it is refused where it is not for being carried out. */
  readonly or?: string;
  readonly again: (made: Paid) => Promise<readonly Delivery[]>;
}[] = [
  {
    when: "while the next question waits",
    paid: ["Ann"],
    again: async ({ first }) => [first],
  },
  {
    when: "when the run has ended",
    paid: ["Ann", "Bob"],
    again: async (made) => {
      await end(made);
      return [made.first];
    },
  },
  {
    when: "when another run has begun on the thread and asks the same",
    paid: ["Ann", "Bob"],
    again: async (made) => {
      await end(made);
      asked(await made.graph.invoke(question, thread()));
      return [made.first];
    },
  },
  {
    when: "when another run took the place of the one that waits",
    paid: ["Ann"],
    again: async (made) => {
      asked(await made.graph.invoke(question, thread()));
      return [made.first];
    },
  },
  {
    when: "to another thread that asks the same",
    paid: ["Ann"],
    again: async ({ graph, first }) => {
      asked(await graph.invoke(question, thread("2")));
      return [{ ...first, config: thread("2") }];
    },
  },
  {
    when: "to every checkpoint of a run that ended",
    or: "nothing_to_resume",
    paid: ["Ann", "Bob"],
    again: async (made) => {
      await end(made);
      return (await checkpointsOf(made.saver)).map((config) => ({ ...made.first, config }));
    },
  },
  {
    when: "to every checkpoint of a run that waits",
    or: "nothing_to_resume",
    paid: ["Ann"],
    again: async ({ first, saver }) =>
      (await checkpointsOf(saver)).map((config) => ({ ...first, config })),
  },
  {
    when: "to a fork of the thread at any checkpoint, which asks again",
    paid: ["Ann"],
    again: async ({ graph, first, saver }) => {
      const deliveries: Delivery[] = [];
      for (const config of await checkpointsOf(saver)) {
        deliveries.push({ ...first, config: await forked(graph, config) });
      }
      return deliveries;
    },
  },
];

/** A fork of the thread that does what was done then once more. */
async function forked(graph: PayingGraph, config: object): Promise<object> {
  assert("updateState" in graph && typeof graph.updateState === "function");
  const fork: unknown = await graph
    .updateState(config, { messages: [] }, "intake")
    .catch(() => undefined);
  assert(typeof fork === "object" && fork !== null);
  await graph.invoke(null, fork).catch(() => undefined);
  return thread();
}

const everyPayer = Object.entries(payers).map(([name, create], turn) => ({ name, create, turn }));

describe.each(everyPayer)("in $name", ({ create, turn }) => {
  it.each(someOf(times, 3, turn))("a decision is refused $when", async ({ again, paid, or }) => {
    const made = await payAnn(create);
    const codes = new Set<unknown>();
    for (const { resume, config } of await again(made)) {
      codes.add(await made.graph.invoke(resume, config).catch(codeOf));
    }
    codes.delete(or);
    expect([...codes]).toEqual(["already_answered"]);
    expect(made.paid).toEqual(paid);
  });
});

function codeOf(error: unknown): unknown {
  return error instanceof PlangraphError ? error.code : error;
}
