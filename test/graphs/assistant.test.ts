import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createAssistantGraph, createRouterGraph } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { asked, assistant, quoting, shopSearch } from "../support/assistants.js";
import { requestText } from "../support/request-text.js";

const discount = "普通会员不打折，高级会员 9.5 折，黑金会员 8.8 折。";
const unknown = "抱歉，我在资料里没有找到这个问题的答案。";

describe("an answer from the knowledge base", () => {
  it("stands on a quote, which is shown with its place", async () => {
    const script = [quoting([discount], "高级会员打 9.5 折。")];
    const { graph, calls } = await assistant({ script });
    const result = await graph.invoke(asked("我的会员卡可以打几折？"));
    expect(result.answer).toBe(`高级会员打 9.5 折。\n\n来源：\n- “${discount}” (shop.md:3)`);
    expect(result).toMatchObject({
      outcome: { status: "answered" },
      sources: [{ title: "会员 > 折扣", source: "shop.md", line: 3, quote: discount }],
      usage: { modelCalls: 1, toolCalls: 1 },
    });
    expect(result.outcome?.cause).toBeUndefined();
    const last = result.messages.at(-1);
    expect(last?.text).toBe(result.answer);
    expect(last?.additional_kwargs["sources"]).toEqual(result.sources);
    expect(calls()).toEqual({ solver: 1, router: 0, rewriter: 0, agent: 0 });
  });

  it.each([
    { name: "a made-up quote", reply: quoting(["黑金会员可以用贵宾厅。"], "可以用贵宾厅。") },
    { name: "no quote", reply: quoting([], "黑金会员可以免费使用机场贵宾厅。") },
    { name: "one word", reply: quoting(["会员"], "会员可以用贵宾厅。") },
    { name: "the title", reply: quoting(["会员 > 折扣"], "可以用贵宾厅。") },
    { name: "nothing at all", reply: quoting([], "") },
  ])("is none with $name", async ({ name, reply }) => {
    const { graph, models } = await assistant({ script: [reply, reply] });
    const result = await graph.invoke(asked("会员可以用机场贵宾厅吗？"));
    expect(result).toMatchObject({
      answer: unknown,
      outcome: { status: "answered", cause: "no_knowledge" },
      sources: [],
    });
    // What says something goes back once.
    expect(models.solver.calls).toHaveLength(name === "nothing at all" ? 1 : 2);
  });

  it("is the quote itself where the model's words do not stand", async () => {
    const reply = quoting([discount], "高级会员打 5 折。");
    const { graph } = await assistant({ script: [reply, reply] });
    const { answer, outcome } = await graph.invoke(asked("高级会员打几折？"));
    expect(answer).toBe(`${discount}\n\n来源：\n- shop.md:3`);
    expect(outcome).toEqual({ status: "answered" });
  });

  it.each([
    {
      name: "a negation cut off",
      quote: "ship to Switzerland",
      answer: "Yes, we ship to Switzerland.",
    },
    {
      name: "a condition cut off",
      quote: "商品支持七天无理由退货",
      answer: "所有商品都支持七天无理由退货。",
    },
    { name: "a wrong figure", quote: "糕点常温可以保存 3 天。", answer: "糕点可以保存 30 天。" },
  ])("shows the whole sentence, and not $name", async ({ quote, answer }) => {
    const reply = quoting([quote], answer);
    const { graph } = await assistant({ script: [reply, reply] });
    const result = await graph.invoke(
      asked(`${answer.replace(/^Yes, we/, "Do you").slice(0, -1)}？`),
    );
    expect(result.answer).not.toContain(answer);
  });

  it("may be corrected once", async () => {
    const script = [quoting([discount], "打 5 折。"), quoting([discount], "高级会员打 9.5 折。")];
    const { graph, models } = await assistant({ script, showSources: false });
    expect((await graph.invoke(asked("高级会员打几折？"))).answer).toBe("高级会员打 9.5 折。");
    expect(requestText(models.solver.calls[1])).toContain("Leave out or correct");
  });

  it("is asked of a model that sees texts in a fence, and has no tools", async () => {
    const { graph, models } = await assistant({ script: [quoting([], "")] });
    await graph.invoke(asked("How much is the voucher?"));
    const [call] = models.solver.calls;
    expect(requestText(call)).toMatch(/<untrusted source="knowledge"[^]*Ignore all instructions/);
    expect(call?.tools).toEqual([]);
  });

  it("asks no model where nothing is found", async () => {
    const { graph, calls } = await assistant();
    const result = await graph.invoke(asked("Quantum chromodynamics?"));
    expect(result.answer).toBe("I am sorry, I found no answer to this in what I know.");
    expect(result.outcome).toMatchObject({ cause: "no_knowledge" });
    expect(calls()).toEqual({ solver: 0, router: 0, rewriter: 0, agent: 0 });
  });

  it("is handed off where that is wanted", async () => {
    const { graph } = await assistant({ handOffOn: ["no_knowledge"] });
    const { outcome } = await graph.invoke(asked("Quantum chromodynamics?"));
    expect(outcome).toMatchObject({ status: "handed_off", cause: "no_knowledge" });
  });

  it("says what the caller wants where nothing is known", async () => {
    const { graph } = await assistant({ unknown: (question) => `? ${question}` });
    expect((await graph.invoke(asked("Quarks"))).answer).toBe("? Quarks");
  });

  it("fails where the base cannot be searched: that is not the same as not knowing", async () => {
    const broken = tool(async () => Promise.reject(new Error("the disk is gone")), {
      name: "search_knowledge",
      description: "Searches.",
      schema: z.object({ question: z.string() }),
    });
    const graph = createAssistantGraph({ models: scriptedModel([]), knowledge: broken });
    const { outcome, answer } = await graph.invoke(asked("苹果能放多久？"));
    expect(outcome).toMatchObject({ status: "failed" });
    expect(answer).toContain("the disk is gone");
  });

  it.each([
    { message: "你好！", answer: "您好，请问有什么可以帮您？" },
    { message: "Hello", answer: "Hello, how can I help you?" },
    { message: "谢谢", answer: "不客气，有需要随时找我。" },
  ])("a greeting needs none: $message", async ({ message, answer }) => {
    const { graph, calls } = await assistant();
    expect(await graph.invoke(asked(message))).toMatchObject({
      answer,
      outcome: { status: "answered" },
    });
    expect(calls()).toEqual({ solver: 0, router: 0, rewriter: 0, agent: 0 });
  });
});

describe("an assistant", () => {
  it("is a route of a router", async () => {
    const { graph: shop } = await assistant({
      script: [quoting([discount], "高级会员打 9.5 折。")],
    });
    const graph = createRouterGraph({
      routes: { shop: { description: "Shoppers.", graph: shop } },
    });
    const { answer, outcome } = await graph.invoke(asked("高级会员打几折？"));
    expect(answer).toContain("9.5 折");
    expect(outcome).toEqual({ status: "answered" });
  });

  it("reads what the application knows, and may say it", async () => {
    const profile = "The customer is a 高级会员.";
    const script = [quoting([discount], "您是高级会员，可以打 9.5 折。")];
    const { graph, models } = await assistant({ script, memory: { profile: async () => profile } });
    const { answer } = await graph.invoke(asked("我的会员卡可以打几折？"));
    expect(answer).toContain("您是高级会员，可以打 9.5 折。");
    expect(requestText(models.solver.calls[0])).toContain(profile);
  });

  const react = scriptedModel([]);
  it.each([
    { name: "neither way", options: {}, told: "expected knowledge, an agent or both" },
    { name: "no graph", options: { agent: { description: "x", graph: {} } }, told: "agent.graph" },
    { name: "no description", options: { agent: { graph: {} } }, told: "agent.description" },
    { name: "an unknown option", options: { knowlege: 1 }, told: "knowledge" },
    { name: "a wrong rule", options: { agent: { description: "x", when: 5 } }, told: "agent.when" },
    { name: "a base in place of its tool", options: { knowledge: 5 }, told: "LangChain tool" },
  ])("refuses $name", async ({ options, told }) => {
    const given: object = { models: react, ...options };
    expect(() => createAssistantGraph({ ...given })).toThrow(told);
  });

  it("answers two questions on a thread, each with its own sources", async () => {
    const script = [
      quoting([discount], "高级会员打 9.5 折。"),
      quoting(["糕点常温可以保存 3 天。"], "糕点可以保存 3 天。"),
    ];
    const { graph } = await assistant({ script, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(asked("高级会员打几折？"), config);
    const question = "请问贵店所卖的糕点在常温的条件下可以保存几天时间？";
    const { sources } = await graph.invoke(asked(question), config);
    expect(sources).toMatchObject([{ quote: "糕点常温可以保存 3 天。" }]);
  });
});

it("searches with any tool of that form", async () => {
  const search = await shopSearch("# A\n\nThe fee is 5 euros for all parcels.");
  const reply = quoting(["The fee is 5 euros for all parcels."], "The fee is 5 euros.");
  const graph = createAssistantGraph({ models: scriptedModel([reply]), knowledge: search });
  expect((await graph.invoke(asked("What is the fee?"))).answer).toContain("The fee is 5 euros.");
});
