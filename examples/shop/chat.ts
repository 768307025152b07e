// The shop's service desk as a planning graph, for the page of `npm run chat`: it runs offline, with a scripted model.
// With PLANGRAPH_MODEL it takes that model.
import { tool } from "@langchain/core/tools";
import { askUser, createRewooGraph, withPolicy } from "plangraph";
import { type ModelAnswerFunction, scriptedModel } from "plangraph/testing";
import { z } from "zod";

import { customerHeader, customers, Order, startShop } from "./server.js";

/** Long enough to see each step. */
const stepMs = 700;

const { url } = await startShop();

async function askShop(path: string, customer: string, body?: object): Promise<unknown> {
  await new Promise((resolve) => setTimeout(resolve, stepMs));
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { [customerHeader]: customer, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  const { error } = z
    .looseObject({ error: z.object({ message: z.string() }).optional() })
    .parse(answer);
  if (error !== undefined) throw new Error(error.message);
  return answer;
}

async function allOrders() {
  const lists = await Promise.all(
    [...customers.keys()].map(async (customer) => {
      const answer = await askShop(`/orders?customer=${customer}`, customer);
      const { orders } = z.object({ orders: z.array(Order) }).parse(answer);
      return orders.map(({ orderId, details }) => ({ orderId, customer, ...details }));
    }),
  );
  return lists.flat();
}

const findOrder = tool(
  async ({ item }) => {
    const found = (await allOrders()).find((order) => item.toLowerCase().includes(order.item));
    if (found === undefined) throw new Error(`There is no order of "${item}".`);
    return JSON.stringify(found);
  },
  {
    name: "find_order",
    description: "Finds the last order of an item: its id, customer, amount, day of delivery.",
    schema: z.object({ item: z.string() }),
  },
);

const shopRules = tool(
  async () => {
    await new Promise((resolve) => setTimeout(resolve, stepMs));
    return "Orders can be refunded until 7 days after their delivery.";
  },
  {
    name: "shop_rules",
    description: "What the shop's rules say.",
    schema: z.object({ topic: z.string() }),
  },
);

const listOrders = tool(
  async () => [JSON.stringify(await allOrders()), { render: await orderTable() }],
  {
    name: "list_orders",
    description: "Lists all orders.",
    schema: z.object({}),
    responseFormat: "content_and_artifact",
  },
);

async function orderTable() {
  const rows = (await allOrders()).map(({ orderId, item, amount, currency, status }) => {
    return { orderId, item, amount, currency, status };
  });
  return { component: "Table", props: { rows } };
}

const refundOrder = withPolicy(
  tool(
    async ({ orderId, customer, reason }) =>
      JSON.stringify(await askShop("/refunds", customer, { orderId, reason })),
    {
      name: "refund_order",
      description: "Refunds an order. A person of the shop decides.",
      schema: z.object({ orderId: z.string(), customer: z.string(), reason: z.string() }),
    },
  ),
  { effect: "write", needsApproval: true },
);

const tools = [findOrder, shopRules, listOrders, refundOrder, askUser];

/** What the scripted model understands. */
const items = /kettle|toaster|草莓蛋糕|苹果/;
const isRefund = /refund|money back|退款|退钱/i;
const isList = /orders|订单/i;
const isChinese = /[\u4e00-\u9fff]/;

type Step = { readonly tool: string; readonly thought: string; readonly args: object };

function plannedFor(question: string): readonly Step[] {
  const zh = isChinese.test(question);
  const [item] = items.exec(question) ?? [];
  if (isRefund.test(question) && item !== undefined) return refundOf(item, question, zh);
  if (isRefund.test(question)) {
    const asks = zh ? "您想退哪件商品的款？" : "Which item should be refunded?";
    const thought = zh ? "问清楚是哪件商品" : "Ask which item is meant";
    const asking = { tool: "ask_user", thought, args: { question: asks } };
    return [asking, ...refundOf("{{E1}}", question, zh, 2)];
  }
  if (!isList.test(question)) return [];
  return [{ tool: "list_orders", thought: zh ? "列出所有订单" : "List all orders", args: {} }];
}

/** The steps of a refund, of which the one that finds the order has this number. */
function refundOf(item: string, question: string, zh: boolean, first = 1): readonly Step[] {
  const words = zh
    ? ["查找订单", "查看退款规则", "办理退款"]
    : ["Find the order", "Read the rules for refunds", "Pay the order back"];
  const found = `E${first}`;
  const order = {
    orderId: `{{${found}.orderId}}`,
    customer: `{{${found}.customer}}`,
    reason: question,
  };
  return [
    { tool: "find_order", thought: words[0] ?? "", args: { item } },
    { tool: "shop_rules", thought: words[1] ?? "", args: { topic: "refunds" } },
    { tool: "refund_order", thought: words[2] ?? "", args: order },
  ];
}

const help = {
  en: "I am a scripted model, and understand: “Please refund my kettle”, “Please refund my toaster”, “I want a refund”, “Show all orders”.",
  zh: "我是脚本模型，只听得懂：“请给我的苹果退款”、“我要退款”、“列出所有订单”。",
};

const plan: ModelAnswerFunction = (messages) => {
  // The last message asks for the plan; the one before is the question.
  const asked = messages.filter(
    ({ type, text }) => type === "human" && !text.startsWith("Write the plan"),
  );
  const question = asked.at(-1)?.text ?? "";
  const steps = plannedFor(question).map((step, at) => ({ id: `E${at + 1}`, ...step }));
  const answer = isChinese.test(question) ? help.zh : help.en;
  return JSON.stringify(steps.length === 0 ? { steps, answer } : { steps });
};

const paid = /"refund":\{"item":"([^"]+)","amount":(\d+),"currency":"([^"]+)"/;
const refused = /refused this call\.(?: They said: ([^\n]*))?/;
const denied =
  /(The \w+ (?:was delivered on [\d-]+: more than \d+ days ago|has been refunded already))/;

const answer: ModelAnswerFunction = (messages) => {
  const text = messages.at(-1)?.text ?? "";
  const isZh = isChinese.test(/question: (.*)/.exec(text)?.[1] ?? "");
  const say = (zh: string, en: string) => (isZh ? zh : en);
  const [, item, amount, currency] = paid.exec(text) ?? [];
  if (item !== undefined) {
    const sum = `**${amount} ${currency}**`;
    return say(`${item}的 ${sum} 已经退款。`, `The ${item} is refunded: ${sum} were paid back.`);
  }
  return refusalIn(text, say) ?? say("没有办理退款。", "Nothing was refunded.");
};

/** Why nothing was paid back, or what was asked for in place of it. */
function refusalIn(text: string, say: (zh: string, en: string) => string): string | undefined {
  const [, why] = denied.exec(text) ?? [];
  const [isRefused, because = ""] = refused.exec(text) ?? [];
  if (isRefused !== undefined) {
    const reason = because === "" ? "" : say(`：${because}`, `: ${because}`);
    return say(`店员没有批准退款${reason}。`, `The shop did not approve the refund${reason}.`);
  }
  if (why !== undefined) return say(`不能退款：${why}。`, `It cannot be refunded. ${why}.`);
  return text.includes('"orderId"') ? say("这是所有订单：", "These are all orders:") : undefined;
}

const models = {
  planner: scriptedModel(plan, { delayMs: stepMs }),
  solver: scriptedModel(answer, { delayMs: stepMs }),
  executor: scriptedModel(() => "", { delayMs: stepMs }),
};

/** The graph that the page talks to. */
export const shop = createRewooGraph({
  tools,
  ...(process.env["PLANGRAPH_MODEL"] === undefined && { models }),
  handOffOn: [],
});
