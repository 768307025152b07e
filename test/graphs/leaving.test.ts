import { getEventListeners, once } from "node:events";

import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { fault, scriptedModel } from "../../src/testing/index.js";
import { countingTools } from "../support/counting-tools.js";
import { openResources } from "../support/open-resources.js";
import { someOf } from "../support/rows.js";
import { type Scene, type SceneGraph, scenes } from "../support/scenes.js";
import { client, serve } from "../testing/client.js";

const ask = { messages: [{ role: "user" as const, content: "What does tea cost?" }] };
const thread = { configurable: { thread_id: "1" } };

/** The tools of a scene; `stock` neither ends nor listens the first time. */
function deafTools() {
  const { runs, tools } = countingTools("price");
  const signals: AbortSignal[] = [];
  const stock = tool(
    async ({ item }, { signal }) => {
      runs.push(`stock ${item}`);
      if (signal === undefined) throw new Error("no signal");
      signals.push(signal);
      return signals.length > 1 ? `stock of ${item}` : await new Promise<string>(() => {});
    },
    { name: "stock", description: "Hangs, once.", schema: z.object({ item: z.string() }) },
  );
  /** Waits until the tool runs. */
  const hanging = async () => {
    await expect.poll(() => signals).toHaveLength(1);
  };
  return { runs, signals, hanging, tools: [...tools, stock] };
}

type Leave = (graph: SceneGraph, hanging: () => Promise<void>) => Promise<unknown>;

/** Ways of calling a run off while a tool runs. */
const ways: readonly { readonly name: string; readonly leave: Leave }[] = [
  {
    name: "by the signal of a stream",
    leave: async (graph, hanging) => {
      const abort = new AbortController();
      const config = { ...thread, signal: abort.signal, streamMode: "values" } as const;
      const ended = readAll(await graph.stream(ask, config)).catch(String);
      await hanging();
      abort.abort();
      expect(await ended).toMatch(/abort/i);
    },
  },
  {
    name: "by leaving the loop over a stream",
    leave: async (graph, hanging) => {
      for await (const _ of await graph.stream(ask, { ...thread, streamMode: "custom" })) {
        await hanging();
        break;
      }
    },
  },
  {
    name: "by cancelling a stream that is read",
    leave: async (graph, hanging) => {
      const stream = await graph.stream(ask, { ...thread, streamMode: "custom" });
      const ended = readAll(stream).catch(String);
      await hanging();
      await stream.cancel(new Error("enough"));
      expect(await ended).toMatch(/abort|enough/i);
    },
  },
  {
    name: "by cancelling what a stream is piped through",
    leave: async (graph, hanging) => {
      const stream = await graph.stream(ask, { ...thread, streamMode: "custom" });
      const reader = stream.pipeThrough(new TransformStream()).getReader();
      await reader.read();
      await hanging();
      await reader.cancel();
    },
  },
  {
    name: "by leaving the loop over streamEvents",
    leave: async (graph, hanging) => {
      for await (const { event } of graph.streamEvents(ask, { ...thread, version: "v2" })) {
        if (event !== "on_chain_start") continue;
        await hanging();
        break;
      }
    },
  },
  {
    name: "by aborting what version 3 of streamEvents gives",
    leave: async (graph, hanging) => {
      const run = await graph.streamEvents(ask, { ...thread, version: "v3" });
      await hanging();
      run.abort(new Error("enough"));
      expect(await readAll(run).catch(String)).toMatch(/enough/);
    },
  },
  {
    name: "by leaving the text that version 3 of streamEvents gives",
    leave: async (graph, hanging) => {
      const config = { ...thread, version: "v3", encoding: "text/event-stream" } as const;
      for await (const _ of await graph.streamEvents(ask, config)) {
        await hanging();
        break;
      }
    },
  },
];

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const chunk of stream) expect(chunk).toBeDefined();
}

/** A saver with which a run is called off as its checkpoint of that number is kept. */
class AbortingSaver extends MemorySaver {
  kept = 0;
  readonly abort = new AbortController();
  readonly #at: number;

  constructor(at: number) {
    super();
    this.#at = at;
  }

  override async put(...given: Parameters<MemorySaver["put"]>) {
    this.kept += 1;
    const config = await super.put(...given);
    if (this.kept === this.#at) this.abort.abort();
    return config;
  }
}

describe.each(scenes)("$name", (scene: Scene) => {
  const { create, replies, answer } = scene;

  it.each(someOf(ways, 3, scenes.indexOf(scene)))(
    "is called off $name while a tool that does not listen runs",
    async ({ leave }) => {
      const before = openResources();
      using models = scriptedModel(replies);
      const { runs, signals, hanging, tools } = deafTools();
      const graph = create({ models, tools, checkpointer: new MemorySaver() });
      await leave(graph, hanging);
      // Who reads at the end of a pipe leaves without waiting.
      await expect.poll(() => signals[0]?.aborted).toBe(true);
      await expect.poll(() => openResources().length).toBeLessThanOrEqual(before.length);
      const done = await graph.invoke(null, thread);
      expect([done.answer, runs]).toEqual([answer, ["price tea", "stock tea", "stock tea"]]);
    },
  );

  it("is called off after any of its supersteps, and makes none of them again", async () => {
    const whole = new AbortingSaver(0);
    const { tools: both } = countingTools("price", "stock");
    const first = create({ models: scriptedModel(replies), tools: both, checkpointer: whole });
    const { usage } = await first.invoke(ask, thread);
    expect(whole.kept).toBeGreaterThan(4);
    for (let at = 1; at <= whole.kept; at += 1) {
      using models = scriptedModel(replies);
      const { tools, runs } = countingTools("price", "stock");
      const checkpointer = new AbortingSaver(at);
      const graph = create({ models, tools, checkpointer });
      const { signal } = checkpointer.abort;
      await expect(graph.invoke(ask, { ...thread, signal })).rejects.toThrow(/abort/i);
      expect(await graph.invoke(null, thread)).toMatchObject({ answer, usage });
      expect(runs).toEqual(scene.runs);
    }
  });

  it("does nothing where it is called off before it starts, and can then be asked", async () => {
    using models = scriptedModel(replies);
    const { tools, runs } = countingTools("price", "stock");
    const graph = create({ models, tools, checkpointer: new MemorySaver() });
    const run = graph.invoke(ask, { ...thread, signal: AbortSignal.abort() });
    await expect(run).rejects.toThrow(/abort/i);
    expect([models.calls, runs]).toEqual([[], []]);
    expect((await graph.invoke(ask, thread)).answer).toBe(answer);
  });

  it("leaves a request that takes longer than its time, and ends at the limit", async () => {
    const server = await serve({ replies: [fault.stall({ headers: false })] });
    const graph = create({
      models: client(server),
      tools: [],
      limits: { seconds: 0.5 },
      earlyStopping: "force",
    });
    const { outcome } = await graph.invoke(ask);
    expect(outcome).toMatchObject({ status: "limit", limit: "seconds" });
    await expect.poll(() => server.requests[0]?.answer).toBe("abandoned");
  });
});

describe("a signal that many runs have in common", () => {
  it("is let go by every run as it ends, however it does", async () => {
    const { signal } = new AbortController();
    const graph = createReactGraph({ models: scriptedModel(() => "Yes.") });
    await graph.invoke(ask, { signal });
    await readAll(await graph.stream(ask, { signal, streamMode: "values" }));
    await readAll(graph.streamEvents(ask, { signal, version: "v2" }));
    await readAll(await graph.streamEvents(ask, { signal, version: "v3" }));
    await expect(graph.invoke({ messages: [] }, { signal })).rejects.toThrow(/question/);
    const context = { timeZone: "nowhere" };
    await expect(graph.invoke(ask, { signal, context })).rejects.toThrow(/timeZone/);
    const unread = await graph.stream(ask, { signal, streamMode: "values" });
    expect(unread.locked).toBe(false);
    await expect.poll(() => getEventListeners(signal, "abort")).toEqual([]);
  });

  it("reaches all of them at once, without a warning", async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on("warning", hear);
    const abort = new AbortController();
    const { signal } = abort;
    const waiting: AbortSignal[] = [];
    const graph = createReactGraph({
      models: scriptedModel(async (_, options) => {
        if (options.signal !== undefined) waiting.push(options.signal);
        if (options.signal !== undefined) await once(options.signal, "abort");
        return "Too late.";
      }),
    });
    const runs = Array.from({ length: 30 }, () => graph.invoke(ask, { signal }).catch(String));
    await expect.poll(() => waiting).toHaveLength(30);
    abort.abort();
    for (const ended of await Promise.all(runs)) expect(ended).toMatch(/abort/i);
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });
});
