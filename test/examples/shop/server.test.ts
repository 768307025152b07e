import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { startShop } from "../../../examples/shop/server.js";

const shop = await startShop();
const late = await startShop({ today: "2026-12-01" });

beforeEach(() => shop.reset());
afterAll(() => [shop, late].forEach(({ close }) => close()));

type Asked = {
  readonly path: string;
  readonly customer?: string;
  readonly body?: string;
  readonly key?: string;
  readonly at?: string;
};

async function answerTo({ path, customer = "lin", body, key, at = shop.url }: Asked) {
  const response = await fetch(`${at}${path}`, {
    headers: {
      ...(customer === "" ? {} : { "x-customer": customer }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { method: "POST", body }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json };
}

const cake = JSON.stringify({ orderId: "L-70211", reason: "squashed" });

describe("the shop's service", () => {
  it("lists and shows the orders of the customer, with their ids apart", async () => {
    const details = { item: "草莓蛋糕", amount: 88, delivered: "2026-11-23", refunded: false };
    const order = { orderId: "L-70211", details };
    expect(await answerTo({ path: "/orders?customer=lin" })).toMatchObject({
      status: 200,
      json: { orders: [order, { orderId: "L-69840" }] },
    });
    expect(await answerTo({ path: "/orders/L-70211" })).toMatchObject({ status: 200, json: order });
  });

  it("refunds an order once", async () => {
    expect(await answerTo({ path: "/refunds", body: cake })).toEqual({
      status: 201,
      json: {
        refund: {
          item: "草莓蛋糕",
          amount: 88,
          currency: "元",
          status: "已退款",
          reason: "squashed",
        },
      },
    });
    expect(await answerTo({ path: "/refunds", body: cake })).toMatchObject({
      status: 409,
      json: { error: { code: "already_refunded" } },
    });
    expect(shop.refunds()).toEqual(["L-70211"]);
  });

  it("answers a request that comes again under its key, and each customer apart", async () => {
    const asked = { path: "/refunds", body: cake, key: "k1" };
    const first = await answerTo(asked);
    expect(await answerTo(asked)).toEqual(first);
    expect((await answerTo({ ...asked, customer: "berg" })).status).toBe(404);
    expect(shop.refunds()).toEqual(["L-70211"]);
  });

  it.each([
    { name: "nobody", asked: { path: "/orders", customer: "" }, status: 401, code: "no_customer" },
    {
      name: "the list of another customer",
      asked: { path: "/orders?customer=berg" },
      status: 403,
      code: "not_yours",
    },
    {
      name: "the order of another customer",
      asked: { path: "/orders/B-70198" },
      status: 404,
      code: "no_such_order",
    },
    {
      name: "a refund of another customer's order",
      asked: { path: "/refunds", customer: "berg", body: cake },
      status: 404,
      code: "no_such_order",
    },
    {
      name: "a refund after a week",
      asked: { path: "/refunds", body: cake, at: late.url },
      status: 409,
      code: "too_late",
    },
    {
      name: "a refund without a reason",
      asked: { path: "/refunds", body: '{"orderId": "L-70211", "reason": " "}' },
      status: 400,
      code: "unreadable",
    },
    {
      name: "what is no JSON",
      asked: { path: "/refunds", body: "refund!" },
      status: 400,
      code: "unreadable",
    },
    { name: "another page", asked: { path: "/admin" }, status: 404, code: "no_such_page" },
  ])("refuses $name", async ({ asked, status, code }) => {
    const answer = await answerTo(asked);
    expect(answer).toMatchObject({ status, json: { error: { code } } });
    expect([...shop.refunds(), ...late.refunds()]).toEqual([]);
  });
});
