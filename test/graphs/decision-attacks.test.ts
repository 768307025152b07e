import { EventEmitter, once } from "node:events";

import { tool } from "@langchain/core/tools";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  createReactGraph,
  createRewooGraph,
  type ReactOptions,
  withPolicy,
} from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { planText } from "../support/plans.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann, then Bob." }] };
const thread = { configurable: { thread_id: "1" } };

const pays = (to: string, id = `call ${to}`) => ({ name: "pay", args: { to }, id });

/** A payment that a person approves; to Dan it fails. */
function bank(whilePaying: () => Promise<void> = async () => {}) {
  const paid: string[] = [];
  const pay = tool(
    async ({ to }) => {
      paid.push(to);
      await whilePaying();
      if (to === "Dan") throw new Error("no account");
      return `account of ${to}`;
    },
    { name: "pay", description: "Pays.", schema: z.object({ to: z.string() }) },
  );
  return { paid, tools: [withPolicy(pay, { needsApproval: true })] };
}

function paying(turns: Parameters<typeof scriptedModel>[0], options: ReactOptions = {}) {
  const made = bank();
  const checkpointer = new MemorySaver();
  const models = scriptedModel(turns);
  const graph = createReactGraph({ models, tools: made.tools, checkpointer, ...options });
  return { ...made, graph, models };
}

const idsIn = (result: unknown) => asked(result).action_requests.map(({ id }) => id);
const approveAll = (ids: readonly string[]) => ({
  decisions: ids.map((id) => ({ type: "approve", id })),
});

describe("an id", () => {
  it("is of the arguments too: the same call with others has another", async () => {
    const first = paying([{ toolCalls: [pays("Ann", "1")] }, "Done."]);
    const [ann = "none"] = idsIn(await first.graph.invoke(question, thread));
    const { values } = await first.graph.getState(thread);
    const [human, reply] = values.messages;
    if (human === undefined || reply === undefined) throw new Error("no call is open");
    const toBob = { id: "1", name: "pay", args: { to: "Bob" }, type: "tool_call" as const };
    const changed = { role: "assistant", content: "", id: reply.id, tool_calls: [toBob] };
    await first.graph.updateState(thread, { messages: [changed] }, "agent");
    const again = await first.graph.invoke(null, thread);
    expect(asked(again).action_requests[0]?.args).toEqual({ to: "Bob" });
    expect(idsIn(again)).not.toContain(ann);
    const old = first.graph.invoke(new Command({ resume: approveAll([ann]) }), thread);
    await expect(old).rejects.toMatchObject({ code: "already_answered" });
    expect(first.paid).toEqual([]);
  });

  it("is of its run: the same call asked on another thread has another", async () => {
    const { graph, paid } = paying([{ toolCalls: [pays("Ann")] }, { toolCalls: [pays("Ann")] }]);
    const other = { configurable: { thread_id: "2" } };
    const here = idsIn(await graph.invoke(question, thread));
    const there = idsIn(await graph.invoke(question, other));
    expect(there).not.toEqual(here);
    const stolen = graph.invoke(new Command({ resume: approveAll(here) }), other);
    await expect(stolen).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual([]);
  });

  it("is not that of the same call in the next turn of the conversation", async () => {
    const { graph, paid } = paying([
      { toolCalls: [pays("Ann", "1")] },
      "Done.",
      { toolCalls: [pays("Ann", "1")] },
      "Done.",
    ]);
    const first = idsIn(await graph.invoke(question, thread));
    await graph.invoke(new Command({ resume: approveAll(first) }), thread);
    const second = idsIn(await graph.invoke(question, thread));
    const old = graph.invoke(new Command({ resume: approveAll(first) }), thread);
    await expect(old).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual(["Ann"]);
    await graph.invoke(new Command({ resume: approveAll(second) }), thread);
    expect(paid).toEqual(["Ann", "Ann"]);
  });
});

describe("where ids are required", () => {
  it.each([
    { name: "a list", resume: [{ type: "approve" }] },
    { name: "one decision alone", resume: { type: "approve" } },
    { name: "decisions in an object", resume: { decisions: [{ type: "approve" }] } },
    { name: "a plain text", resume: "yes" },
    { name: "words as a rejection", resume: [{ type: "reject", args: "yes" }] },
    { name: "an empty id", resume: [{ type: "approve", id: "" }] },
    { name: "an id that is no text", resume: [{ type: "approve", id: 1 }] },
    { name: "an edit as forms send it", resume: [{ type: "edit", args: { to: "Eve" } }] },
  ])("$name without an id answers nothing", async ({ resume }) => {
    const { graph, paid } = paying([{ toolCalls: [pays("Ann")] }, "Done."], {
      requireDecisionIds: true,
    });
    const paused = await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume }), thread);
    expect(asked(again).error).toContain("no id");
    expect(idsIn(again)).toEqual(idsIn(paused));
    expect(paid).toEqual([]);
  });

  it.each([
    { name: "a list", how: (id: string) => [{ type: "approve", id }] },
    { name: "one decision alone", how: (id: string) => ({ type: "approve", id }) },
    {
      name: "an interrupt's id, once",
      how: (_id: string, interrupt: string) => ({ [interrupt]: [{ type: "approve" }] }),
    },
  ])("$name is taken", async ({ how }) => {
    const { graph, paid } = paying([{ toolCalls: [pays("Ann")] }, "Done."], {
      requireDecisionIds: true,
    });
    const paused = await graph.invoke(question, thread);
    const [id = "none"] = idsIn(paused);
    const interrupt = isInterrupted(paused) ? (paused[INTERRUPT][0]?.id ?? "none") : "none";
    await graph.invoke(new Command({ resume: how(id, interrupt) }), thread);
    expect(paid).toEqual(["Ann"]);
  });

  it("decisions with the input of a run without a checkpointer need them as well", async () => {
    const { paid, tools } = bank();
    const models = scriptedModel([{ toolCalls: [pays("Ann")] }, "Done."]);
    const graph = createReactGraph({ models, tools, requireDecisionIds: true });
    const first = await graph.invoke(question);
    const answer = graph.invoke({ ...first, decisions: [{ type: "approve" }] });
    await expect(answer).rejects.toMatchObject({ code: "invalid_decisions" });
    expect(paid).toEqual([]);
  });
});

describe("two approvals of one turn", () => {
  it("each run their own call, in the order of the turn, though the first fails", async () => {
    const turn = { toolCalls: [pays("Dan"), pays("Bob")] };
    const { graph, paid } = paying([turn, "Done."]);
    const [dan = "none", bob = "none"] = idsIn(await graph.invoke(question, thread));
    const done = await graph.invoke(new Command({ resume: approveAll([bob, dan]) }), thread);
    expect(paid).toEqual(["Dan", "Bob"]);
    expect(done.observations).toMatchObject([
      { args: { to: "Dan" }, ok: false, decisions: [{ requestId: dan }] },
      { args: { to: "Bob" }, ok: true, decisions: [{ requestId: bob }] },
    ]);
  });

  it("are not asked together where the second's arguments are the first's result", async () => {
    const { paid, tools } = bank();
    const models = scriptedModel([
      planText({ tool: "pay", args: { to: "Ann" } }, { tool: "pay", args: { to: "{{E1}}" } }),
      "Done.",
    ]);
    const graph = createRewooGraph({ models, tools, checkpointer: new MemorySaver() });
    const first = await graph.invoke(question, thread);
    expect(asked(first).action_requests).toMatchObject([{ args: { to: "Ann" } }]);
    const resume = approveAll(idsIn(first));
    const second = await graph.invoke(new Command({ resume }), thread);
    expect(asked(second).action_requests).toMatchObject([{ args: { to: "account of Ann" } }]);
    expect(paid).toEqual(["Ann"]);
  });
});

it("an approval that is delivered again while its call runs makes no second one", async () => {
  const gate = new EventEmitter();
  const released = once(gate, "release");
  const began = once(gate, "begin");
  const { paid, tools } = bank(async () => {
    gate.emit("begin");
    await released;
  });
  const models = scriptedModel([{ toolCalls: [pays("Ann")] }, "Done."]);
  const graph = createReactGraph({ models, tools, checkpointer: new MemorySaver() });
  const paused = await graph.invoke(question, thread);
  const interrupt = isInterrupted(paused) ? (paused[INTERRUPT][0]?.id ?? "none") : "none";
  const config = { ...(await graph.getState(thread)).config };
  const approved = approveAll(idsIn(paused));
  const running = graph.invoke(new Command({ resume: approved }), thread);
  await began;
  const refused = { code: expect.stringMatching(/^(thread_busy|already_answered)$/) };
  const ways = [
    { resume: approved, at: thread },
    { resume: { [interrupt]: approved }, at: thread },
    { resume: approved, at: config },
    { resume: { decisions: [{ type: "approve" }] }, at: config },
  ];
  for (const { resume, at } of ways) {
    await expect(graph.invoke(new Command({ resume }), at)).rejects.toMatchObject(refused);
  }
  gate.emit("release");
  expect((await running).outcome).toEqual({ status: "answered" });
  for (const { resume, at } of ways) {
    await expect(graph.invoke(new Command({ resume }), at)).rejects.toMatchObject({
      code: "already_answered",
    });
  }
  expect(paid).toEqual(["Ann"]);
});

describe("a thread that is run again from before its calls were written", () => {
  it("asks anew, and the old approval answers nothing: react", async () => {
    const turns = [
      { toolCalls: [pays("Ann", "1")] },
      "Done.",
      { toolCalls: [pays("Ann", "1")] },
      "Done.",
    ];
    const { graph, paid } = paying(turns);
    const first = idsIn(await graph.invoke(question, thread));
    const before = await checkpointBefore("agent", graph);
    await graph.invoke(new Command({ resume: approveAll(first) }), thread);
    await graph.invoke(null, before);
    const old = graph.invoke(new Command({ resume: approveAll(first) }), thread);
    await expect(old).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual(["Ann"]);
  });

  it("asks anew, and the old approval answers nothing: rewoo", async () => {
    const { paid, tools } = bank();
    const plan = planText({ tool: "pay", args: { to: "Ann" } });
    const models = scriptedModel([plan, "Done.", plan, "Done."]);
    const graph = createRewooGraph({ models, tools, checkpointer: new MemorySaver() });
    const first = idsIn(await graph.invoke(question, thread));
    const before = await checkpointBefore("planner", graph);
    await graph.invoke(new Command({ resume: approveAll(first) }), thread);
    await graph.invoke(null, before);
    const old = graph.invoke(new Command({ resume: approveAll(first) }), thread);
    await expect(old).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual(["Ann"]);
  });
});

type Kept = {
  getStateHistory(
    config: object,
  ): AsyncIterable<{ readonly next: readonly string[]; readonly config: object }>;
};

/** The config of the checkpoint at which a node is next. */
async function checkpointBefore(node: string, graph: Kept): Promise<object> {
  for await (const { next, config } of graph.getStateHistory(thread)) {
    if (next.includes(node)) return config;
  }
  throw new Error(`no checkpoint stands before "${node}"`);
}
