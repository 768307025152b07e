// The order service of a small shop, as a platform team may have one: orders and refunds of made-up customers, in memory.
// Run it: npx tsx examples/shop/server.ts [port]
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { z } from "zod";

/** An order as the service tells it: its id apart from what a person may read. */
export const Order = z.object({
  orderId: z.string(),
  details: z.object({
    item: z.string(),
    amount: z.number(),
    currency: z.string(),
    status: z.string(),
    delivered: z.string().optional(),
    refunded: z.boolean(),
  }),
});
type ShopOrder = z.infer<typeof Order> & { readonly customer: string };

/** The header that says who the customer is. Only a program that knows it may call the service. */
export const customerHeader = "x-customer";

/** The customers: what the shop calls them, and their level. */
export const customers: ReadonlyMap<string, { readonly name: string; readonly level: string }> =
  new Map([
    ["lin", { name: "林悦", level: "黑金会员" }],
    ["berg", { name: "Anna Berg", level: "高级会员" }],
  ]);

/** Orders can be refunded until this many days after their delivery. */
const refundDays = 7;

/** What the shop has sold, the latest order of a customer first. */
function soldOrders(): ShopOrder[] {
  const cake = { item: "草莓蛋糕", amount: 88, currency: "元" };
  const apples = { item: "苹果", amount: 59, currency: "元" };
  const kettle = { item: "kettle", amount: 49, currency: "euros" };
  const toaster = { item: "toaster", amount: 35, currency: "euros" };
  const zh = { status: "已签收", refunded: false };
  const en = { status: "delivered", refunded: false };
  const [lin, berg] = ["lin", "berg"] as const;
  return [
    { orderId: "L-70211", customer: lin, details: { ...cake, ...zh, delivered: "2026-11-23" } },
    { orderId: "L-69840", customer: lin, details: { ...apples, ...zh, delivered: "2026-11-20" } },
    { orderId: "B-70198", customer: berg, details: { ...kettle, ...en, delivered: "2026-11-21" } },
    { orderId: "B-61007", customer: berg, details: { ...toaster, ...en, delivered: "2026-10-02" } },
  ];
}

type Answer = { readonly status: number; readonly body: object };

const RefundRequest = z.object({ orderId: z.string(), reason: z.string().trim().min(1) });

/** The shop's books, and how they answer requests. */
class Shop {
  readonly #today: string;
  #orders = soldOrders();
  #answered = new Map<string, Answer>();

  constructor(today: string) {
    this.#today = today;
  }

  reset(): void {
    this.#orders = soldOrders();
    this.#answered = new Map();
  }

  refunds(): readonly string[] {
    return this.#orders.flatMap(({ orderId, details }) => (details.refunded ? [orderId] : []));
  }

  answer({ method = "", url = "", headers }: IncomingMessage, body: string): Answer {
    const customer = headers[customerHeader];
    if (typeof customer !== "string" || customer === "") {
      return refused(401, "no_customer", `The header ${customerHeader} names no customer.`);
    }
    if (method === "GET") return this.#read(new URL(url, "http://shop"), customer);
    if (method !== "POST" || url !== "/refunds") return noSuchPage;
    const key = headers["idempotency-key"];
    const refund = () => this.#refund(body, customer);
    return key === undefined ? refund() : this.#once(`${customer} ${String(key)}`, refund);
  }

  #read({ pathname, searchParams }: URL, customer: string): Answer {
    if (pathname === "/customer") return described(customer);
    if (pathname === "/orders") return this.#list(searchParams, customer);
    const [, id] = /^\/orders\/([\w-]+)$/.exec(pathname) ?? [];
    return id === undefined ? noSuchPage : this.#show(id, customer);
  }

  /** The orders of a customer; those whose item a text names come first. */
  #list(query: URLSearchParams, customer: string): Answer {
    const [wanted, about = ""] = [query.get("customer"), query.get("about") ?? undefined];
    if (wanted !== null && wanted !== customer) {
      return refused(403, "not_yours", "These are the orders of another customer.");
    }
    const isAbout = ({ details }: ShopOrder) => about.includes(details.item);
    const orders = this.#orders
      .filter((order) => order.customer === customer)
      .toSorted((left, right) => Number(isAbout(right)) - Number(isAbout(left)));
    return { status: 200, body: { orders: orders.map(shown) } };
  }

  #show(id: string, customer: string): Answer {
    const order = this.#find(id, customer);
    return order === undefined ? noSuchOrder : { status: 200, body: shown(order) };
  }

  #refund(body: string, customer: string): Answer {
    const { data } = RefundRequest.safeParse(jsonIn(body));
    if (data === undefined) {
      return refused(400, "unreadable", 'Expected {"orderId": "…", "reason": "…"}.');
    }
    const order = this.#find(data.orderId, customer);
    if (order === undefined) return noSuchOrder;
    const { item, amount, currency, delivered = this.#today, refunded } = order.details;
    if (refunded) {
      return refused(409, "already_refunded", `The ${item} has been refunded already.`);
    }
    if (daysBetween(delivered, this.#today) > refundDays) {
      const why = `The ${item} was delivered on ${delivered}: more than ${refundDays} days ago.`;
      return refused(409, "too_late", why);
    }
    order.details.refunded = true;
    order.details.status = currency === "元" ? "已退款" : "refunded";
    const refund = { item, amount, currency, status: order.details.status, reason: data.reason };
    return { status: 201, body: { refund } };
  }

  /** The order of this customer. Whether others have one of this id is told to nobody. */
  #find(id: string, customer: string): ShopOrder | undefined {
    return this.#orders.find((order) => order.orderId === id && order.customer === customer);
  }

  /** A request that comes again under its key is answered again, and does nothing. */
  #once(key: string, answer: () => Answer): Answer {
    const made = this.#answered.get(key) ?? answer();
    this.#answered.set(key, made);
    return made;
  }
}

const noSuchPage = refused(404, "no_such_page", "There is no such page.");
const noSuchOrder = refused(404, "no_such_order", "You have no such order.");

function refused(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

/** The customer who asks; others are told about nobody. */
function described(customer: string): Answer {
  const found = customers.get(customer);
  return found === undefined
    ? refused(404, "no_such_customer", "There is no such customer.")
    : { status: 200, body: { customer: found } };
}

function shown({ orderId, details }: ShopOrder): z.infer<typeof Order> {
  return { orderId, details };
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** Starts the service on 127.0.0.1; port 0 takes a free one. It believes that it is `today`. */
export async function startShop({ port = 0, today = "2026-11-24" } = {}) {
  const shop = new Shop(today);
  const asked: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url} for ${String(request.headers[customerHeader])}`);
    const answer = shop.answer(request, await text(request));
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    host,
    url: `http://${host}`,
    /** The ids of the orders that have been refunded. */
    refunds: () => shop.refunds(),
    /** The requests, in their order. */
    asked: (): readonly string[] => asked,
    /** Begins again with the orders as they were. */
    reset: () => shop.reset(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startShop({ port: Number(process.argv[2] ?? 0) });
  console.log(`The shop's orders are at ${url}. In another shell:`);
  console.log(`curl -H '${customerHeader}: lin' '${url}/orders?customer=lin'`);
}
