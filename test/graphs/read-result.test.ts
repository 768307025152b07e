import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createReactGraph } from "../../src/index.js";
import { type ModelAnswer, scriptedModel } from "../../src/testing/index.js";
import { page, textOf } from "../support/long-pages.js";

const ask = { messages: [new HumanMessage("Copy the page.")] };

const reads = (args: object, id: string): ModelAnswer => ({
  toolCalls: [{ name: "read_result", args: { ...args }, id }],
});
const pages = (id: string): ModelAnswer => ({ toolCalls: [{ name: "page", args: {}, id }] });
const offered = (models: ReturnType<typeof scriptedModel>) =>
  models.calls.map(({ tools }) => tools.map((each) => each.function.name));

describe("what a model gets cut", () => {
  const text = textOf(40_000);
  it("can be read on, which is offered once something was cut", async () => {
    using models = scriptedModel([
      pages("c1"),
      reads({ id: "c1", from: 11_000 }, "c2"),
      reads({ id: "c1", find: "0004999" }, "c3"),
      "It ends with 0004999.",
    ]);
    const { observations, answer } = await createReactGraph({ models, tools: [page(text)] }).invoke(
      ask,
    );
    expect(offered(models)).toEqual([
      ["page"],
      ["page", "read_result"],
      ["page", "read_result"],
      ["page", "read_result"],
    ]);
    const [cut, part, found] = observations;
    expect(cut?.content).toContain('call read_result with {"id":"c1","from":');
    expect(cut?.content.length).toBeLessThanOrEqual(16_000);
    expect(part?.content).toContain(
      `of 40000 of page (c1). The next part: {"id":"c1","from":27000}.`,
    );
    expect(part?.content).toContain(text.slice(11_000, 27_000));
    expect(found?.content).toContain(
      '"0004999" occurs 1 times in the 40000 characters of page (c1).',
    );
    expect(answer).toBe("It ends with 0004999.");
  });

  it("says where to read on without a gap", async () => {
    using models = scriptedModel([pages("c1"), "Done."]);
    const { observations } = await createReactGraph({ models, tools: [page(text)] }).invoke(ask);
    const { content = "" } = observations[0] ?? {};
    const from = Number(/"from":(\d+)/.exec(content)?.[1]);
    expect(content.startsWith(`${text.slice(0, from)}\n… [`)).toBe(true);
  });

  it("is not offered where nothing was cut", async () => {
    using models = scriptedModel([pages("c1"), "Done."]);
    await createReactGraph({ models, tools: [page("short")] }).invoke(ask);
    expect(offered(models)).toEqual([["page"], ["page"]]);
  });

  it("stays data from outside when it is read on", async () => {
    using models = scriptedModel([pages("c1"), reads({ id: "c1", from: 20_000 }, "c2"), "Done."]);
    const tools = [page(text, { trust: "untrusted" })];
    const { observations } = await createReactGraph({ models, tools }).invoke(ask);
    expect(observations[1]?.content).toMatch(/^<untrusted source="read_result" mark="\w+">\n/);
    expect(observations[1]?.content).toContain(text.slice(20_000, 36_000));
  });

  it("is read in parts no longer than the tool's own results", async () => {
    using models = scriptedModel([pages("c1"), reads({ id: "c1" }, "c2"), "Done."]);
    const tools = [page(text, { maxResultChars: 500 })];
    const { observations } = await createReactGraph({ models, tools }).invoke(ask);
    const [, part = ""] = observations[1]?.content.split("\n") ?? [];
    expect(part).toBe(text.slice(0, 500));
  });

  it("is read to its end without counting as a repetition", async () => {
    const parts = [0, 16_000, 32_000, 11_000, 20_000, 5_000, 1, 2, 3];
    using models = scriptedModel([
      pages("c1"),
      ...parts.map((from, at) => reads({ id: "c1", from }, `r${at}`)),
      "Done.",
    ]);
    const { outcome, observations } = await createReactGraph({
      models,
      tools: [page(text)],
    }).invoke(ask);
    expect(outcome).toEqual({ status: "answered" });
    expect(observations.every(({ ok, attempts }) => ok && attempts === 1)).toBe(true);
  });

  it("can be read on in a process that goes on from a checkpoint", async () => {
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: "1" } };
    const tools = [page(text)];
    using first = scriptedModel([pages("c1")]);
    await createReactGraph({ models: first, tools, checkpointer }).invoke(ask, {
      ...thread,
      interruptAfter: ["tools"],
    });
    using models = scriptedModel([reads({ id: "c1", from: 16_000 }, "c2"), "Done."]);
    const graph = createReactGraph({ models, tools, checkpointer });
    const { observations } = await graph.invoke(null, thread);
    expect(observations[1]?.content).toContain(text.slice(16_000, 32_000));
  });

  it("is not kept for the next question, which is said", async () => {
    const checkpointer = new MemorySaver();
    const thread = { configurable: { thread_id: "1" } };
    using models = scriptedModel([pages("c1"), "One.", reads({ id: "c1" }, "c2"), "Two."]);
    const graph = createReactGraph({ models, tools: [page(text)], checkpointer });
    await graph.invoke(ask, thread);
    const { observations } = await graph.invoke(ask, thread);
    expect(observations[0]).toMatchObject({ ok: false, error: { kind: "rejected" } });
    expect(observations[0]?.content).toContain("Results of earlier questions are not kept");
  });

  it("is left to a tool of the user's own with that name", async () => {
    const own = tool(({ id }) => `own ${id}`, {
      name: "read_result",
      description: "Own.",
      schema: z.object({ id: z.string() }),
    });
    using models = scriptedModel([pages("c1"), reads({ id: "c1" }, "c2"), "Done."]);
    const { observations } = await createReactGraph({ models, tools: [page(text), own] }).invoke(
      ask,
    );
    expect(offered(models)).toEqual(Array.from({ length: 3 }, () => ["page", "read_result"]));
    expect(observations[0]?.content).not.toContain("read_result");
    expect(observations[1]?.content).toBe("own c1");
  });

  it.each<{ name: string; result: unknown; args: object; says: string }>([
    { name: "an id that is none", result: text, args: { id: "x" }, says: 'no result "x"' },
    {
      name: "a place behind its end",
      result: text,
      args: { id: "c1", from: 40_000 },
      says: "ends at character 40000",
    },
    {
      name: "one too large to keep",
      result: textOf(1_000_001),
      args: { id: "c1" },
      says: "more than the 1000000 that are kept",
    },
  ])("says why $name cannot be read", async ({ result, args, says }) => {
    using models = scriptedModel([pages("c1"), reads(args, "c2"), "Done."]);
    const { observations } = await createReactGraph({ models, tools: [page(result)] }).invoke(ask);
    expect(observations[1]).toMatchObject({ ok: false });
    expect(observations[1]?.content).toContain(says);
  });
});
