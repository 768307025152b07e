import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import {
  type AgentEvent,
  createPlanExecuteGraph,
  createReactGraph,
  type Decision,
  type PersonRequests,
  type ToolPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { bank, callsIn, payers, type PayingGraph, pays } from "../support/bank.js";
import { continueWith, respondWith, taskPlanText } from "../support/task-plans.js";
import { fakeClock } from "../support/run-scope.js";
import { someOf } from "../support/rows.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann and Bob." }] };
const thread = { configurable: { thread_id: "1" } };
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Options = { readonly policy?: ToolPolicy; readonly to?: readonly string[] };

/** How a graph that pays is made, and how it goes on after a pause. */
type Way = {
  readonly name: string;
  readonly make: (options: Options) => {
    readonly paid: readonly string[];
    readonly pass: (ms: number) => void;
    /** Asks, and gives what is asked. */
    readonly ask: () => Promise<PersonRequests>;
    readonly answer: (decisions: readonly Decision[]) => Promise<Done>;
  };
};

type Done = Awaited<ReturnType<PayingGraph["invoke"]>>;

function made({ policy = {}, to = ["Ann"] }: Options) {
  const { clock, pass } = fakeClock();
  return { ...bank(policy), to: [to], clock, pass };
}

const ways: readonly Way[] = [
  ...Object.entries(payers).map(([name, create]) => ({
    name,
    make: (options: Options) => {
      const { paid, pass, ...given } = made(options);
      const graph = create({ ...given, checkpointer: new MemorySaver() });
      return {
        paid,
        pass,
        ask: async () => asked(await graph.invoke(question, thread)),
        answer: (decisions: readonly Decision[]) =>
          graph.invoke(new Command({ resume: { decisions } }), thread),
      };
    },
  })),
  ...Object.entries(payers).map(([name, create]) => ({
    name: `${name} without a checkpointer`,
    make: (options: Options) => {
      const { paid, pass, ...given } = made(options);
      const graph = create(given);
      let result: Done;
      return {
        paid,
        pass,
        ask: async () => {
          result = await graph.invoke(question);
          return result.outcome?.requests ?? { action_requests: [], review_configs: [] };
        },
        answer: (decisions: readonly Decision[]) =>
          graph.invoke({ ...result, decisions: [...decisions] }),
      };
    },
  })),
];

const approve: Decision = { type: "approve" };
const edit: Decision = { type: "edit", edited_action: { name: "pay", args: { to: "Cid" } } };
const expiresAfter = hour;

describe.each(someOf(ways, 2))("in $name", ({ make }) => {
  it("a request says when it expires, whenever it is asked", async () => {
    const { ask, answer, pass } = make({ policy: { expiresAfter } });
    const expires = new Date(1_000 + hour).toISOString();
    expect((await ask()).action_requests[0]).toHaveProperty("expires_at", expires);
    pass(minute);
    await answer([approve]);
  });

  it.each([
    { name: "an approval", decision: approve, paid: ["Ann"] },
    { name: "an edit", decision: edit, paid: ["Cid"] },
  ])("$name at the last millisecond is carried out", async ({ decision, paid: all }) => {
    const { ask, answer, paid, pass } = make({ policy: { expiresAfter } });
    await ask();
    pass(hour);
    const done = await answer([decision]);
    expect(paid).toEqual(all);
    expect(callsIn(done.observations)).toMatchObject([{ ok: true }]);
  });

  it.each([
    { name: "an approval", decision: approve },
    { name: "an edit", decision: edit },
  ])("$name after it is not carried out, and the model is told", async ({ decision }) => {
    const { ask, answer, paid, pass } = make({ policy: { expiresAfter } });
    await ask();
    pass(3 * day);
    const done = await answer([decision]);
    expect(paid).toEqual([]);
    const message = "not run: a person agreed 3 days after it was asked, which is too late.";
    expect(callsIn(done.observations)).toMatchObject([
      { ok: false, attempts: 0, error: { kind: "denied", message } },
    ]);
    expect(done.outcome?.status).toBe("answered");
  });

  it("none of two writes of one turn is carried out where both are approved too late", async () => {
    const { ask, answer, paid, pass } = make({ policy: { expiresAfter }, to: ["Ann", "Bob"] });
    await ask();
    pass(2 * hour);
    const done = await answer([approve, approve]);
    expect(paid).toEqual([]);
    expect(callsIn(done.observations)).toMatchObject([
      { ok: false, attempts: 0, error: { kind: "denied" } },
      { ok: false, attempts: 0, error: { kind: "denied" } },
    ]);
  });

  it.each([
    { decision: { type: "reject", message: "No." } as const, seen: "No." },
    { decision: { type: "respond", message: "receipt 9" } as const, seen: "receipt 9" },
  ])("what a person says late counts: $decision.type", async ({ decision, seen }) => {
    const { ask, answer, paid, pass } = make({ policy: { expiresAfter } });
    await ask();
    pass(2 * hour);
    const done = await answer([decision]);
    expect(paid).toEqual([]);
    expect(callsIn(done.observations)).toMatchObject([{ content: expect.stringContaining(seen) }]);
  });

  it.each([
    { after: hour - 1, note: undefined },
    { after: hour, note: "1 hour" },
    { after: 2 * day + hour, note: "2 days" },
  ])("an answer after $after ms tells how old its reasons are: $note", async ({ after, note }) => {
    const { ask, answer, paid, pass } = make({ to: ["Ann", "Bob"] });
    await ask();
    pass(after);
    const done = await answer([approve, edit]);
    expect(paid).toEqual(["Ann", "Cid"]);
    const told = `(A person agreed ${note} after it was asked: results from before may be out of date.)`;
    const seen = JSON.stringify(callsIn(done.observations)).split("A person agreed").length - 1;
    expect(seen).toBe(note === undefined ? 0 : 2);
    expect(JSON.stringify(callsIn(done.observations)).split(told).length - 1).toBe(seen);
  });

  it("the run is handed off by an approval that comes too late, where the policy says so", async () => {
    const { ask, answer, paid, pass } = make({
      policy: { expiresAfter, onExpiry: "hand_off" },
      to: ["Ann", "Bob"],
    });
    await ask();
    pass(2 * hour);
    const done = await answer([approve, approve]);
    expect(paid).toEqual([]);
    expect(done.outcome?.status).toBe("handed_off");
    expect(done.outcome?.reason).toContain("2 hours after it was asked");
  });

  it("what was decided is kept with who and when", async () => {
    const { ask, answer, pass } = make({ to: ["Ann", "Bob"] });
    const [ann, bob] = (await ask()).action_requests;
    pass(minute);
    const done = await answer([
      { ...approve, id: ann?.id ?? "none", by: "Eve" },
      { type: "reject", id: bob?.id ?? "none" },
    ]);
    const times = { askedAt: 1_000, at: 1_000 + minute };
    expect(callsIn(done.observations)).toMatchObject([
      { decisions: [{ requestId: ann?.id, type: "approve", by: "Eve", ...times }] },
      { decisions: [{ requestId: bob?.id, type: "reject", ...times }] },
    ]);
    expect(JSON.stringify(callsIn(done.observations)[1])).not.toContain('"by"');
  });
});

async function eventsOf(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

it("each decision is told once, with what the context says of its taker", async () => {
  const { tools, toolPolicies, clock, pass } = made({ to: ["Ann", "Bob"] });
  const models = scriptedModel([{ toolCalls: ["Ann", "Bob"].map(pays) }, "Done."]);
  const checkpointer = new MemorySaver();
  const graph = createReactGraph({ models, tools, toolPolicies, clock, checkpointer });
  const [ann, bob] = asked(await graph.invoke(question, thread)).action_requests;
  pass(minute);
  const decisions = [
    { type: "reject", id: bob?.id },
    { type: "approve", id: ann?.id, by: "Eve" },
  ];
  const stream = await graph.stream(new Command({ resume: { decisions } }), {
    ...thread,
    streamMode: "custom",
    context: { decidedBy: "Dan" },
  });
  const events = (await eventsOf(stream)).filter(isDecided);
  expect(events).toMatchObject([
    { type: "decided", requestId: ann?.id, decision: "approve", by: "Eve", ms: minute },
    { type: "decided", requestId: bob?.id, decision: "reject", by: "Dan", ms: minute },
  ]);
});

function isDecided(event: unknown): event is AgentEvent {
  return typeof event === "object" && event !== null && Reflect.get(event, "type") === "decided";
}

it("reviews of a plan are kept with who and when", async () => {
  const { tools, clock, pass, paid } = made({});
  const checkpointer = new MemorySaver();
  const models = {
    planner: scriptedModel([taskPlanText({ task: "Pay Ann." })]),
    executor: scriptedModel([{ toolCalls: [pays("Bob")] }, "Done."]),
    replanner: scriptedModel([continueWith({ task: "Pay Bob." }), respondWith("Done.")]),
  };
  const graph = createPlanExecuteGraph({ models, tools, clock, checkpointer, reviewPlan: true });
  const first = asked(await graph.invoke(question, thread)).action_requests[0]?.id;
  pass(minute);
  const no = { type: "reject", message: "Pay Bob.", id: first, by: "Eve" };
  const again = await graph.invoke(new Command({ resume: { decisions: [no] } }), thread);
  const second = asked(again).action_requests[0]?.id;
  expect(second).not.toBe(first);
  pass(minute);
  const yes = { decisions: [{ type: "approve", id: second }] };
  const config = { ...thread, context: { decidedBy: "Dan" } };
  const { reviews } = await graph.invoke(new Command({ resume: yes }), config);
  expect(paid).toEqual(["Bob"]);
  const [asked1, asked2] = [1_000, 1_000 + minute];
  expect(reviews).toEqual([
    { requestId: first, type: "reject", by: "Eve", askedAt: asked1, at: asked1 + minute },
    { requestId: second, type: "approve", by: "Dan", askedAt: asked2, at: asked2 + minute },
  ]);
});
