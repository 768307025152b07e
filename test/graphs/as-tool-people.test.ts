import { load } from "@langchain/core/load";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";

import { asTool, createReactGraph, handOff } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { askedReads } from "../support/asked-reads.js";
import { asked } from "../support/asked.js";
import { countingTools } from "../support/counting-tools.js";
import { askingAgent, shopAgent } from "../support/sub-agents.js";

const question = { messages: [{ role: "user" as const, content: "order, please" }] };
const thread = { configurable: { thread_id: "1" } };
const approve = { type: "approve" as const };
const resume = (...decisions: object[]) =>
  new Command<unknown, Record<string, never>, never>({ resume: { decisions } });

const call = (name: string, args: Record<string, string>, id: string) => ({ name, args, id });

describe("what sub-runs ask", () => {
  it("is asked together, in call order, and each sub-run goes on with its own decisions", async () => {
    const anna = shopAgent("anna", [["tea", "milk"]]);
    const ben = shopAgent("ben", [["salt"]]);
    const { graph, models } = askingAgent([anna.tool, ben.tool], {
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused)).toEqual({
      action_requests: [
        ["anna", "tea"],
        ["anna", "milk"],
        ["ben", "salt"],
      ].map(([who, item]) => ({
        id: expect.stringMatching(/^req_/),
        call_id: who,
        effect: "read",
        name: "order",
        args: { item },
        description: `${who}: Run order? Gives the order of an item.`,
      })),
      review_configs: Array.from({ length: 3 }, () => ({
        action_name: "order",
        allowed_decisions: ["approve", "edit", "reject", "respond"],
        args_schema: expect.objectContaining({ properties: { item: { type: "string" } } }),
      })),
    });
    const edited_action = { name: "order", args: { item: "green tea" } };
    const done = await graph.invoke(
      resume({ type: "edit", edited_action }, { type: "reject", message: "no" }, approve),
      thread,
    );
    expect(anna.runs).toEqual(["price tea", "order green tea"]);
    expect(ben.runs).toEqual(["price salt", "order salt"]);
    expect(
      anna.models.calls
        .at(-1)
        ?.messages.slice(-2)
        .map(({ text }) => text),
    ).toEqual([
      '(A person changed the arguments to {"item":"green tea"}.)\norder of green tea',
      "Error (denied): a person refused this call. They said: no",
    ]);
    expect(done.answer).toBe("Done.");
    expect(done.observations).toMatchObject([
      { callId: "anna", ok: true, content: "anna has ordered.", attempts: 1 },
      { callId: "ben", ok: true, content: "ben has ordered.", attempts: 1 },
    ]);
    expect(done.pending).toBeUndefined();
    for (const { models: each } of [anna, ben, { models }]) each.assertExhausted();
  });

  it("stands among what the calling run asks itself, in call order", async () => {
    const anna = shopAgent("anna", [["tea", "milk"]]);
    const { runs, tools } = countingTools("pay", "look");
    const toolCalls = [
      call("pay", { item: "first" }, "1"),
      call("anna", { question: "order" }, "2"),
      call("look", { item: "up" }, "3"),
      call("pay", { item: "last" }, "4"),
    ];
    const graph = createReactGraph({
      models: scriptedModel([{ toolCalls }, "Done."]),
      tools: [...tools, anna.tool],
      toolPolicies: { pay: askedReads },
      checkpointer: new MemorySaver(),
    });
    const paused = await graph.invoke(question, thread);
    expect(asked(paused).action_requests.map(({ args }) => args["item"])).toEqual([
      "first",
      "tea",
      "milk",
      "last",
    ]);
    const reject = { type: "reject" };
    const done = await graph.invoke(resume(reject, approve, reject, approve), thread);
    expect(anna.runs).toEqual(["price tea", "order tea"]);
    expect(runs).toEqual(["look up", "pay last"]);
    expect(done.observations.map(({ callId, ok }) => [callId, ok])).toEqual([
      ["1", false],
      ["2", true],
      ["3", true],
      ["4", true],
    ]);
  });

  it("is not asked any more when the turn ends the run, and what was begun is told as such", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const toolCalls = [
      call("anna", { question: "order" }, "1"),
      call("hand_off", { reason: "A matter of law." }, "2"),
    ];
    const graph = createReactGraph({
      models: scriptedModel([{ toolCalls }]),
      tools: [anna.tool, handOff],
      checkpointer: new MemorySaver(),
    });
    const { outcome, observations, usage } = await graph.invoke(question, thread);
    expect(outcome).toMatchObject({ status: "handed_off", reason: "A matter of law." });
    expect(observations[0]?.content).toBe(
      "Error (cancelled): begun, but not finished: the run ended first.",
    );
    expect(usage).toMatchObject({ modelCalls: 1 + 2, toolCalls: 2 + 1 });
  });

  it("is asked again with what was wrong after a wrong number of decisions", async () => {
    const anna = shopAgent("anna", [["tea", "milk"]]);
    const { graph } = askingAgent([anna.tool], { checkpointer: new MemorySaver() });
    await graph.invoke(question, thread);
    const again = await graph.invoke(resume(approve), thread);
    expect(asked(again).error).toMatch(/expected 2 decisions.*got 1/);
    await graph.invoke(resume(approve, approve), thread);
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
  });

  it("may be asked in several rounds, each sub-run as often as it needs", async () => {
    const anna = shopAgent("anna", [["tea"], ["milk"], ["bread"]]);
    const ben = shopAgent("ben", [["salt"]]);
    const { graph } = askingAgent([anna.tool, ben.tool], { checkpointer: new MemorySaver() });
    const rounds: unknown[][] = [];
    let result = await graph.invoke(question, thread);
    for (let decisions = 2; result.outcome === undefined; decisions = 1) {
      rounds.push(asked(result).action_requests.map(({ args }) => args["item"]));
      const command = resume(...Array.from({ length: decisions }, () => approve));
      result = await graph.invoke(command, thread);
    }
    expect(rounds).toEqual([["tea", "salt"], ["milk"], ["bread"]]);
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk", "order bread"]);
    expect(ben.runs).toEqual(["price salt", "order salt"]);
    expect(result.usage).toMatchObject({ modelCalls: 2 + 5 + 3, toolCalls: 2 + 4 + 2 });
    expect(result.observations.map(({ usage }) => usage?.modelCalls)).toEqual([5, 3]);
  });

  it("comes up through two levels of sub-runs", async () => {
    const anna = shopAgent("anna", [["tea"], ["milk"]]);
    const middle = askingAgent([anna.tool]);
    const manager = asTool(middle.graph, { name: "manager", description: "Manages." });
    const { graph } = askingAgent([manager], { checkpointer: new MemorySaver() });
    const first = await graph.invoke(question, thread);
    expect(asked(first).action_requests).toMatchObject([
      { name: "order", description: "manager: anna: Run order? Gives the order of an item." },
    ]);
    const second = await graph.invoke(resume(approve), thread);
    expect(asked(second).action_requests).toMatchObject([{ args: { item: "milk" } }]);
    const done = await graph.invoke(resume(approve), thread);
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
    expect(done.usage).toMatchObject({ modelCalls: 2 + 2 + 4, toolCalls: 1 + 1 + 3 });
    middle.models.assertExhausted();
  });
});

describe("without a checkpointer", () => {
  it("the run ends with what the sub-runs ask, and its result goes on with decisions", async () => {
    const anna = shopAgent("anna", [["tea"], ["milk"]]);
    const ben = shopAgent("ben", [["salt"]]);
    const { graph, models } = askingAgent([anna.tool, ben.tool]);
    const first = await graph.invoke(question);
    expect(first.outcome).toMatchObject({
      status: "needs_input",
      requests: { action_requests: [{ args: { item: "tea" } }, { args: { item: "salt" } }] },
    });
    expect(first.usage).toMatchObject({ modelCalls: 1 + 2 + 2, toolCalls: 2 + 1 + 1 });
    const second = await graph.invoke({ ...first, decisions: [approve, approve] });
    expect(second.outcome).toMatchObject({
      status: "needs_input",
      requests: { action_requests: [{ args: { item: "milk" } }] },
    });
    const done = await graph.invoke({ ...second, decisions: [approve] });
    expect(done.outcome).toEqual({ status: "answered" });
    expect(done.pending).toBeUndefined();
    expect(anna.runs).toEqual(["price tea", "order tea", "order milk"]);
    expect(ben.runs).toEqual(["price salt", "order salt"]);
    expect(done.usage).toMatchObject({ modelCalls: 2 + 4 + 3, toolCalls: 2 + 3 + 2 });
    expect(done.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "tool", "ai"]);
    for (const { models: each } of [anna, ben, { models }]) each.assertExhausted();
  });

  it("two levels go on as well, from a result that was written down and read again", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const middle = askingAgent([anna.tool]);
    const manager = asTool(middle.graph, { name: "manager", description: "Manages." });
    const { graph } = askingAgent([manager]);
    const first = await graph.invoke(question);
    const read: typeof first = await load(JSON.stringify(first));
    const done = await graph.invoke({ ...read, decisions: [approve] });
    expect(done.answer).toBe("Done.");
    expect(anna.runs).toEqual(["price tea", "order tea"]);
  });

  it("decisions with the messages alone are refused, as the sub-run would begin anew", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const { graph } = askingAgent([anna.tool]);
    const { messages } = await graph.invoke(question);
    await expect(graph.invoke({ messages, decisions: [approve] })).rejects.toThrow(/whole result/);
    expect(anna.runs).toEqual(["price tea"]);
  });

  it("a new question instead of decisions is a new run, without the sub-run", async () => {
    const anna = shopAgent("anna", [["tea"]]);
    const { graph } = askingAgent([anna.tool]);
    const first = await graph.invoke(question);
    const messages = [...first.messages, { role: "user" as const, content: "never mind" }];
    const done = await graph.invoke({ ...first, messages });
    expect(done.answer).toBe("Done.");
    expect(done.pending).toBeUndefined();
  });
});
