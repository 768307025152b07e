import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Command, MemorySaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describe, expect, it } from "vitest";

import { createReactGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";

const question = { messages: [{ role: "user" as const, content: "order tea and milk" }] };
const thread = { configurable: { thread_id: "1" } };
const approvals = { toolPolicies: { order: { needsApproval: true } } };

function ordering(checkpointer?: MemorySaver) {
  const { runs, tools } = countingTools("price", "order");
  const toolCalls = [
    { name: "order", args: { item: "tea" }, id: "tea" },
    { name: "price", args: { item: "tea" }, id: "price" },
    { name: "order", args: { item: "milk" }, id: "milk" },
  ];
  const models = scriptedModel([{ toolCalls }, "Done."]);
  const options = { models, tools, ...approvals };
  const graph = createReactGraph(
    checkpointer === undefined ? options : { ...options, checkpointer },
  );
  return { runs, models, graph, options };
}

describe("approvals", () => {
  it("are asked at once, in call order, in the shape that agent-chat-ui renders", async () => {
    const { graph, runs } = ordering(new MemorySaver());
    const paused = await graph.invoke(question, thread);
    expect(asked(paused)).toMatchObject({
      action_requests: [
        { name: "order", args: { item: "tea" } },
        { name: "order", args: { item: "milk" } },
      ],
      review_configs: [
        { action_name: "order", allowed_decisions: ["approve", "edit", "reject", "respond"] },
        { action_name: "order", allowed_decisions: ["approve", "edit", "reject", "respond"] },
      ],
    });
    expect(paused.outcome).toBeUndefined();
    expect(runs).toEqual([]);
  });

  it("match by position: one edited, one rejected", async () => {
    const { graph, runs, models } = ordering(new MemorySaver());
    await graph.invoke(question, thread);
    const edited = { name: "order", args: { item: "green tea" } };
    const result = await graph.invoke(
      new Command({
        resume: {
          decisions: [
            { type: "edit", editedAction: edited },
            { type: "reject", message: "too dear" },
          ],
        },
      }),
      thread,
    );
    expect(runs).toEqual(["order green tea", "price tea"]);
    expect(result.messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      '(A person changed the arguments to {"item":"green tea"}.)\norder of green tea',
      "price of tea",
      "Error (denied): a person refused this call. They said: too dear",
    ]);
    expect(result.outcome).toEqual({ status: "answered" });
    models.assertExhausted();
  });

  it("validate edited arguments", async () => {
    const { graph, runs } = ordering(new MemorySaver());
    await graph.invoke(question, thread);
    const edit = { type: "edit", edited_action: { name: "order", args: { thing: 3 } } };
    const result = await graph.invoke(
      new Command({ resume: { decisions: [edit, { type: "approve" }] } }),
      thread,
    );
    expect(runs).toEqual(["price tea", "order milk"]);
    expect(result.observations[0]).toMatchObject({
      callId: "tea",
      ok: false,
      error: { kind: "invalid_arguments" },
    });
  });

  it.each([
    {
      name: "too few decisions",
      answer: { decisions: [{ type: "approve" }] },
      error: /expected 2 decisions.*got 1/,
    },
    { name: "no decisions", answer: { yes: true }, error: /expected \{ decisions/ },
    {
      name: "an unknown decision",
      answer: { decisions: [{ type: "maybe" }, { type: "approve" }] },
      error: /decision 1/,
    },
  ])("ask again after $name, with what was wrong, and lose nothing", async ({ answer, error }) => {
    const { graph, runs } = ordering(new MemorySaver());
    await graph.invoke(question, thread);
    const again = await graph.invoke(new Command({ resume: answer }), thread);
    expect(asked(again).error).toMatch(error);
    expect(asked(again).action_requests).toHaveLength(2);
    const decisions = [{ type: "approve" }, { type: "approve" }];
    const result = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(result.outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(["order tea", "price tea", "order milk"]);
  });

  it("are answered on a file that another process may have written", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plangraph-"));
    try {
      const open = () => SqliteSaver.fromConnString(join(folder, "threads.db"));
      const first = ordering();
      const paused = createReactGraph({ ...first.options, checkpointer: open() });
      expect(asked(await paused.invoke(question, thread)).action_requests).toHaveLength(2);
      const second = createReactGraph({ ...first.options, checkpointer: open() });
      const decisions = [{ type: "approve" }, { type: "approve" }];
      const result = await second.invoke(new Command({ resume: { decisions } }), thread);
      expect(result.answer).toBe("Done.");
      expect(first.runs).toEqual(["order tea", "price tea", "order milk"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("are answered in a new graph on the same store", async () => {
    const saver = new MemorySaver();
    const first = ordering(saver);
    await first.graph.invoke(question, thread);
    const second = createReactGraph({ ...first.options, checkpointer: saver });
    const decisions = [{ type: "approve" }, { type: "approve" }];
    const result = await second.invoke(new Command({ resume: { decisions } }), thread);
    expect(result.answer).toBe("Done.");
    expect(first.runs).toEqual(["order tea", "price tea", "order milk"]);
    expect(result.usage).toMatchObject({ modelCalls: 2, toolCalls: 3 });
  });

  it("may take a day: only working time counts", async () => {
    let now = 0;
    const clock = { now: () => now, sleep: async () => {}, random: () => 0 };
    const { tools } = countingTools("order");
    const models = scriptedModel([
      { toolCalls: [{ name: "order", args: { item: "tea" } }] },
      "Done.",
    ]);
    const graph = createReactGraph({
      models,
      tools,
      ...approvals,
      clock,
      checkpointer: new MemorySaver(),
      limits: { seconds: 60 },
    });
    await graph.invoke(question, thread);
    now = 24 * 3_600_000;
    const result = await graph.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      thread,
    );
    expect(result.outcome).toEqual({ status: "answered" });
  });
});

describe("without a checkpointer", () => {
  it("the run ends needs_input with the same requests, and goes on with its messages and decisions", async () => {
    const { graph, runs, models } = ordering();
    const first = await graph.invoke(question);
    expect(first.outcome).toMatchObject({
      status: "needs_input",
      requests: { action_requests: [{ args: { item: "tea" } }, { args: { item: "milk" } }] },
    });
    expect(first.messages.at(-1)?.type).toBe("ai");
    expect(runs).toEqual([]);

    const result = await graph.invoke({
      messages: first.messages,
      decisions: [{ type: "approve" }, { type: "reject" }],
    });
    expect(result.outcome).toEqual({ status: "answered" });
    expect(runs).toEqual(["order tea", "price tea"]);
    expect(result.messages.map(({ type }) => type)).toEqual([
      "human",
      "ai",
      "tool",
      "tool",
      "tool",
      "ai",
    ]);
    expect(result.messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      "order of tea",
      "price of tea",
      "Error (denied): a person refused this call.",
    ]);
    models.assertExhausted();
  });

  it("the whole result may be handed in again, which keeps run, usage and observations", async () => {
    const { graph } = ordering();
    const first = await graph.invoke(question);
    const result = await graph.invoke({
      ...first,
      decisions: [{ type: "approve" }, { type: "approve" }],
    });
    expect(result.run?.id).toBe(first.run?.id);
    expect(result.usage).toMatchObject({ modelCalls: 2, toolCalls: 3 });
    expect(result.observations.map(({ callId }) => callId)).toEqual(["tea", "price", "milk"]);
  });

  it("a new question instead of decisions is a new run", async () => {
    const { graph, runs } = ordering();
    const first = await graph.invoke(question);
    const messages = [...first.messages, { role: "user" as const, content: "never mind" }];
    const result = await graph.invoke({ messages });
    expect(result.answer).toBe("Done.");
    expect(runs).toEqual([]);
  });

  it.each([
    {
      name: "a wrong number of decisions",
      decisions: [{ type: "approve" as const }],
      error: /expected 2 decisions/,
    },
    {
      name: "decisions that nobody asked for",
      decisions: ["yes"],
      error: /no call in these messages waits/,
      fresh: true,
    },
  ])("$name is refused", async ({ decisions, error, fresh }) => {
    const { graph } = ordering();
    const { messages } =
      fresh === true ? { messages: question.messages } : await graph.invoke(question);
    await expect(graph.invoke({ messages, decisions })).rejects.toThrow(error);
  });
});
