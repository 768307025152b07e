import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { cardMessage, defineCard } from "../../src/index.js";
import { assistant, quoting } from "../support/assistants.js";
import { requestText } from "../support/request-text.js";

const order = defineCard({
  type: "order_selector",
  props: z.object({ orderId: z.string(), itemName: z.string(), amount: z.number() }),
  tell: "请问您要咨询的是{{itemName}}（{{amount}}元）这笔订单吗？",
  reply: z.object({ isSelect: z.boolean() }),
  tellReply: (reply, { itemName }) =>
    reply.isSelect ? `是的，就是${itemName}这笔订单。` : "不是这笔订单。",
});
const props = { orderId: "o-778899", itemName: "苹果", amount: 55 };
const shown = cardMessage(order, props, "card-1");
const question = new HumanMessage("我买的东西可以保存多久？");
const click = (id: string, value: unknown) =>
  new HumanMessage({ content: "", additional_kwargs: { cardReply: { id, value } } });
const apple = "苹果放在冰箱冷藏，可以保存 20 天左右。";
const script = [quoting([apple], "苹果冷藏可以保存 20 天左右。")];

describe("a click on a card", () => {
  it("is a sentence for models, and data for the program", async () => {
    const rewriter = [JSON.stringify({ question: "我买的苹果可以保存多久？" })];
    const { graph, models } = await assistant({ cards: [order], script, rewriter });
    const messages = [question, shown, click("card-1", { isSelect: true })];
    const result = await graph.invoke({ messages });
    expect(result.clicked).toEqual({
      id: "card-1",
      type: "order_selector",
      props,
      value: { isSelect: true },
    });
    expect(result.messages[2]?.text).toBe("是的，就是苹果这笔订单。");
    expect(result.answer).toContain("20 天");
    const requests = [...models.rewriter.calls, ...models.solver.calls].map(requestText).join("\n");
    expect(requests).toContain("是的，就是苹果这笔订单。");
    expect(requests).not.toContain("o-778899");
  });

  it.each([
    { name: "on a card that was never shown", id: "card-9", value: { isSelect: true } },
    { name: "with another value", id: "card-1", value: { isSelect: "yes" } },
    { name: "with props of its own", id: "card-1", value: { isSelect: true, amount: 1 } },
  ])("that does not count: $name", async ({ id, value }) => {
    const rewriter = [JSON.stringify({ question: "我买的苹果可以保存多久？" })];
    const { graph, models } = await assistant({ cards: [order], script, rewriter });
    const result = await graph.invoke({ messages: [question, shown, click(id, value)] });
    expect(result.clicked).toBeUndefined();
    const requests = [...models.rewriter.calls, ...models.solver.calls].map(requestText).join("\n");
    expect(requests).not.toContain(id);
    expect(requests).not.toContain("o-778899");
  });

  it("that is text of an unknown card is told by its visible words", async () => {
    const json =
      '{"type":"coupon","width":5,"couponId":"x-1234567890","title":"苹果可以保存多久？"}';
    const { graph, models } = await assistant({ cards: [order], script });
    await graph.invoke({ messages: [new HumanMessage(json)] });
    const request = requestText(models.solver.calls[0]);
    expect(request).toContain("苹果可以保存多久？");
    expect(request).not.toContain("couponId");
  });
});
