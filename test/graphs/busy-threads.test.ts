import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

import { tool } from "@langchain/core/tools";
import { Command, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { asTool, ConversationState, createReactGraph, withPolicy } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";

const ask = { messages: [{ role: "user" as const, content: "Pay it." }] };
const thread = { configurable: { thread_id: "1" } };
const busy = { code: "thread_busy", message: expect.stringMatching(/thread "1"/) };
const approve = { resume: { decisions: [{ type: "approve" }] } };
const call = { toolCalls: [{ name: "pay", args: {} }] };

type Gate = { readonly paid: string[]; open: () => void };

/** A graph whose tool waits until the gate opens; its model answers any number of runs. */
function gated(options: { approval?: boolean; checkpointer?: MemorySaver } = {}) {
  const { approval = false, checkpointer = new MemorySaver() } = options;
  const events = new EventEmitter();
  const opened = once(events, "open");
  const gate: Gate = { paid: [], open: () => void events.emit("open") };
  const pay = tool(
    async () => {
      gate.paid.push("paid");
      await opened;
      return "paid";
    },
    { name: "pay", description: "Pays.", schema: z.object({}) },
  );
  const replies = [call, "Done.", call, "Done.", call, "Done."];
  const models = scriptedModel(replies);
  const tools = [withPolicy(pay, { effect: "write", needsApproval: approval })];
  const graph = createReactGraph({ models, tools, checkpointer });
  const atWork = async () => {
    await expect.poll(() => gate.paid.length).toBeGreaterThan(0);
  };
  return { graph, gate, models, atWork, checkpointer };
}

type Gated = ReturnType<typeof gated>;

async function readAll(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const entries: { name: string; second: (graph: Gated["graph"]) => Promise<unknown> }[] = [
  { name: "invoke", second: (graph) => graph.invoke(ask, thread) },
  { name: "stream", second: (graph) => graph.stream(ask, thread) },
  { name: "a resume", second: (graph) => graph.invoke(new Command({ resume: {} }), thread) },
  { name: "going on", second: (graph) => graph.invoke(null, thread) },
  {
    name: "the thread's number",
    second: (graph) => graph.invoke(ask, { configurable: { thread_id: 1 } }),
  },
  {
    name: "a graph with its thread in it",
    second: (graph) => graph.withConfig(thread).invoke(ask),
  },
  {
    name: "streamEvents v1",
    second: (graph) => readAll(graph.streamEvents(ask, { ...thread, version: "v1" })),
  },
  {
    name: "streamEvents v2",
    second: (graph) => readAll(graph.streamEvents(ask, { ...thread, version: "v2" })),
  },
  {
    name: "streamEvents v3",
    second: async (graph) => (await graph.streamEvents(ask, { ...thread, version: "v3" })).output,
  },
  { name: "batch", second: (graph) => graph.batch([ask], thread) },
];

describe("a second run on a thread that is at work", () => {
  it.each(entries)("is refused before any model call: $name", async ({ second }) => {
    const { graph, gate, models, atWork } = gated();
    const first = graph.invoke(ask, thread);
    await atWork();

    await expect(second(graph)).rejects.toMatchObject(busy);
    expect(models.calls).toHaveLength(1);
    gate.open();
    expect((await first).answer).toBe("Done.");
    expect(gate.paid).toEqual(["paid"]);
  });

  it("is refused to another graph with the same checkpointer, and to one that a server gave it", async () => {
    const { graph, gate, atWork, checkpointer } = gated();
    const first = graph.invoke(ask, thread);
    await atWork();
    const models = scriptedModel(["Never asked."]);
    const served = Object.assign(createReactGraph({ models }), { checkpointer });
    const configured = {
      configurable: { ...thread.configurable, __pregel_checkpointer: checkpointer },
    };

    await expect(
      createReactGraph({ models, checkpointer }).invoke(ask, thread),
    ).rejects.toMatchObject(busy);
    await expect(served.invoke(ask, thread)).rejects.toMatchObject(busy);
    await expect(createReactGraph({ models }).invoke(ask, configured)).rejects.toMatchObject(busy);
    expect(models.calls).toHaveLength(0);
    gate.open();
    await first;
  });

  it("leaves the records of an earlier checkpoint alone that it is to resume", async () => {
    const { graph, gate, atWork, checkpointer } = gated({ approval: true });
    await graph.invoke(ask, thread);
    const { config: paused } = await graph.getState(thread);
    const first = graph.invoke(new Command(approve), thread);
    await atWork();
    const before = await checkpointer.getTuple(paused);
    const resume = { decisions: [{ type: "reject" }] };

    await expect(graph.invoke(new Command({ resume }), paused)).rejects.toMatchObject(busy);
    expect(before?.pendingWrites?.some(([, channel]) => channel === "__resume__")).toBe(true);
    expect((await checkpointer.getTuple(paused))?.pendingWrites).toEqual(before?.pendingWrites);
    gate.open();
    expect((await first).answer).toBe("Done.");
  });

  it("makes an approved write once, however often the button is pressed", async () => {
    const { graph, gate, atWork } = gated({ approval: true });
    await graph.invoke(ask, thread);
    const runs = [1, 2, 3].map(() => graph.invoke(new Command(approve), thread));
    const ends = Promise.allSettled(runs);
    await atWork();
    gate.open();

    expect((await ends).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(gate.paid).toEqual(["paid"]);
    await expect(graph.invoke(new Command(approve), thread)).rejects.toMatchObject({
      code: "nothing_to_resume",
    });
  });
});

describe("what is no second run", () => {
  it("goes through: other threads, other checkpointers, no checkpointer, looks at the state", async () => {
    const { graph, gate, atWork } = gated();
    const first = graph.invoke(ask, thread);
    await atWork();
    const models = scriptedModel(["Two.", "Three.", "Four."]);
    const other = createReactGraph({ models, checkpointer: new MemorySaver() });
    const bare = createReactGraph({ models });

    expect((await other.invoke(ask, thread)).answer).toBe("Two.");
    expect((await bare.invoke(ask, thread)).answer).toBe("Three.");
    expect((await other.invoke(ask, { configurable: { thread_id: "2" } })).answer).toBe("Four.");
    expect((await graph.getState(thread)).next).toEqual(["tools"]);
    expect((await readAll(graph.getStateHistory(thread))).length).toBeGreaterThan(1);
    await graph.updateState(thread, { messages: [] }, "agent");
    gate.open();
    await first;
  });

  it("is a graph inside a run on the same thread: as a tool, in a host's node, several at once", async () => {
    const checkpointer = new MemorySaver();
    const inner = createReactGraph({ models: scriptedModel(["In.", "In.", "In.", "In."]) });
    const expert = asTool(inner, { name: "expert", description: "Knows." });
    const asked = { name: "expert", args: { question: "?" } };
    const models = scriptedModel([{ toolCalls: [asked, asked] }, "Out."]);
    const outer = createReactGraph({ models, tools: [expert], checkpointer });
    const host = new StateGraph(ConversationState)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .compile({ checkpointer });

    expect((await outer.invoke(ask, thread)).answer).toBe("Out.");
    expect((await host.invoke(ask, { configurable: { thread_id: "2" } })).answer).toBe("In.");
  });
});

const leaves: { name: string; leave: (gated: Gated) => Promise<unknown> }[] = [
  {
    name: "ended",
    leave: ({ graph, gate }) => {
      gate.open();
      return graph.invoke(ask, thread);
    },
  },
  {
    name: "failed in its checkpointer",
    leave: async ({ graph, checkpointer }) => {
      const put = checkpointer.put.bind(checkpointer);
      checkpointer.put = async () => {
        throw new Error("disk full");
      };
      await expect(graph.invoke(ask, thread)).rejects.toThrow("disk full");
      checkpointer.put = put;
    },
  },
  {
    name: "was given a context that does not fit",
    leave: async ({ graph }) => {
      const run = graph.invoke(ask, { ...thread, context: { limits: { seconds: -1 } } });
      await expect(run).rejects.toMatchObject({ code: "invalid_context" });
    },
  },
  {
    name: "was aborted",
    leave: async ({ graph, atWork }) => {
      const abort = new AbortController();
      const run = graph.invoke(ask, { ...thread, signal: abort.signal });
      const ended = run.catch(String);
      await atWork();
      abort.abort();
      expect(await ended).toMatch(/abort/i);
    },
  },
  {
    name: "was left by its reader in the loop",
    leave: async ({ graph, atWork }) => {
      for await (const _ of await graph.stream(ask, { ...thread, streamMode: "custom" })) {
        await atWork();
        break;
      }
    },
  },
  {
    name: "was left in the loop over streamEvents",
    leave: async ({ graph, atWork }) => {
      for await (const _ of graph.streamEvents(ask, { ...thread, version: "v2" })) {
        await atWork();
        break;
      }
    },
  },
  {
    name: "had its stream cancelled",
    leave: async ({ graph, atWork }) => {
      const stream = await graph.stream(ask, thread);
      await atWork();
      await stream.cancel();
    },
  },
  {
    name: "had its version 3 aborted",
    leave: async ({ graph, atWork }) => {
      const run = await graph.streamEvents(ask, { ...thread, version: "v3" });
      await atWork();
      run.abort(new Error("enough"));
      await readAll(run).catch(String);
    },
  },
];

describe("a thread is free again when its run", () => {
  it.each(leaves)("$name", async ({ leave }) => {
    const state = gated();
    await leave(state);
    state.gate.open();
    const { outcome } = await state.graph.invoke(ask, thread);

    expect(outcome?.status).toBe("answered");
  });

  it("was never read: it goes on by itself, and its thread is busy until it ends", async () => {
    for (const start of [
      (graph: Gated["graph"]) => graph.stream(ask, thread),
      async (graph: Gated["graph"]) => graph.streamEvents(ask, { ...thread, version: "v2" }),
      (graph: Gated["graph"]) => graph.streamEvents(ask, { ...thread, version: "v3" }),
    ]) {
      const { graph, gate, atWork } = gated();
      await start(graph);
      await atWork();
      await expect(graph.invoke(ask, thread)).rejects.toMatchObject(busy);
      gate.open();
      await expect
        .poll(async () => (await graph.getState(thread)).values.outcome)
        .toEqual({ status: "answered" });
      await wait(20);

      expect((await graph.invoke(ask, thread)).answer).toBe("Done.");
    }
  });

  it("paused", async () => {
    const { graph, gate } = gated({ approval: true });
    gate.open();
    await graph.invoke(ask, thread);

    expect((await graph.invoke(new Command(approve), thread)).answer).toBe("Done.");
  });
});

it("a run that was called off is waited for, and only one of those who wait begins", async () => {
  const { graph, gate, atWork, models } = gated();
  const abort = new AbortController();
  const first = graph.invoke(ask, { ...thread, signal: abort.signal }).catch(String);
  await atWork();
  gate.open();
  abort.abort();
  const next = [1, 2].map(() => graph.invoke(ask, thread));
  const ends = await Promise.allSettled(next);

  expect(await first).toMatch(/abort/i);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(ends[1]).toMatchObject({ reason: busy });
  expect(models.calls.length).toBeLessThanOrEqual(4);
});
