import { tool } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  Command,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
} from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph, type ReactOptions, type ToolPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { bank, payers, type PayingGraph, pays } from "../support/bank.js";
import { someOf } from "../support/rows.js";

const question = { messages: [{ role: "user" as const, content: "Pay Ann, then Bob." }] };
const thread = { configurable: { thread_id: "1" } };

/** A payment that a person approves, and a look-up beside it. */
function bankAndLook(policy: ToolPolicy = {}) {
  const looks: string[] = [];
  const look = tool(
    () => {
      looks.push("look");
      return "seen";
    },
    { name: "look", description: "Looks.", schema: z.object({}) },
  );
  const { tools, ...given } = bank(policy);
  return { ...given, looks, tools: [...tools, look] };
}

const to = [["Ann"], ["Bob"]];
const turns = [{ toolCalls: [pays("Ann")] }, { toolCalls: [pays("Bob")] }, "Both are paid."];

type Result = Awaited<ReturnType<PayingGraph["invoke"]>>;

const idOf = (result: unknown) => asked(result).action_requests[0]?.id ?? "none";
const askedIn = ({ outcome }: Result) => outcome?.requests?.action_requests[0]?.id ?? "none";
const interruptOf = (result: unknown) =>
  isInterrupted(result) ? (result[INTERRUPT][0]?.id ?? "none") : "none";
const approve = (id?: string) => ({
  decisions: [{ type: "approve", ...(id === undefined ? {} : { id }) }],
});
const reject = { decisions: [{ type: "reject" }] };

describe.each(someOf(Object.entries(payers), 2))("in %s", (_name, create) => {
  it.each([
    { by: "the id of its request", resume: (paused: unknown) => approve(idOf(paused)) },
    {
      by: "the id of its interrupt",
      resume: (paused: unknown) => ({ [interruptOf(paused)]: approve() }),
    },
  ])("a decision by $by that is delivered again answers no other question", async ({ resume }) => {
    const { paid, ...given } = bank();
    const graph = create({ ...given, to, checkpointer: new MemorySaver() });
    const paused = await graph.invoke(question, thread);
    const first = new Command({ resume: resume(paused) });
    const second = await graph.invoke(first, thread);
    expect(paid).toEqual(["Ann"]);
    const bob = idOf(second);
    expect(bob).not.toBe(idOf(paused));
    await expect(graph.invoke(first, thread)).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual(["Ann"]);
    // The question still waits, and takes its own answer.
    const done = await graph.invoke(new Command({ resume: approve(bob) }), thread);
    expect(paid).toEqual(["Ann", "Bob"]);
    expect(done.outcome).toEqual({ status: "answered" });
    const last = new Command({ resume: approve(bob) });
    await expect(graph.invoke(last, thread)).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual(["Ann", "Bob"]);
  });

  it("decisions that come with the input of the next question are refused as well", async () => {
    const { paid, ...given } = bank();
    const graph = create({ ...given, to });
    const first = await graph.invoke(question);
    const ann = { decisions: [{ type: "approve", id: askedIn(first) }] };
    const second = await graph.invoke({ ...first, ...ann });
    expect(paid).toEqual(["Ann"]);
    const again = graph.invoke({ ...second, ...ann });
    await expect(again).rejects.toMatchObject({ code: "already_answered" });
    expect(paid).toEqual(["Ann"]);
    const bob = { decisions: [{ type: "approve", id: askedIn(second) }] };
    const done = await graph.invoke({ ...second, ...bob });
    expect(done.outcome).toEqual({ status: "answered" });
    expect(paid).toEqual(["Ann", "Bob"]);
  });
});

function paying(options: ReactOptions = {}, policy?: ToolPolicy) {
  const made = bankAndLook(policy);
  const models = scriptedModel(turns);
  const saver = new MemorySaver();
  const { tools, toolPolicies } = made;
  const graph = createReactGraph({ models, tools, toolPolicies, checkpointer: saver, ...options });
  return { ...made, graph };
}

describe("a decision without an id", () => {
  it("is taken by position, and is bound to nothing", async () => {
    const { graph, paid } = paying();
    await graph.invoke(question, thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    expect(paid).toEqual(["Ann", "Bob"]);
  });

  it("is refused where ids are required, and the question stays", async () => {
    const { graph, paid } = paying({ requireDecisionIds: true });
    const paused = await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume: approve() }), thread);
    expect(asked(again).error).toContain("has no id");
    expect(idOf(again)).toBe(idOf(paused));
    expect(paid).toEqual([]);
    await graph.invoke(new Command({ resume: approve(idOf(again)) }), thread);
    expect(paid).toEqual(["Ann"]);
  });

  it.each([
    { by: "interrupt", how: (paused: unknown) => ({ [interruptOf(paused)]: approve() }) },
    { by: "checkpoint", how: () => approve() },
  ])("is taken where ids are required and its $by binds it", async ({ by, how }) => {
    const { graph, paid } = paying({ requireDecisionIds: true });
    const paused = await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    const resume = how(paused);
    await graph.invoke(new Command({ resume }), by === "checkpoint" ? config : thread);
    expect(paid).toEqual(["Ann"]);
  });
});

describe("a decision for a checkpoint", () => {
  const seen = [{ toolCalls: [{ name: "look", args: {} }, pays("Ann")] }, "Done."];

  it("repeats no finished call where the checkpoint is the last", async () => {
    const { graph, paid, looks } = paying({ models: scriptedModel(seen) });
    await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    await graph.invoke(new Command({ resume: approve() }), config);
    expect({ paid, looks }).toEqual({ paid: ["Ann"], looks: ["look"] });
  });

  it.each([
    { name: "react", create: payers.react },
    { name: "a sub-run", create: payers["a sub-run of react"] },
    { name: "rewoo", create: payers.rewoo },
    { name: "llm-compiler", create: payers["llm-compiler"] },
    { name: "plan-execute", create: payers["plan-execute"] },
    { name: "a router", create: payers.router },
  ])("is refused where the call was made since: $name", async ({ create }) => {
    const { paid, ...given } = bank();
    const saver = new MemorySaver();
    const graph = create({ ...given, to, checkpointer: saver });
    await graph.invoke(question, thread);
    const config = { configurable: { ...thread.configurable, checkpoint_id: await headOf(saver) } };
    await graph.invoke(new Command({ resume: approve() }), thread);
    expect(paid).toEqual(["Ann"]);
    for (const type of ["reject", "approve"]) {
      const resume = new Command({ resume: { decisions: [{ type }] } });
      await expect(graph.invoke(resume, config)).rejects.toMatchObject({
        code: "already_answered",
      });
    }
    expect(paid).toEqual(["Ann"]);
  });

  it.each([
    { name: "react", create: payers.react },
    { name: "rewoo", create: payers.rewoo },
    { name: "llm-compiler", create: payers["llm-compiler"] },
  ])("does what is said now where the call was not made: $name", async ({ create }) => {
    const { paid, ...given } = bank();
    const saver = new MemorySaver();
    const graph = create({ ...given, to, checkpointer: saver });
    await graph.invoke(question, thread);
    const config = { configurable: { ...thread.configurable, checkpoint_id: await headOf(saver) } };
    await graph.invoke(new Command({ resume: reject }), thread);
    expect(paid).toEqual([]);
    await graph.invoke(new Command({ resume: approve() }), config);
    expect(paid).toEqual(["Ann"]);
  });

  it("does what is said now of a call that only reads, however often", async () => {
    const { graph, paid } = paying({}, { needsApproval: true, effect: "read" });
    await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    const { observations } = await graph.invoke(new Command({ resume: reject }), config);
    expect(paid).toEqual(["Ann"]);
    expect(observations[0]?.error?.kind).toBe("denied");
    await graph.invoke(new Command({ resume: approve() }), config);
    expect(paid).toEqual(["Ann", "Ann"]);
  });

  it.each([
    { name: "asked anew", asks: true, resume: approve(), code: "already_answered" },
    { name: "resumed at once", asks: false, resume: approve(), code: "nothing_to_resume" },
    {
      name: "resumed at once with a list",
      asks: false,
      resume: approve().decisions,
      code: "already_answered",
    },
  ])("is refused on a fork of the thread that is $name", async ({ asks, resume, code }) => {
    const { graph, paid } = paying();
    await graph.invoke(question, thread);
    const { config } = await graph.getState(thread);
    await graph.invoke(new Command({ resume: approve() }), thread);
    await graph.updateState(config, { messages: [] });
    if (asks) await graph.invoke(null, thread);
    const again = graph.invoke(new Command({ resume }), thread);
    await expect(again).rejects.toMatchObject({ code });
    expect(paid).toEqual(["Ann"]);
  });

  it("is taken from an SQLite file too", async () => {
    const { paid, ...given } = bank();
    const saver = SqliteSaver.fromConnString(":memory:");
    const graph = payers.react({ ...given, to, checkpointer: saver });
    await graph.invoke(question, thread);
    const config = { configurable: { ...thread.configurable, checkpoint_id: await headOf(saver) } };
    await graph.invoke(new Command({ resume: reject }), thread);
    await graph.invoke(new Command({ resume: approve() }), config);
    expect(paid).toEqual(["Ann"]);
  });
});

async function headOf(saver: BaseCheckpointSaver): Promise<string | undefined> {
  const place = { configurable: { ...thread.configurable, checkpoint_ns: "" } };
  return (await saver.getTuple(place))?.checkpoint.id;
}
