import { EventEmitter, once } from "node:events";

import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { createReactGraph, createReloadingGraph, type ReloadingOptions } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { reloadingShop } from "../support/reloading-shop.js";

const warnings: string[] = [];
vi.spyOn(process, "emitWarning").mockImplementation((text) => {
  warnings.push(String(text));
});

const pay = { messages: [{ role: "user" as const, content: "Pay it." }] };
const approve = new Command({ resume: { decisions: [{ type: "approve" as const }] } });
const onThread = (id: string) => ({ configurable: { thread_id: id } });

type Release = NonNullable<ReloadingOptions["release"]>;

const shop = (release: Release) => reloadingShop({ checkpointer: new MemorySaver(), release });

describe("an earlier version", () => {
  it("is released when a newer one comes, and again after each run that goes on with it", async () => {
    const released: object[] = [];
    const { graph, state, made } = shop((each) => void released.push(each));
    await graph.invoke(pay, onThread("old"));
    await graph.invoke(pay, onThread("other"));
    expect(released).toEqual([]);
    state.shop = { bank: "second" };
    await graph.invoke(pay, onThread("new"));
    await vi.waitFor(() => expect(released).toHaveLength(1));

    expect((await graph.invoke(approve, onThread("old"))).answer).toBe("Paid by first.");
    await vi.waitFor(() => expect(released).toHaveLength(2));
    expect((await graph.invoke(approve, onThread("new"))).answer).toBe("Paid by second.");
    expect(released).toHaveLength(2);
    expect(released[1]).toBe(released[0]);
    expect(made).toEqual(["first", "second"]);
  });

  it("is not released while a run is at work with it", async () => {
    const released: object[] = [];
    const bell = new EventEmitter();
    const wait = tool(async () => String(await once(bell, "ring")), {
      name: "wait",
      description: "Waits.",
      schema: z.object({}),
    });
    let version = 1;
    const graph = createReloadingGraph({
      read: () => version,
      create: (now) =>
        createReactGraph({
          models: scriptedModel(
            now === 1 ? [{ toolCalls: [{ name: "wait", args: {} }] }, "1"] : ["2"],
          ),
          tools: [wait],
        }),
      release: (each) => void released.push(each),
    });
    const working = graph.invoke(pay);
    await vi.waitFor(() => expect(bell.listenerCount("ring")).toBe(1));
    version = 2;
    expect((await graph.invoke(pay)).answer).toBe("2");
    expect(released).toEqual([]);
    bell.emit("ring");
    expect((await working).answer).toBe("1");
    await vi.waitFor(() => expect(released).toHaveLength(1));
  });

  it("that cannot be released is told, and the run ends as it would", async () => {
    const { graph, state } = shop(() => Promise.reject(new Error("it is stuck")));
    await graph.invoke(pay, onThread("old"));
    state.shop = { bank: "second" };
    expect((await graph.invoke(pay, onThread("new"))).outcome).toBeUndefined();
    await vi.waitFor(() => expect(warnings).toEqual([expect.stringContaining("it is stuck")]));
  });
});
