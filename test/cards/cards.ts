import { z } from "zod";

import { defineCard } from "../../src/index.js";

/** An order that the user picks or not. */
export const order = defineCard({
  type: "order_selector",
  props: z.object({
    orderId: z.string(),
    itemName: z.string(),
    amount: z.number(),
    status: z.string().optional(),
  }),
  tell: "请问您要咨询的是{{itemName}}（{{amount}}元，{{status}}）这笔订单吗？",
  reply: z.object({ isSelect: z.boolean() }),
  tellReply: (reply, props) =>
    reply.isSelect ? `是的，就是${props.itemName}这笔订单。` : "不是这笔订单。",
});

/** A coupon, in English. */
export const coupon = defineCard({
  type: "coupon",
  props: z.object({ code: z.string(), title: z.string() }),
  tell: ({ title }) => `You may use this coupon: ${title}.`,
  reply: z.object({ count: z.int() }),
  tellReply: "I take {{count}} of {{title}}.",
});

export const cards = [order, coupon];

export const apples = { orderId: "A-1000200030", itemName: "苹果", amount: 88, status: "已发货" };
export const askedForApples = "请问您要咨询的是苹果（88元，已发货）这笔订单吗？";
