import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { afterEach, describe, expect, it, vi } from "vitest";

import { type AgentEvent, asTool, createReactGraph, createRouterGraph } from "../../src/index.js";
import { openStore, type SqliteStore } from "../../src/sqlite/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { reloadingShop } from "../support/reloading-shop.js";

const pay = { messages: [{ role: "user" as const, content: "Pay it." }] };
const approve = new Command({ resume: { decisions: [{ type: "approve" as const }] } });
const onThread = (id: string) => ({ configurable: { thread_id: id } });

const warnings: string[] = [];
const spy = vi.spyOn(process, "emitWarning").mockImplementation((text) => {
  warnings.push(String(text));
});

const stores: SqliteStore[] = [];

afterEach(() => {
  warnings.length = 0;
  spy.mockClear();
  for (const store of stores.splice(0)) store.close();
});

/** A file that outlives the program. */
async function onDisk() {
  const folder = mkdtempSync(join(tmpdir(), "versions-"));
  return async () => {
    const store = await openStore(join(folder, "store.db"));
    stores.push(store);
    return { checkpointer: SqliteSaver.fromConnString(join(folder, "runs.db")), store };
  };
}

describe("a new run", () => {
  it("has the newest definitions, made once", async () => {
    const { graph, state, paid, made } = reloadingShop({ checkpointer: new MemorySaver() });
    for (const [at, bank] of ["first", "second", "second", "first"].entries()) {
      state.shop = { bank };
      await graph.invoke(pay, onThread(String(at)));
      const { answer, version } = await graph.invoke(approve, onThread(String(at)));
      expect(answer).toBe(`Paid by ${bank}.`);
      expect(version).toMatch(/^[0-9a-f]{16}$/);
    }
    expect(paid).toEqual(["first", "second", "second", "first"]);
    expect(made).toEqual(["first", "second"]);
  });

  it("has them on a thread with an earlier run, too", async () => {
    const { graph, state, paid } = reloadingShop({ checkpointer: new MemorySaver() });
    await graph.invoke(pay, onThread("1"));
    await graph.invoke(approve, onThread("1"));
    state.shop = { bank: "second" };
    await graph.invoke(pay, onThread("1"));
    expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by second.");
    expect(paid).toEqual(["first", "second"]);
  });

  it("has them in place of a run that it gives up", async () => {
    const { graph, state, paid } = reloadingShop({ checkpointer: new MemorySaver() });
    await graph.invoke(pay, onThread("1"));
    state.shop = { bank: "second" };
    await graph.invoke(pay, onThread("1"));
    expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by second.");
    expect(paid).toEqual(["second"]);
  });
});

describe("a run that has begun keeps its definitions", () => {
  it("while it waits for a person", async () => {
    const { graph, state, paid } = reloadingShop({ checkpointer: new MemorySaver() });
    const { version } = await graph.invoke(pay, onThread("1"));
    state.shop = { bank: "second" };
    const result = await graph.invoke(approve, onThread("1"));
    expect(result).toMatchObject({ answer: "Paid by first.", version });
    expect(paid).toEqual(["first"]);
  });

  it("while it waits, if the new ones are broken, or the old ones cannot be read any more", async () => {
    for (const shop of [{ bank: "broken" }, new Error("file is gone")]) {
      const { graph, state, paid } = reloadingShop({ checkpointer: new MemorySaver() });
      await graph.invoke(pay, onThread("1"));
      state.shop = shop;
      expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
      expect(paid).toEqual(["first"]);
    }
  });

  it("while it waits without a checkpointer", async () => {
    const { graph, state, paid } = reloadingShop();
    const waiting = await graph.invoke(pay);
    expect(waiting.outcome?.status).toBe("needs_input");
    state.shop = { bank: "second" };
    const result = await graph.invoke({ ...waiting, decisions: [{ type: "approve" }] });
    expect(result.answer).toBe("Paid by first.");
    expect(paid).toEqual(["first"]);
  });

  it("while it is at work", async () => {
    const { graph, state } = reloadingShop({
      checkpointer: new MemorySaver(),
      during: () => {
        state.shop = { bank: "second" };
      },
    });
    await graph.invoke(pay, onThread("1"));
    expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });

  it("when it was stopped and continues", async () => {
    const { graph, state, paid } = reloadingShop({ checkpointer: new MemorySaver() });
    for await (const update of await graph.stream(pay, {
      ...onThread("1"),
      streamMode: "updates",
    })) {
      if ("loader" in update) break;
    }
    state.shop = { bank: "second" };
    expect((await graph.getState(onThread("1"))).next).not.toEqual([]);
    await graph.invoke(null, onThread("1"));
    expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
    expect(paid).toEqual(["first"]);
  });

  it("in another process, from the store", async () => {
    const files = await onDisk();
    const before = reloadingShop(await files());
    const { version } = await before.graph.invoke(pay, onThread("1"));
    const after = reloadingShop(await files(), { bank: "second" });
    const result = await after.graph.invoke(approve, onThread("1"));
    expect(result).toMatchObject({ answer: "Paid by first.", version });
    expect(after.paid).toEqual(["first"]);
    await after.graph.invoke(pay, onThread("2"));
    expect((await after.graph.invoke(approve, onThread("2"))).answer).toBe("Paid by second.");
  });

  it("in another process without a store, if they have not changed", async () => {
    const checkpointer = new MemorySaver();
    await reloadingShop({ checkpointer }).graph.invoke(pay, onThread("1"));
    const after = reloadingShop({ checkpointer });
    expect((await after.graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });

  it("or says that they are not kept, and does nothing with others", async () => {
    const checkpointer = new MemorySaver();
    await reloadingShop({ checkpointer }).graph.invoke(pay, onThread("1"));
    for (const shop of [{ bank: "second" }, new Error("file is gone")]) {
      const after = reloadingShop({ checkpointer }, shop);
      await expect(after.graph.invoke(approve, onThread("1"))).rejects.toMatchObject({
        code: "unknown_version",
        message: expect.stringContaining("are not kept any more"),
      });
      expect(after.paid).toEqual([]);
      expect(after.made).toEqual([]);
    }
    // The question stays open: the program that has the definitions can answer it.
    const again = reloadingShop({ checkpointer });
    expect((await again.graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });

  it("not those that somebody else wrote under their name", async () => {
    const checkpointer = new MemorySaver();
    const store = new InMemoryStore();
    const { version } = await reloadingShop({ checkpointer, store }).graph.invoke(
      pay,
      onThread("1"),
    );
    const place = ["plangraph", "versions", "reloading"];
    await store.put(place, String(version), { definitions: { bank: "evil" } });
    const after = reloadingShop({ checkpointer, store }, { bank: "second" });
    await expect(after.graph.invoke(approve, onThread("1"))).rejects.toMatchObject({
      code: "unknown_version",
    });
    expect(after.paid).toEqual([]);
  });

  it.each([
    {
      name: "as a route",
      around: (graph: ReturnType<typeof reloadingShop>["graph"]) =>
        createRouterGraph({
          routes: { bank: { description: "Payments.", graph } },
          checkpointer: new MemorySaver(),
        }),
    },
    {
      name: "as a tool",
      around: (graph: ReturnType<typeof reloadingShop>["graph"]) =>
        createReactGraph({
          models: scriptedModel((messages) => {
            const last = messages.at(-1);
            if (last?.type === "tool") return last.text;
            return { toolCalls: [{ name: "bank", args: { question: "Pay it." } }] };
          }),
          tools: [asTool(graph, { name: "bank", description: "Pays." })],
          checkpointer: new MemorySaver(),
        }),
    },
  ])("inside another graph, $name", async ({ around }) => {
    const { graph, state, paid } = reloadingShop();
    const outer = around(graph);
    await outer.invoke(pay, onThread("1"));
    state.shop = { bank: "second" };
    expect((await outer.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
    expect(paid).toEqual(["first"]);
    await outer.invoke(pay, onThread("2"));
    expect((await outer.invoke(approve, onThread("2"))).answer).toBe("Paid by second.");
  });
});

describe("definitions that cannot be used", () => {
  it.each([
    { name: "make no graph", shop: { bank: "broken" }, problem: "no such bank" },
    { name: "cannot be read", shop: new Error("shop.json:3: no JSON"), problem: "no JSON" },
  ])("that $name leave the last good ones, and say so", async ({ shop, problem }) => {
    const events: AgentEvent[] = [];
    const observers = [{ onEvent: (event: AgentEvent) => void events.push(event) }];
    const { graph, state } = reloadingShop({ checkpointer: new MemorySaver(), observers });
    const { version } = await graph.invoke(pay, onThread("1"));
    state.shop = shop;
    for (const thread of ["2", "3"]) {
      expect((await graph.invoke(pay, onThread(thread))).version).toBe(version);
      expect((await graph.invoke(approve, onThread(thread))).answer).toBe("Paid by first.");
    }
    // Each run says so, the process once.
    const failed = events.filter(({ type }) => type === "reload_failed");
    expect(failed).toHaveLength(2);
    expect(failed[0]).toMatchObject({ version, reason: expect.stringContaining(problem) });
    expect(warnings).toEqual([expect.stringContaining(problem)]);

    state.shop = { bank: "second" };
    await graph.invoke(pay, onThread("4"));
    expect((await graph.invoke(approve, onThread("4"))).answer).toBe("Paid by second.");
    state.shop = shop;
    await graph.invoke(pay, onThread("5"));
    expect((await graph.invoke(approve, onThread("5"))).answer).toBe("Paid by second.");
    expect(warnings).toHaveLength(2);
  });

  it("end a run where there were no good ones yet, and the next one tries again", async () => {
    const { graph, state } = reloadingShop({ checkpointer: new MemorySaver() }, { bank: "broken" });
    await expect(graph.invoke(pay, onThread("1"))).rejects.toThrow("no such bank");
    state.shop = { bank: "first" };
    await graph.invoke(pay, onThread("2"));
    expect((await graph.invoke(approve, onThread("2"))).answer).toBe("Paid by first.");
    // The run that had not begun begins now.
    await graph.invoke(null, onThread("1"));
    expect((await graph.invoke(approve, onThread("1"))).answer).toBe("Paid by first.");
  });

  it("leave those of the program's last start, from the store", async () => {
    const files = await onDisk();
    await reloadingShop(await files()).graph.invoke(pay, onThread("1"));
    const after = reloadingShop(await files(), { bank: "broken" });
    await after.graph.invoke(pay, onThread("2"));
    expect((await after.graph.invoke(approve, onThread("2"))).answer).toBe("Paid by first.");
    expect(warnings).toEqual([expect.stringContaining("no such bank")]);
  });

  it("are used by nobody if the store cannot keep them", async () => {
    const store = new InMemoryStore();
    const { graph, state, paid } = reloadingShop({ checkpointer: new MemorySaver(), store });
    await graph.invoke(pay, onThread("1"));
    vi.spyOn(store, "batch").mockRejectedValue(new Error("disk full"));
    state.shop = { bank: "second" };
    await graph.invoke(pay, onThread("2"));
    await graph.invoke(approve, onThread("2"));
    expect(paid).toEqual(["first"]);
    expect(warnings).toEqual([expect.stringContaining("disk full")]);
  });
});
