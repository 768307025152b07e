import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { withPolicy } from "../../src/index.js";
import { asked, assistant, orderStatus, quoting, routedTo } from "../support/assistants.js";
import { requestText } from "../support/request-text.js";

const callStatus = { toolCalls: [{ name: "order_status", args: { order: "5521" } }] };

describe("an agent", () => {
  const given = { router: [routedTo("agent")], tools: [orderStatus] };

  it("answers with what trusted tools returned", async () => {
    const agent = [callStatus, "Order 5521 has shipped and arrives on 26 November 2026."];
    const { graph, calls } = await assistant({ ...given, agent });
    const result = await graph.invoke(asked("Where is my order 5521?"));
    expect(result).toMatchObject({
      answer: "Order 5521 has shipped and arrives on 26 November 2026.",
      outcome: { status: "answered" },
    });
    expect(calls()).toEqual({ solver: 0, router: 1, rewriter: 0, agent: 2 });
    expect(result.messages.filter(({ text }) => text === result.answer)).toHaveLength(1);
  });

  it("is corrected once where it says what no result shows", async () => {
    const agent = [callStatus, "It arrives on 1 December and you get 20 euros back."];
    const script = ["Order 5521 has shipped."];
    const { graph, models } = await assistant({ ...given, agent, script });
    const result = await graph.invoke(asked("Where is my order 5521?"));
    expect(result.answer).toBe("Order 5521 has shipped.");
    expect(requestText(models.solver.calls[0])).toContain("shipped");
    expect(JSON.stringify(result.messages)).not.toContain("20 euros back");
  });

  it("is answered for by the results where it cannot tell them", async () => {
    const lie = "You get 20 euros back.";
    const { graph } = await assistant({ ...given, agent: [callStatus, lie], script: [lie] });
    const { answer } = await graph.invoke(asked("Where is my order 5521?"));
    expect(answer).toBe(
      "order_status: order: 5521, status: shipped, arrives: 2026-11-26, price: 55",
    );
  });

  it("that only talks leaves the question to the knowledge base", async () => {
    const agent = ["Every parcel costs 3 euros."];
    const script = [
      quoting(
        ["Express shipping costs 14 euros for every order."],
        "Express shipping costs 14 euros.",
      ),
    ];
    const { graph } = await assistant({ ...given, agent, script, showSources: false });
    const result = await graph.invoke(asked("What does express shipping cost?"));
    expect(result.answer).toBe("Express shipping costs 14 euros.");
    expect(result.failedWays).toEqual(["agent"]);
  });

  it("may ask back", async () => {
    const question = "您好，请问是哪一笔订单？";
    const { graph } = await assistant({ ...given, agent: [question] });
    expect(await graph.invoke(asked("我要退款"))).toMatchObject({
      answer: question,
      outcome: { status: "answered" },
    });
  });

  it.each([
    "已为您退款，请问还需要什么帮助？",
    "您的 500 元退款会到账吗？",
    "I have refunded your order, anything else?",
    "Your refund has been sent. Is there anything else?",
  ])("does not tell of deeds in a question: %s", async (claim) => {
    const { graph } = await assistant({ ...given, agent: [claim], script: [quoting([], "")] });
    const { answer, outcome } = await graph.invoke(asked("Express shipping refund?"));
    expect(outcome).toMatchObject({ cause: "no_knowledge" });
    expect(answer).not.toContain(claim.slice(0, 6));
  });

  it.each(["您已经收到货了吗？", "Has your parcel arrived?", "您好，您要退的是苹果，还是糕点？"])(
    "may ask: %s",
    async (question) => {
      const { graph } = await assistant({ ...given, agent: [question] });
      expect((await graph.invoke(asked("退款"))).answer).toBe(question);
    },
  );

  it("takes over where the knowledge base has no answer", async () => {
    const agent = [callStatus, "Order 5521 has shipped."];
    const { graph } = await assistant({
      ...given,
      router: [routedTo("knowledge")],
      script: [quoting([], "")],
      agent,
    });
    const { answer, failedWays } = await graph.invoke(asked("Express order 5521 shipping?"));
    expect(answer).toBe("Order 5521 has shipped.");
    expect(failedWays).toEqual(["knowledge"]);
  });

  it("says nothing as chat before it is checked", async () => {
    const agent = [callStatus, "You get 20 euros back. Order 5521 has shipped."];
    const { graph } = await assistant({ ...given, agent, script: ["Order 5521 has shipped."] });
    const told: string[] = [];
    for await (const [message] of await graph.stream(asked("Where is my order 5521?"), {
      streamMode: "messages",
    })) {
      told.push(message.text);
    }
    expect(told.join("")).toContain("Order 5521 has shipped.");
    expect(told.join("")).not.toContain("20 euros");
  });

  it("pauses for a person, and goes on in its run", async () => {
    const refund = withPolicy(
      tool(async ({ order }: { order: string }) => `Refunded order ${order}.`, {
        name: "refund",
        description: "Refunds an order.",
        schema: z.object({ order: z.string() }),
      }),
      { effect: "write", needsApproval: true },
    );
    const { graph } = await assistant({
      router: [routedTo("agent")],
      tools: [refund],
      agent: [
        { toolCalls: [{ name: "refund", args: { order: "5521" } }] },
        "Order 5521 has been refunded.",
      ],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    const paused = await graph.invoke(asked("Refund order 5521"), config);
    expect(paused.outcome).toBeUndefined();
    expect((await graph.getState(config)).tasks).toHaveLength(1);
    const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const result = await graph.invoke(resume, config);
    expect(result).toMatchObject({
      answer: "Order 5521 has been refunded.",
      outcome: { status: "answered" },
    });
    expect(result.observations).toMatchObject([{ tool: "refund", ok: true }]);
  });
});
