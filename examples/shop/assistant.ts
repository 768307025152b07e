// The assistant of the shop: its knowledge base, what it knows about the customer, and the agent that may refund.
import { type InMemoryStore, MemorySaver } from "@langchain/langgraph";
import {
  type AssistantOptions,
  createAssistantGraph,
  createReactGraph,
  defineCard,
  type FactsOption,
  type Memory,
  type MemoryProvider,
} from "plangraph";
import { createSearchKnowledgeTool, openKnowledge } from "plangraph/knowledge";
import { loadServices } from "plangraph/services";
import { z } from "zod";

import { customerHeader, customers, Order } from "./server.js";

/** What the program knows about a run, because it has checked who is calling. No model can set it. */
const Caller = z.object({ customer: z.string() });

/** The card with which the shop asks whether this is the order. */
export const orderCard = defineCard({
  type: "order_selector",
  props: z.object({
    orderId: z.string(),
    item: z.string(),
    amount: z.number(),
    currency: z.string(),
  }),
  tell: "请问您要咨询的是{{item}}（{{amount}} {{currency}}）这笔订单吗？",
  reply: z.object({ isSelect: z.boolean() }),
  tellReply: (reply, { item }) => (reply.isSelect ? `是的，就是${item}。` : "不是这笔订单。"),
});

/** The name of a customer. */
export function nameOf(customer: string): string {
  return customers.get(customer)?.name ?? customer;
}

/** Whose facts are read and kept. */
export const ownerOf: FactsOption = ({ configurable }) => ({
  tenant: "shop",
  user: Caller.parse(configurable).customer,
});

/** The orders of a customer, the latest first. */
export async function ordersOf(url: string, customer: string, signal?: AbortSignal) {
  const response = await fetch(`${url}/orders?customer=${encodeURIComponent(customer)}`, {
    headers: { [customerHeader]: customer },
    ...(signal === undefined ? {} : { signal }),
  });
  return z.object({ orders: z.array(Order) }).parse(await response.json()).orders;
}

/** What models read before every call. The ids are for tools alone. */
function shopMemory(url: string): Memory {
  const profile: MemoryProvider = ({ configurable }) => {
    const { customer } = Caller.parse(configurable);
    const { name, level } = customers.get(customer) ?? { name: "a guest", level: "普通会员" };
    return { text: `${name}, ${level}.`, ids: { customer } };
  };
  const order: MemoryProvider = async ({ configurable, question, clicked, signal }) => {
    const { customer } = Caller.parse(configurable);
    const orders = await ordersOf(url, customer, signal);
    const named = orders.find(({ details }) => question.includes(details.item));
    const chosen = clicked?.value["isSelect"] === true ? clicked.props["orderId"] : undefined;
    const found = named ?? orders.find(({ orderId }) => orderId === chosen) ?? orders[0];
    if (found === undefined) return undefined;
    const { item, amount, currency, status, delivered = "" } = found.details;
    const text = `${item}, ${amount} ${currency}, ${status} ${delivered}`.trim();
    return { text: `The order in question: ${text}.`, ids: { orderId: found.orderId } };
  };
  const shop = { provide: () => "The shop sells food and small kitchen appliances.", keep: true };
  return { profile, order, shop };
}

type ShopOptions = Pick<AssistantOptions, "models" | "store"> & {
  /** Where the shop's service is. */
  readonly url: string;
  readonly store: InMemoryStore;
};

/** Makes the assistant, with the knowledge base in memory. */
export async function createShopAssistant({ url, models, store }: ShopOptions) {
  const base = await openKnowledge({ terms: "examples/shop/terms.yaml" });
  await base.ingest(["examples/shop/knowledge"]);
  const tools = await loadServices(["examples/shop/services/orders.json"], {
    environment: { SHOP_URL: url },
    // It runs on this machine: private addresses are refused unless they are named.
    allowHosts: [new URL(url).host],
  });
  const memory = shopMemory(url);
  // The shop's own service is trusted: what it says may be told, and models never handle an id.
  const own = {
    trust: "trusted",
    fromMemory: { orderId: "order.orderId", customer: "profile.customer" },
  } as const;
  const agent = createReactGraph({
    models,
    tools,
    toolPolicies: { look_up_order: own, refund_order: own },
  });
  return createAssistantGraph({
    models,
    // Pages for advertisers are none of a shopper's.
    knowledge: createSearchKnowledgeTool(base, { access: () => ({ audience: "shopper" }) }),
    agent: {
      description: "looks up and refunds the order of this customer",
      // Who asks for a refund wants it, not the rules: that needs no model, and a small one would look them up.
      when: /请.{0,6}退款|please refund/i,
      graph: agent,
    },
    memory,
    cards: [orderCard],
    facts: ownerOf,
    store,
    checkpointer: new MemorySaver(),
  });
}
